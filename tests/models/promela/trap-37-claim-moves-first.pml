// oracle: trap 37
// what: the claim moves first, on the initial state
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 3
// matched: 0
// transitions: 3
// atomic: 0
// errors: 0
// claim-verdict: violated
// claim-kinds: assertion
// claim-states: 3
// claim-matched: 2
// claim-transitions: 5
// claim-atomic: 1
// claim-errors: 1
byte x = 1;
init { x = 0 }
ltl p { [] (x == 0) }
