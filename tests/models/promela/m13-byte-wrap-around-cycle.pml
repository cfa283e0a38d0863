// oracle: M13
// what: byte wrap-around cycle
// verdict: holds
// states: 256
// matched: 1
// transitions: 257
// atomic: 0
// errors: 0
byte x;  active proctype P() { do :: x++ od }
