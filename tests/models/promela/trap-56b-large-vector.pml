// oracle: trap 56
// what: a state vector of more than 1024 bytes needs a larger limit in SPIN
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 0
// errors: 0
int a[500];
init { a[499] = 1; a[0] = a[499] + 1 }
