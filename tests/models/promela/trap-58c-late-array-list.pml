// oracle: trap 58
// what: a list for an array declared after a statement
// verdict: holds
// states: 5
// matched: 0
// transitions: 5
// atomic: 0
// errors: 0
byte x;
init { x = 1; byte a[2] = { 1, 2 }; x = a[1] }
