// oracle: M20
// what: atomic blocks in the middle: that state is stored
// verdict: holds
// states: 8
// matched: 1
// transitions: 9
// atomic: 5
// errors: 0
byte x;  active proctype A() { atomic { x = 1; x == 2; x = 3; x = 4 } }  active proctype B() { x == 1; x = 2 }
