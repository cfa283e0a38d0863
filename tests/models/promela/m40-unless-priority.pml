// oracle: M40
// what: unless: escape guard has priority at every step
// verdict: holds
// states: 22
// matched: 8
// transitions: 30
// atomic: 0
// errors: 0
byte x, y;  active proctype A() { { x = 1; x = 2; x = 3 } unless { y == 1 -> x = 9 } }  active proctype B() { y = 1 }
