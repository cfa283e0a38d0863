// oracle: trap 31
// what: provided is tested inside atomic too
// verdict: violated
// kinds: deadlock
// states: 35
// matched: 10
// transitions: 45
// atomic: 1
// errors: 2
byte n;
active proctype A() provided (n != 1) { atomic { n = 1; n = 2 } }
active proctype B() { (n == 1); n = 3 }
active proctype C() { (n == 1); n = 4 }
