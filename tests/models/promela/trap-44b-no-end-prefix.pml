// oracle: trap 44
// what: a label that only contains end is none
// verdict: violated
// kinds: deadlock
// states: 1
// matched: 0
// transitions: 1
// atomic: 0
// errors: 1
byte x;
init { theend: (x == 3) }
