// oracle: trap 63
// what: next is accepted
// spin: rejects
// verdict: holds
byte x;
init { x = 1 }
ltl p { X (x == 1) }
