// oracle: M31
// what: rendezvous mismatch deadlock; BFS misses it
// verdict: violated
// kinds: deadlock
// states: 1
// matched: 0
// transitions: 1
// atomic: 0
// errors: 1
chan q = [0] of { byte };  active proctype A() { q!1 }  active proctype B() { q?2 }
