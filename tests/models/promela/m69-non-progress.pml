// oracle: M69
// what: non-progress cycles (-DNP, pan -l)
// verdict: holds
// states: 8
// matched: 9
// transitions: 17
// atomic: 0
// errors: 0
byte x;  active proctype A() { do :: x = 1 - x; progress: skip od }  active proctype B() { byte y; do :: y = 1 - y od }
