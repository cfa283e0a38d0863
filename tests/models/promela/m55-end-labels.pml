// oracle: M55
// what: end labels and blocked processes
// verdict: violated
// kinds: deadlock
// states: 6
// matched: 0
// transitions: 6
// atomic: 0
// errors: 1
byte x;  active proctype A() { end: do :: x == 1 -> x = 0 od }  active proctype B() { x = 1; (x == 0); x = 2; x == 3 }
