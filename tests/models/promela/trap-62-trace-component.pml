// oracle: trap 62
// what: a trace automaton is part of the state even when nothing violates it
// verdict: holds
// states: 6
// matched: 1
// transitions: 7
// atomic: 0
// errors: 0
mtype = { a, b };
chan q = [1] of { mtype };
active proctype P() { do :: q!a; q!b od }
active proctype R() { mtype m; do :: q?m od }
trace { do :: q!a; q!b od }
