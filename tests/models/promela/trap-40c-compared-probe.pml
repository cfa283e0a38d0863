// oracle: trap 40
// what: a probe cannot be compared
// verdict: error
chan q = [1] of { byte };
init { (full(q) == 0) }
