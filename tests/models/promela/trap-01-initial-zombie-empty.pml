// oracle: trap 1
// what: the initial state, the zombie state and the empty state are all counted
// verdict: holds
// states: 3
// matched: 0
// transitions: 3
// atomic: 0
// errors: 0
active proctype P() { printf("one step\n") }
