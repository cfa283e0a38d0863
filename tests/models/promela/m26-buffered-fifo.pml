// oracle: M26
// what: buffered fifo
// verdict: holds
// states: 11
// matched: 2
// transitions: 13
// atomic: 0
// errors: 0
chan q = [2] of { byte };  active proctype A() { q!1; q!2; q!3 }  active proctype B() { byte x; q?x; q?x; q?x }
