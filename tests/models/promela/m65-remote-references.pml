// oracle: M65
// what: remote references
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 21
// matched: 12
// transitions: 33
// atomic: 0
// errors: 0
// claim-verdict: violated
// claim-kinds: claim
// claim-states: 23
// claim-matched: 11
// claim-transitions: 34
// claim-atomic: 0
// claim-errors: 3
active [2] proctype P() { byte l; l = 1; CS: l = 2; l = 3 }  never { do :: (P[0]@CS && P[1]:l == 3) -> break :: else od }
