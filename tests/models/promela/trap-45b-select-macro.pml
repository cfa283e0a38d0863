// oracle: trap 45
// what: macros for the bounds keep the short form of select
// verdict: holds
// states: 6
// matched: 2
// transitions: 8
// atomic: 0
// errors: 0
#define A 1
#define B 3
byte x;
init { select (x : A .. B); x = 0 }
