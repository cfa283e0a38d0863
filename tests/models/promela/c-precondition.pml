// oracle: embedded C
// what: a precondition of c_code that holds
// verdict: holds
// states: 13
// matched: 6
// transitions: 19
// atomic: 0
// errors: 0
c_state "int n" "Global" "3"
active [2] proctype P() {
  c_code [now.n > 1] { now.n--; };
  c_code [now.n >= 1 && now.n < 3] { now.n = now.n; }
}
