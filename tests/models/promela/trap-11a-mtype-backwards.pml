// oracle: trap 11
// what: the last name of an mtype declaration is 1
// verdict: holds
// states: 3
// matched: 0
// transitions: 3
// atomic: 0
// errors: 0
mtype = { red, green, blue };
mtype = { black, white };
init { assert(blue == 1 && green == 2 && red == 3 && white == 4 && black == 5) }
