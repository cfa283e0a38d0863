// oracle: M62
// what: ltl safety
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 13
// matched: 6
// transitions: 19
// atomic: 0
// errors: 0
// claim-verdict: holds
// claim-states: 13
// claim-matched: 7
// claim-transitions: 20
// claim-atomic: 0
// claim-errors: 0
byte x;  active [2] proctype A() { x = x + 1; x = x + 1 }  ltl p { [] (x < 5) }  ltl q { [] (x < 4) }
