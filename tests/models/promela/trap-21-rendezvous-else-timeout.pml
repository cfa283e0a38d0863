// oracle: trap 21
// what: a rendezvous send without partner does not stop else or timeout
// verdict: holds
// states: 8
// matched: 0
// transitions: 8
// atomic: 0
// errors: 0
chan q = [0] of { byte };
byte x;
active proctype A() { if :: q!1 :: timeout -> x = 1 fi }
active proctype B() { if :: q!2 :: else -> x = 2 fi; (x == 1) }
