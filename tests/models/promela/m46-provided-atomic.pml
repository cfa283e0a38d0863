// oracle: M46
// what: provided clause also cuts into atomic
// verdict: holds
// states: 8
// matched: 1
// transitions: 9
// atomic: 3
// errors: 0
byte n;  active proctype A() provided (n != 1) { atomic { n = 1; n = 2; n = 3 } }  active proctype B() { n == 1; n = 5 }
