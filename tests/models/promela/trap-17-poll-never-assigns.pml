// oracle: trap 17
// what: a poll does not assign
// verdict: holds
// states: 7
// matched: 0
// transitions: 7
// atomic: 0
// errors: 0
chan q = [1] of { byte };
byte x;
init { q!1; (q?[x]); assert(x == 0); (q??[1]); assert(len(q) == 1) }
