// oracle: trap 48
// what: unix is a macro of the C preprocessor
// verdict: error
int unix;
init { skip }
