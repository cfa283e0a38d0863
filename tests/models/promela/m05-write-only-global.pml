// oracle: M05
// what: write-only global is auto-hidden unless -o2
// verdict: holds
// states: 31
// matched: 22
// transitions: 53
// atomic: 0
// errors: 0
byte x;  active [2] proctype P() { if :: x = 1 :: x = 2 fi; x++ }
