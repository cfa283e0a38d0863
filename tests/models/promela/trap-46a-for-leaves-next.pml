// oracle: trap 46
// what: for leaves its variable one above the upper bound
// verdict: holds
// states: 14
// matched: 0
// transitions: 14
// atomic: 0
// errors: 0
byte i, n;
init { for (i : 0 .. 2) { n++ }; assert(i == 3 && n == 3) }
