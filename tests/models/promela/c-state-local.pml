// oracle: embedded C
// what: c_state in the local state of a process, with an initial value
// verdict: holds
// states: 73
// matched: 56
// transitions: 129
// atomic: 0
// errors: 0
c_state "short s" "Local P" "9"
c_state "int n" "Global" "4"
active [2] proctype P() {
  byte k;
  do
  :: c_expr { PP->s < 12 && PP->_pid + now.n < 20 } -> c_code { PP->s++; now.n += PP->_pid + 1; PP->k = PP->s % 4; }
  :: else -> break
  od
}
