// oracle: trap 49
// what: 0x10 is a syntax error
// verdict: error
int x;
init { x = 0x10 }
