// oracle: M27
// what: rendezvous: one step, sender state not stored
// verdict: holds
// states: 43
// matched: 34
// transitions: 77
// atomic: 0
// errors: 0
chan q = [0] of { byte };  active [2] proctype A() { q!1; q!2 }  active [2] proctype B() { byte x; q?x; q?x }
