// oracle: trap 47
// what: 0..N is one preprocessing number
// verdict: error
#define N 3
byte i;
init { for (i : 0..N) { skip } }
