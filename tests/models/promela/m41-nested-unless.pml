// oracle: M41
// what: nested unless: outer first; pan -J inner first
// verdict: holds
// states: 22
// matched: 8
// transitions: 30
// atomic: 0
// errors: 0
byte x, y;  active proctype A() { { { x = 1; x = 2 } unless { y == 1 -> x = 8 } } unless { y == 1 -> x = 9 }; assert(x != 8) }
active proctype B() { y = 1 }
