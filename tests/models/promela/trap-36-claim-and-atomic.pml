// oracle: trap 36
// what: a claim does not see states inside atomic or d_step
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 1
// errors: 0
// claim-verdict: holds
// claim-states: 4
// claim-matched: 1
// claim-transitions: 5
// claim-atomic: 1
// claim-errors: 0
byte x;
init { atomic { x = 1; x = 0 }; d_step { x = 1; x = 0 } }
ltl p { [] (x == 0) }
