// oracle: trap 51
// what: a comma cannot follow an array initialiser
// verdict: error
int v[2] = { 1, 2 }, w;
init { skip }
