// oracle: trap 40
// what: a probe cannot be negated
// verdict: error
chan q = [1] of { byte };
init { (!full(q)) }
