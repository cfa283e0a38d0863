// oracle: M48
// what: set_priority
// verdict: holds
// states: 31
// matched: 7
// transitions: 38
// atomic: 0
// errors: 0
byte n;  active proctype A() { n = 1; set_priority(_pid, 5); n = 2; assert(n == 2); set_priority(0, 1); n = 4 }  active proctype B() { n = 3 }
