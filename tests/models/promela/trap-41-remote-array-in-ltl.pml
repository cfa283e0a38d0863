// oracle: trap 41
// what: SPIN drops the index of a remote array element in an ltl block
// note: with the index the property is violated
// verdict: holds
// states: 13
// matched: 6
// transitions: 19
// atomic: 0
// errors: 0
active [2] proctype P() { byte a[2]; a[1] = 1; a[1] = 2 }
ltl p { [] (P[1]:a[1] != 2) }
