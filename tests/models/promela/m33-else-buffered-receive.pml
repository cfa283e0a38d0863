// oracle: M33
// what: else next to a buffered receive
// verdict: holds
// states: 15
// matched: 4
// transitions: 19
// atomic: 0
// errors: 0
chan q = [1] of { byte };  byte x;  active proctype A() { if :: q?x -> skip :: else -> x = 3 fi }  active proctype B() { q!7 }
