// oracle: M07
// what: statement merging (off with -o3)
// verdict: holds
// states: 43
// matched: 30
// transitions: 73
// atomic: 0
// errors: 0
active [2] proctype P() { byte a, b; a = 1; b = 2; a = a + b; b = a; assert(b == 3) }
