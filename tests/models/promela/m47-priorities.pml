// oracle: M47
// what: priorities: highest enabled process only
// verdict: holds
// states: 10
// matched: 0
// transitions: 10
// atomic: 0
// errors: 0
byte n;  active proctype A() priority 1 { n = 1; n = 2; n = 3 }  active proctype B() priority 10 { n == 1; n = 5; n == 2; n = 6 }
