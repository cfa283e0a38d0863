// oracle: trap 49
// what: 010 is ten
// verdict: holds
// states: 3
// matched: 0
// transitions: 3
// atomic: 0
// errors: 0
init { assert(010 == 10) }
