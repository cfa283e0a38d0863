// oracle: M09
// what: redundant skips in options are dropped at parse time
// verdict: holds
// states: 19
// matched: 0
// transitions: 19
// atomic: 0
// errors: 0
byte x;  active proctype P() {  if :: x = 1; skip; skip; skip; x = 2 :: skip; skip; skip :: x = 3 fi;  skip; skip; skip }
