// oracle: trap 45
// what: a name with an underscore makes select a loop
// verdict: holds
// states: 11
// matched: 2
// transitions: 13
// atomic: 0
// errors: 0
byte x_y;
init { select (x_y : 1 .. 3); x_y = 0 }
