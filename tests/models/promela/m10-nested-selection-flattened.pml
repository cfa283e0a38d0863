// oracle: M10
// what: nested selection is flattened, one decision point
// verdict: holds
// states: 8
// matched: 4
// transitions: 12
// atomic: 0
// errors: 0
byte x;  active proctype P() { if :: if :: x = 1 :: x = 2 fi :: do :: x = 3 :: break od fi; x = 4 }
