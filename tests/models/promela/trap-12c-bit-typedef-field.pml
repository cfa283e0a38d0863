// oracle: trap 12
// what: a bit field of a typedef holds one bit
// verdict: holds
// states: 6
// matched: 0
// transitions: 6
// atomic: 0
// errors: 0
typedef T { bit b; bool c; unsigned u : 2 };
T t;
init { t.b = 2; t.c = 3; t.u = 7; assert(t.b == 0 && t.c == 1 && t.u == 3) }
