// oracle: M45
// what: two timeouts become enabled together
// verdict: holds
// states: 13
// matched: 0
// transitions: 13
// atomic: 0
// errors: 0
byte x;  active proctype A() { timeout -> x = 1 }  active proctype B() { timeout -> x = 2 }
