// oracle: M36
// what: bit message field keeps a whole byte, bit variable does not
// verdict: holds
// states: 6
// matched: 0
// transitions: 6
// atomic: 0
// errors: 0
chan q = [1] of { bit };  bit b;  byte x;  init { b = 2; q!2; q?x; assert(b == 0 && x == 2) }
