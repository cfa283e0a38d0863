// oracle: trap 42
// what: a remote reference to a dead process is 0
// verdict: holds
// states: 8
// matched: 0
// transitions: 8
// atomic: 0
// errors: 0
byte r = 9;
proctype P() { byte v = 5; L: v = 6 }
init { pid p; p = run P(); (_nr_pr == 1); r = P[p]:v; assert(r == 0 && !P[p]@L) }
