// oracle: M02
// what: interleaving; process death is LIFO
// verdict: holds
// states: 13
// matched: 6
// transitions: 19
// atomic: 0
// errors: 0
byte x;  active [2] proctype P() { x = x + 1; x = x - 1 }
