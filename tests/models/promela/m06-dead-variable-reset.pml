// oracle: M06
// what: dead-variable reset (off with -o1 or -o2)
// verdict: holds
// states: 183
// matched: 184
// transitions: 367
// atomic: 0
// errors: 0
active [2] proctype P() { byte t;  if :: t = 1 :: t = 2 :: t = 3 fi; (t > 0); L: skip; M: skip }
