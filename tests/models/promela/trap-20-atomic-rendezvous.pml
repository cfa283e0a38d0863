// oracle: trap 20
// what: a rendezvous send inside atomic gives control to the receiver
// verdict: holds
// states: 55
// matched: 15
// transitions: 70
// atomic: 15
// errors: 0
chan q = [0] of { byte };
byte x;
active proctype A() { atomic { q!1; x = x * 2; x = x + 1 } }
active proctype B() { q?x; x = x + 5 }
active proctype C() { x = 7 }
