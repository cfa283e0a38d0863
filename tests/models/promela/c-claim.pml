// oracle: embedded C
// what: c_expr in a formula
// verdict: holds
// states: 35
// matched: 22
// transitions: 57
// atomic: 0
// errors: 0
c_state "int n" "Global"
ltl p { [] c_expr { now.n < 5 } }
active [2] proctype P() { do :: c_expr { now.n < 4 } -> c_code { now.n++; } :: else -> break od }
