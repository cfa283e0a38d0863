// oracle: trap 26
// what: a selection that blocks inside a d_step is fatal
// verdict: violated
// kinds: d_step
// partial: yes
// states: 1
// matched: 0
// transitions: 1
// atomic: 0
// errors: 1
byte x;
init { d_step { x = 1; if :: x == 2 -> x = 3 :: x == 4 fi } }
