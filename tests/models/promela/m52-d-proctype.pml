// oracle: M52
// what: D_proctype: two enabled options is an error
// verdict: violated
// kinds: d_proctype
// states: 5
// matched: 0
// transitions: 5
// atomic: 0
// errors: 1
byte x;  active D_proctype P() { if :: x = 1 :: x = 2 fi }
