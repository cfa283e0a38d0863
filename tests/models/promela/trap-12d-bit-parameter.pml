// oracle: trap 12
// what: a bit parameter is cut to one bit
// verdict: holds
// states: 7
// matched: 0
// transitions: 7
// atomic: 0
// errors: 0
byte r;
proctype P(bit b; byte c) { r = b + c }
init { run P(3, 257); (_nr_pr == 1); assert(r == 2) }
