// oracle: trap 65
// what: an inner else before a later outer option can be taken although that option is true
// verdict: violated
// kinds: assertion
// states: 10
// matched: 0
// transitions: 10
// atomic: 0
// errors: 1
byte x;
active proctype P() { x = 2; if :: if :: x == 1 -> x = 4 :: else -> x = 5 fi :: x == 2 -> x = 6 fi; assert(x != 5) }
