// oracle: M16
// what: select inside an inline: loop form
// verdict: holds
// states: 11
// matched: 2
// transitions: 13
// atomic: 0
// errors: 0
byte x;  inline pick(v) { select (v : 1 .. 3) }  init { pick(x); x = 0 }
