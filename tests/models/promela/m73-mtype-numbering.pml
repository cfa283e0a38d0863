// oracle: M73
// what: mtype numbering is backwards inside one declaration
// verdict: holds
// states: 5
// matched: 0
// transitions: 5
// atomic: 0
// errors: 0
mtype = { a, b, c };  mtype = { d };  mtype v = b;  init { assert(c == 1 && b == 2 && a == 3 && d == 4); v = d; assert(v > a) }
