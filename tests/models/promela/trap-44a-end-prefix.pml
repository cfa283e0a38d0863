// oracle: trap 44
// what: every label that begins with end is an end label
// verdict: holds
// states: 1
// matched: 0
// transitions: 1
// atomic: 0
// errors: 0
byte x;
init { endless: (x == 3) }
