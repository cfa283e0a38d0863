// oracle: trap 15
// what: a random receive takes the oldest match and nothing else
// verdict: holds
// states: 9
// matched: 0
// transitions: 9
// atomic: 0
// errors: 0
chan q = [3] of { byte, byte };
byte x;
init { q!2,1; q!1,2; q!1,3; q??1,x; assert(x == 2); q?<_,x>; assert(x == 1 && len(q) == 2) }
