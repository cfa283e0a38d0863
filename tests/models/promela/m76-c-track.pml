// oracle: M76
// what: c_track Matched versus untracked C data
// verdict: holds
// states: 9
// matched: 0
// transitions: 9
// atomic: 0
// errors: 0
c_decl { int g = 0; }  c_track "&g" "sizeof(int)";  active proctype P() { do :: c_expr { g < 3 } -> c_code { g++; } :: else -> break od }
