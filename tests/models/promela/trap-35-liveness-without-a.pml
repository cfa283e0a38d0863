// oracle: trap 35
// what: a liveness property is not checked by a safety search
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 3
// matched: 0
// transitions: 3
// atomic: 0
// errors: 0
// claim-verdict: holds
// claim-states: 3
// claim-matched: 1
// claim-transitions: 4
// claim-atomic: 0
// claim-errors: 0
byte x;
init { x = 1 }
ltl p { <> (x == 5) }
