// oracle: embedded C
// what: hidden C data that is never written is constant
// verdict: holds
// states: 31
// matched: 18
// transitions: 49
// atomic: 0
// errors: 0
c_state "int base" "Hidden" "5"
c_decl { const int top = 8; }
byte n;
active [2] proctype P() {
  do
  :: c_expr { base + now.n < top } -> c_code { now.n += base - 4; }
  :: else -> break
  od
}
