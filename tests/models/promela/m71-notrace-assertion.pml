// oracle: M71
// what: notrace assertion
// verdict: violated
// kinds: trace
// states: 12
// matched: 3
// transitions: 15
// atomic: 0
// errors: 2
mtype = { a, b };  chan q = [2] of { mtype };  active proctype P() { if :: q!a; q!b :: q!b; q!a fi }  active proctype R() { q?_; q?_ }
notrace { q!a; q!b }
