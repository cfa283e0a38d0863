// oracle: M74
// what: bit arrays are byte arrays
// verdict: holds
// states: 5
// matched: 0
// transitions: 5
// atomic: 0
// errors: 0
bit v;  bit w[2];  init { v = 3; w[0] = 3; assert(v == 1 && w[0] == 3) }
