// oracle: M37
// what: message loss (spin -m)
// verdict: holds
// states: 7
// matched: 0
// transitions: 7
// atomic: 0
// errors: 0
chan q = [1] of { byte };  byte x;  active proctype A() { q!1; q!2; q!3 }  active proctype B() { end: do :: q?x od }
