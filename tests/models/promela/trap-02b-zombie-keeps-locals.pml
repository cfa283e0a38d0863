// oracle: trap 2
// what: the locals of a zombie still split states
// verdict: holds
// states: 13
// matched: 7
// transitions: 20
// atomic: 0
// errors: 0
active proctype Old() { byte t; if :: t = 1 :: t = 2 fi }
active proctype Young() { skip; skip }
