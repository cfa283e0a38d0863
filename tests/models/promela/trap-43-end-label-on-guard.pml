// oracle: trap 43
// what: a label on the guard of an option marks the state after it
// verdict: holds
// states: 2
// matched: 0
// transitions: 2
// atomic: 0
// errors: 0
byte x;
init { if :: end: x == 0 -> x == 3 fi }
