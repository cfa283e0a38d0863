// oracle: trap 47
// what: 0 .. N is expanded
// verdict: holds
// states: 14
// matched: 0
// transitions: 14
// atomic: 0
// errors: 0
#define N 2
byte i;
init { for (i : 0 .. N) { skip }; assert(i == 3) }
