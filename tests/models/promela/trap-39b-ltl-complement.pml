// oracle: trap 39
// what: ~ before a temporal operator is refused
// note: SPIN takes the complement of a token number
// spin: accepts
// verdict: error
byte x;
init { x = 1 }
ltl p { ~ [] (x == 0) }
