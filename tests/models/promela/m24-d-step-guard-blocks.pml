// oracle: M24
// what: d_step guard may block
// verdict: holds
// states: 11
// matched: 1
// transitions: 12
// atomic: 0
// errors: 0
byte x;  active proctype A() { d_step { if :: x == 1 -> x = 5 :: x == 2 -> x = 6 fi; x = x + 10 } }  active proctype B() { x = 2; x = 1 }
