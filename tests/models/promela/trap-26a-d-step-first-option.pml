// oracle: trap 26
// what: d_step takes the first executable option
// verdict: holds
// states: 5
// matched: 0
// transitions: 5
// atomic: 0
// errors: 0
byte x;
init { d_step { x = 0; do :: x < 3 -> x++ :: x = 9; break :: else -> break od }; assert(x == 9 || x == 3); assert(x == 9) }
