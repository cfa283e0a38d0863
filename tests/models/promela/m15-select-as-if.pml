// oracle: M15
// what: select, short constant range outside an inline: if
// verdict: holds
// states: 6
// matched: 2
// transitions: 8
// atomic: 0
// errors: 0
byte x;  init { select (x : 1 .. 3); x = 0 }
