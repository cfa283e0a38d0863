// oracle: M63
// what: ltl liveness, nested DFS (stored vs visited)
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 33
// matched: 21
// transitions: 54
// atomic: 0
// errors: 0
// claim-verdict: holds
// claim-states: 28
// claim-matched: 15
// claim-transitions: 43
// claim-atomic: 0
// claim-errors: 0
byte x;  active proctype A() { do :: x < 3 -> x++ :: else -> break od }  active proctype B() { byte y; y = 1; y = 2 }  ltl p { <> (x == 3) }
ltl q { [] <> (x == 0) }
