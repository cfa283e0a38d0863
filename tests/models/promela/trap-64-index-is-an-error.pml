// oracle: trap 64
// what: an index out of range is an error
// verdict: violated
// kinds: index
// partial: yes
// states: 4
// matched: 0
// transitions: 4
// atomic: 0
// errors: 1
byte a[2], i;
init { i = 2; if :: a[i] == 0 :: else fi }
