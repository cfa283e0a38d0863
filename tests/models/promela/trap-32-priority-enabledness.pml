// oracle: trap 32
// what: a blocked process of high priority lets others move
// verdict: holds
// states: 9
// matched: 0
// transitions: 9
// atomic: 0
// errors: 0
byte n;
active proctype Low() { n = 1; n = 2; n = 3 }
active proctype High() priority 9 { (n == 2); assert(n == 2); n = 7 }
