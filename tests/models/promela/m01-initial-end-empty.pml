// oracle: M01
// what: initial + -end- + empty state
// verdict: holds
// states: 3
// matched: 0
// transitions: 3
// atomic: 0
// errors: 0
init { skip }
