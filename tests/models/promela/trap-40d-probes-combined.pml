// oracle: trap 40
// what: probes can be joined, assigned and asserted
// verdict: holds
// states: 8
// matched: 0
// transitions: 8
// atomic: 0
// errors: 0
chan q = [1] of { byte };
bool x;
init { q!1; (full(q) && nempty(q)); x = full(q); assert(full(q)); assert(x); (empty(q) || full(q)) }
