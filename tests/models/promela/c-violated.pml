// oracle: embedded C
// what: an assertion over C data that fails, and a c_expr that blocks
// verdict: violated
// kinds: assertion, deadlock
// states: 53
// matched: 23
// transitions: 76
// atomic: 0
// errors: 13
c_decl { int g = 1; }
c_track "&g" "sizeof(g)"
active proctype P() {
  do :: c_expr { g < 20 } -> c_code { g *= 3; } :: c_expr { g >= 20 } -> break od;
  assert(c_expr { g == 9 });
  c_expr { g == 9 }
}
active proctype Q() { c_code { g += 2; } }
