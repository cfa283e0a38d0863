// oracle: trap 51
// what: a comma cannot follow a closing brace
// verdict: error
chan a = [1] of { byte }, b = [1] of { byte };
init { skip }
