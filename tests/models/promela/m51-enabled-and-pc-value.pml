// oracle: M51
// what: enabled() and pc_value()
// verdict: holds
// states: 12
// matched: 4
// transitions: 16
// atomic: 0
// errors: 0
byte n;  active proctype Q() { n == 1; n = 2 }  init { if :: enabled(0) -> n = 5 :: else -> n = 1 fi; assert(pc_value(0) >= 1) }
