// oracle: M57
// what: assertion: search goes on past it under -c0
// verdict: violated
// kinds: assertion
// states: 21
// matched: 12
// transitions: 33
// atomic: 0
// errors: 4
byte x;  active [2] proctype A() { x = x + 1; assert(x == 1); x = x - 1 }
