// oracle: trap 52
// what: arguments of an inline are text
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 0
// errors: 0
byte x;
inline twice(v, e) { v = e * 2 }
init { twice(x, 1 + 2); assert(x == 5) }
