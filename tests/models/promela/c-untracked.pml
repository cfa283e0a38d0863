// oracle: embedded C
// what: a write to C data that SPIN does not restore: refused
// verdict: unsupported
// states: 2
// matched: 1
// transitions: 3
// atomic: 0
// errors: 0
c_decl { int g = 0; }
active proctype P() { do :: c_expr { g < 3 } -> c_code { g++; } :: else -> break od }
