// oracle: trap 22
// what: a process cannot rendezvous with itself
// verdict: violated
// kinds: deadlock
// states: 1
// matched: 0
// transitions: 1
// atomic: 0
// errors: 1
chan q = [0] of { bit };
init { if :: q!1 :: q?_ fi }
