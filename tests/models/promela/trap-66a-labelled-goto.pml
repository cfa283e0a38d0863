// oracle: trap 66
// what: a labelled goto costs nothing
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 0
// errors: 0
byte x;
active proctype P() { x = 1; L: goto M; x = 2; M: x = 3 }
