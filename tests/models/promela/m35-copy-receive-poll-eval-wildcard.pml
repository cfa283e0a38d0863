// oracle: M35
// what: copy receive, poll, eval, wildcard
// verdict: holds
// states: 15
// matched: 4
// transitions: 19
// atomic: 0
// errors: 0
chan q = [2] of { byte, byte };  byte k = 3;  active proctype A() { q!3,4; q!3,5 }
active proctype B() { byte a; q?<eval(k),a>; (q?[3,_]); q?eval(k),_; (len(q) <= 1); q?3,a; assert(a == 5) }
