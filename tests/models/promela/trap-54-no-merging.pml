// oracle: trap 54
// what: without optimisations each statement is a step
// verdict: holds
// states: 31
// matched: 20
// transitions: 51
// atomic: 0
// errors: 0
active [2] proctype P() { byte a, b; a = 1; b = a + 1; a = b; b = 0 }
