// oracle: trap 3
// what: the end of a process is a transition of its own
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 0
// errors: 0
byte x;
init { x = 1; assert(_nr_pr == 1) }
