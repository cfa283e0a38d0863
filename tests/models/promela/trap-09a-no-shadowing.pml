// oracle: trap 9
// what: a local named like a global is a redeclaration
// verdict: error
int x;
init { int x; skip }
