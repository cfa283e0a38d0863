// oracle: embedded C
// what: c_code in atomic, d_step, unless and as the first statement of options
// verdict: holds
// states: 76
// matched: 111
// transitions: 187
// atomic: 72
// errors: 0
c_state "int n" "Global"
byte x;
active proctype P() {
  { { do
      :: c_code { now.n = (now.n + 1) % 4; }
      :: d_step { c_code { if (now.n == 2) now.n = 0; } ; x = x ^ 1 }
      :: atomic { c_code { }; c_code { ; } ; x = 0 }
      od
    } unless { c_expr { now.n == 3 } -> c_code { now.n = 7; now.n++; } }
  } unless { c_expr { now.n == 8 } -> skip }
}
active proctype Q() {
  do
  :: c_expr { now.n == 1 } -> x = 2; break
  :: c_code { } -> break
  od
}
