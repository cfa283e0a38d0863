// oracle: trap 38
// what: the last state repeats for ever under a claim
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 0
// errors: 0
// claim-verdict: violated
// claim-kinds: claim
// claim-states: 7
// claim-matched: 0
// claim-transitions: 7
// claim-atomic: 0
// claim-errors: 2
byte x;
init { x = 1; x = 2 }
never { (x == 0); (x == 1); (x == 2); (x == 2); (x == 2); (x == 2) }
