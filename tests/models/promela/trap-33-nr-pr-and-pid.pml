// oracle: trap 33
// what: _nr_pr counts the claim process, _pid does not
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 1
// errors: 0
// claim-verdict: violated
// claim-kinds: assertion
// claim-states: 4
// claim-matched: 1
// claim-transitions: 5
// claim-atomic: 1
// claim-errors: 1
byte n, p = 9;
init { atomic { n = _nr_pr; p = _pid }; assert(n == 1 && p == 0) }
never { do :: true od }
