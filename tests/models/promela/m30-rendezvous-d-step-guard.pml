// oracle: M30
// what: rendezvous receive as d_step guard is allowed
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 0
// errors: 0
chan q = [0] of { byte };  byte y;  active proctype A() { q!1 }  active proctype B() { d_step { q?_; y = 1; y = 2 } }
