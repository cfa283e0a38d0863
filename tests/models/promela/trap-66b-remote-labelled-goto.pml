// oracle: trap 66
// what: a remote reference to a labelled goto makes it a step, even from a claim that is ignored
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 5
// matched: 0
// transitions: 5
// atomic: 0
// errors: 0
// claim-verdict: violated
// claim-kinds: claim
// claim-states: 3
// claim-matched: 0
// claim-transitions: 3
// claim-atomic: 0
// claim-errors: 2
byte x;
active proctype P() { x = 1; L: goto M; x = 2; M: x = 3 }
never { do :: P[0]@L -> break :: else od }
