// oracle: trap 53
// what: x++ does not count as a read (matters only with optimisations)
// verdict: holds
// states: 16
// matched: 7
// transitions: 23
// atomic: 0
// errors: 0
byte x;
active [2] proctype P() { x++; x = 1 }
