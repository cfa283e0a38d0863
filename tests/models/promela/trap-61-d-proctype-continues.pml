// oracle: trap 61
// what: nondeterminism in a D_proctype is an error and the search goes on
// verdict: violated
// kinds: d_proctype
// states: 12
// matched: 1
// transitions: 13
// atomic: 0
// errors: 2
byte x;
active D_proctype P() { if :: x = 1 :: x = 2 fi; x = x + 1; if :: x == 2 -> x = 5 :: x > 1 -> x = 6 fi }
