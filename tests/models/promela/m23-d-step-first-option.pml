// oracle: M23
// what: d_step: one step, first executable option wins
// verdict: holds
// states: 13
// matched: 6
// transitions: 19
// atomic: 0
// errors: 0
byte x;  active [2] proctype P() { d_step { if :: x = x + 1 :: x = x + 5 fi; x = x + 1 }; assert(x != 6) }
