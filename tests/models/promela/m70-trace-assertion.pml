// oracle: M70
// what: trace assertion
// verdict: holds
// states: 6
// matched: 3
// transitions: 9
// atomic: 0
// errors: 0
mtype = { a, b };  chan q = [2] of { mtype };  active proctype P() { do :: q!a; q!b od }  active proctype R() { do :: q?_ od }
trace { do :: q!a; q!b od }
