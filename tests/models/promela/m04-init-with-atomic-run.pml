// oracle: M04
// what: init with atomic run
// verdict: holds
// states: 9
// matched: 2
// transitions: 11
// atomic: 1
// errors: 0
proctype P() { skip }  init { atomic { run P(); run P() } }
