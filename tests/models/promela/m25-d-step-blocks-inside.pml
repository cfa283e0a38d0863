// oracle: M25
// what: d_step that blocks inside is a fatal error
// verdict: violated
// kinds: d_step
// partial: yes
// states: 1
// matched: 0
// transitions: 1
// atomic: 0
// errors: 1
byte x;  active proctype A() { d_step { x = 1; x == 2; x = 3 } }
