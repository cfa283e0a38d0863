// oracle: M19
// what: atomic: inner states not stored
// verdict: holds
// states: 13
// matched: 6
// transitions: 19
// atomic: 14
// errors: 0
byte x;  active [2] proctype P() { atomic { x = x + 1; x = x + 1; x = x + 1 }; assert(x > 0) }
