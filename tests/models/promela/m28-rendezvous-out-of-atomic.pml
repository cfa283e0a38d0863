// oracle: M28
// what: rendezvous out of atomic hands control to receiver
// verdict: holds
// states: 10
// matched: 3
// transitions: 13
// atomic: 5
// errors: 0
chan q = [0] of { byte };  byte x, y;  active proctype A() { atomic { x = 1; q!1; x = 2; x = 3 } }  active proctype B() { q?_; y = 1; y = 2 }
