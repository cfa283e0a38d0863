// oracle: trap 56
// what: more than 255 processes is no verdict
// verdict: inconclusive
// kinds: limit
// partial: yes
// states: 255
// matched: 0
// transitions: 255
// atomic: 0
// errors: 1
proctype P() { false }
init { do :: run P() od }
