// oracle: M61
// what: claim cannot see inside atomic / d_step
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 5
// matched: 0
// transitions: 5
// atomic: 1
// errors: 0
// claim-verdict: holds
// claim-states: 5
// claim-matched: 1
// claim-transitions: 6
// claim-atomic: 1
// claim-errors: 0
byte x;  init { atomic { x = 1; x = 0 }; d_step { x = 1; x = 0 }; x = 0 }  never { do :: x != 0 -> break :: else od }
