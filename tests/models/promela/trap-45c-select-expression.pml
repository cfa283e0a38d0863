// oracle: trap 45
// what: a variable bound makes select a loop
// verdict: holds
// states: 11
// matched: 2
// transitions: 13
// atomic: 0
// errors: 0
byte x, n = 3;
init { select (x : 1 .. n); x = 0 }
