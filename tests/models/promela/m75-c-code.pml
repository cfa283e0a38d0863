// oracle: M75
// what: c_code, c_expr, c_state
// verdict: holds
// states: 31
// matched: 18
// transitions: 49
// atomic: 0
// errors: 0
c_state "int n" "Global";  active [2] proctype P() { do :: c_expr { now.n < 3 } -> c_code { now.n++; } :: else -> break od }
