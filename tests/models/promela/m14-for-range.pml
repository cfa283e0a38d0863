// oracle: M14
// what: for: init, test, body, increment, else
// verdict: holds
// states: 14
// matched: 0
// transitions: 14
// atomic: 0
// errors: 0
byte i, x;  init { for (i : 1 .. 3) { x = x + i }; assert(i == 4) }
