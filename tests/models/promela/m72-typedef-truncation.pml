// oracle: M72
// what: typedef, nested arrays, unsigned, truncation
// verdict: holds
// states: 7
// matched: 0
// transitions: 7
// atomic: 0
// errors: 0
typedef R { byte c[2]; bit f; unsigned u : 3 };  typedef S { R r[2]; short s };  S z;
init { z.r[1].c[1] = 300; z.r[0].f = 3; z.r[1].u = 13; z.s = 40000;  assert(z.r[1].c[1] == 44 && z.r[0].f == 1 && z.r[1].u == 5 && z.s == -25536) }
