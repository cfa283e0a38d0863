// oracle: M60
// what: claim stutters at the end of the run
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 3
// matched: 0
// transitions: 3
// atomic: 0
// errors: 0
// claim-verdict: violated
// claim-kinds: claim
// claim-states: 6
// claim-matched: 0
// claim-transitions: 6
// claim-atomic: 0
// claim-errors: 2
byte x;  init { x = 1 }  never { x == 0; x == 1; x == 1; x == 1; x == 1 }
