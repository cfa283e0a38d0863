// oracle: trap 39
// what: a comparison of a temporal formula is refused
// note: SPIN compares a token number with 0
// spin: accepts
// verdict: error
byte x;
init { x = 1 }
ltl p { [] x == 0 }
