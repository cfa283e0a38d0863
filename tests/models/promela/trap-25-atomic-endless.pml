// oracle: trap 25
// what: an endless loop inside atomic stores nothing and never ends
// note: SPIN runs into its depth limit, here 1000000
// verdict: inconclusive
// partial: yes
// states: 1
// matched: 1
// transitions: 2
// atomic: 1000000
// errors: 0
byte x;
init { atomic { x = 1; do :: x = 1 - x od } }
