// oracle: M34
// what: random receive (oldest match) and sorted send
// verdict: holds
// states: 40
// matched: 27
// transitions: 67
// atomic: 0
// errors: 0
chan q = [3] of { byte, byte };  active proctype A() { byte a, b; q!!2,9; q!!1,8; q!!2,1; q??2,a; assert(a == 1); q?a,b; assert(a == 1 && b == 8) }
active proctype B() { if :: q??[2,9] -> skip :: (len(q) == 0) -> skip fi }
