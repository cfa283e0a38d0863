// oracle: M32
// what: else next to a rendezvous send; BFS gets it wrong
// verdict: violated
// kinds: assertion
// states: 17
// matched: 3
// transitions: 20
// atomic: 0
// errors: 2
chan q = [0] of { byte };  byte x;  active proctype A() { if :: q!1 -> x = 1 :: else -> x = 2 fi; assert(x != 2) }
active proctype B() { x = 4; end: q?_ }
