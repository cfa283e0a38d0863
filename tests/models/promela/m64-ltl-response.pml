// oracle: M64
// what: ltl response
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: holds
// states: 6
// matched: 1
// transitions: 7
// atomic: 0
// errors: 0
// claim-verdict: holds
// claim-states: 8
// claim-matched: 2
// claim-transitions: 10
// claim-atomic: 0
// claim-errors: 0
byte x;  active proctype A() { do :: x == 0 -> x = 1 :: x == 1 -> x = 2 :: x == 2 -> x = 0 od }  ltl p { [] ((x == 1) -> <> (x == 2)) }
ltl q { (x == 0) U (x == 1) }  ltl r { (x != 2) W (x == 1) }
