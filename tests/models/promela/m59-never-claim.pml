// oracle: M59
// what: never claim: synchronous product, claim end = error
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 13
// matched: 6
// transitions: 19
// atomic: 0
// errors: 0
// claim-verdict: violated
// claim-kinds: claim
// claim-states: 13
// claim-matched: 4
// claim-transitions: 17
// claim-atomic: 0
// claim-errors: 6
byte x;  active [2] proctype A() { x = x + 1; x = x + 1 }  never { do :: x == 3 -> break :: else od }
