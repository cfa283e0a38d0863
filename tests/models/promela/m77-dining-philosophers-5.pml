// oracle: M77
// what: dining philosophers, 5
// verdict: violated
// kinds: deadlock
// states: 392
// matched: 1024
// transitions: 1416
// atomic: 710
// errors: 1
#define N 5
byte fork[N];  active [N] proctype Phil() {  byte l = _pid, r = (_pid + 1) % N;  do  :: atomic { fork[l] == 0 -> fork[l] = 1 };
atomic { fork[r] == 0 -> fork[r] = 1 };  fork[r] = 0; fork[l] = 0  od  }
