// oracle: trap 12
// what: the only field of a message holds a byte even if it is a bit
// verdict: holds
// states: 8
// matched: 0
// transitions: 8
// atomic: 0
// errors: 0
chan q = [2] of { bit };
byte x;
init { q!3; q?x; assert(x == 3); q!300; q?x; assert(x == 44) }
