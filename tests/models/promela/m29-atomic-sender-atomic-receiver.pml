// oracle: M29
// what: atomic sender + atomic receiver
// verdict: holds
// states: 6
// matched: 1
// transitions: 7
// atomic: 5
// errors: 0
chan q = [0] of { byte };  byte x, y;  active proctype A() { atomic { x = 1; q!1; x = 2; x = 3 } }
active proctype B() { atomic { q?_; y = 1; y = 2 } }
