// oracle: M58
// what: array index out of bounds
// verdict: violated
// kinds: index
// partial: yes
// states: 5
// matched: 0
// transitions: 5
// atomic: 0
// errors: 2
byte a[3], i = 2;  init { i++; a[i] = 1; a[0] = 1 }
