// oracle: trap 26
// what: a d_step that begins with a selection waits for its conditions, not for its assignments
// note: SPIN makes the guard from the options that begin with a condition as soon as there is one
// verdict: violated
// kinds: deadlock
// states: 1
// matched: 0
// transitions: 1
// atomic: 0
// errors: 1
byte x;
init { d_step { if :: x = 1 :: x == 1 -> x = 2 fi } }
