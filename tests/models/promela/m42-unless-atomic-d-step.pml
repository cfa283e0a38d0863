// oracle: M42
// what: unless breaks into atomic, not into d_step
// verdict: holds
// states: 7
// matched: 0
// transitions: 7
// atomic: 2
// errors: 0
byte x, y;  active proctype A() { atomic { x = 1; y = 1; x = 2 } unless { y == 1 -> x = 9 };
y = 0; d_step { x = 1; y = 1; x = 2 } unless { y == 1 -> x = 7 }; assert(x == 2) }
