// oracle: trap 24
// what: an atomic with one statement makes no atomic step
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 1
// errors: 0
byte x;
init { atomic { x = 1 }; atomic { x = 2; x = 3 } }
