// oracle: M50
// what: _nr_pr counts the claim
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 0
// errors: 0
// claim-verdict: violated
// claim-kinds: assertion
// claim-states: 4
// claim-matched: 1
// claim-transitions: 5
// claim-atomic: 0
// claim-errors: 1
byte n;  init { n = _nr_pr; assert(n == 1) }  never { do :: true od }
