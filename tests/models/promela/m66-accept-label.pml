// oracle: M66
// what: accept label in a process
// verdict: holds
// states: 9
// matched: 0
// transitions: 9
// atomic: 0
// errors: 0
byte x;  active proctype A() { do :: x < 3 -> accept: x++ :: else -> break od }
