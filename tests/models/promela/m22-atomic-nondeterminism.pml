// oracle: M22
// what: nondeterminism inside atomic
// verdict: holds
// states: 5
// matched: 1
// transitions: 6
// atomic: 6
// errors: 0
byte x;  active proctype A() { atomic { if :: x = 1 :: x = 2 :: x = 3 fi; x = x + 10; x = x / 2 } }
