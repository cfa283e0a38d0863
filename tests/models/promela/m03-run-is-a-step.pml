// oracle: M03
// what: run is a step; pids; young dies first
// verdict: holds
// states: 12
// matched: 4
// transitions: 16
// atomic: 0
// errors: 0
proctype P() { skip }  init { run P(); run P() }
