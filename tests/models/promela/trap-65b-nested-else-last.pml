// oracle: trap 65
// what: with the outer options swapped the inner else is not taken
// verdict: holds
// states: 6
// matched: 0
// transitions: 6
// atomic: 0
// errors: 0
byte x;
active proctype P() { x = 2; if :: x == 2 -> x = 6 :: if :: x == 1 -> x = 4 :: else -> x = 5 fi fi; assert(x != 5) }
