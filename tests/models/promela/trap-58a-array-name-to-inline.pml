// oracle: trap 58
// what: an array name as argument of an inline is an error that SPIN recovers from
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 0
// errors: 0
byte a[2];
inline f(x) { x[1] = 2 }
init { f(a); assert(a[1] == 2) }
