// oracle: trap 16
// what: a sorted send goes before the first larger message even in an unsorted queue
// verdict: holds
// states: 11
// matched: 0
// transitions: 11
// atomic: 0
// errors: 0
chan q = [3] of { byte };
byte x;
init { q!3; q!1; q!!2; q?x; assert(x == 2); q?x; assert(x == 3); q?x; assert(x == 1) }
