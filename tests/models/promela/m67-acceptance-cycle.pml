// oracle: M67
// what: acceptance cycle
// verdict: holds
// states: 6
// matched: 7
// transitions: 13
// atomic: 0
// errors: 0
byte x;  active proctype A() { do :: x = 0; accept: x = 1 od }  active proctype B() { byte y; do :: y = 1 - y od }
