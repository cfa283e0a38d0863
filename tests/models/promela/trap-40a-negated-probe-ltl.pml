// oracle: trap 40
// what: a probe cannot stand under a temporal operator
// verdict: error
chan q = [1] of { byte };
init { q!1 }
ltl p { [] !full(q) }
