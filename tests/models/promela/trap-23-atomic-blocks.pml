// oracle: trap 23
// what: the state where an atomic sequence blocks is stored
// verdict: holds
// states: 9
// matched: 1
// transitions: 10
// atomic: 3
// errors: 0
byte x;
active proctype A() { atomic { x = 1; (x == 2); x = 3 } }
active proctype B() { (x == 1); skip; x = 2 }
