// oracle: M68
// what: weak fairness removes the cycle
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 8
// matched: 7
// transitions: 15
// atomic: 0
// errors: 0
// claim-verdict: holds
// claim-states: 6
// claim-matched: 3
// claim-transitions: 9
// claim-atomic: 0
// claim-errors: 0
byte x;  active proctype A() { do :: x == 0 -> x = 1 :: x == 1 -> break od }  active proctype B() { byte y; do :: y = 1 - y od }
ltl p { <> (x == 1) }
