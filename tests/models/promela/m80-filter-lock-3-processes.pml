// oracle: M80
// what: filter lock, 3 processes
// verdict: holds
// states: 19748
// matched: 34611
// transitions: 54359
// atomic: 0
// errors: 0
#define N 3
byte level[N], last[N], crit;  active [N] proctype P() {  byte l, k;  do  :: l = 1;  do  :: l < N ->  level[_pid] = l; last[l] = _pid; k = 0;  do
:: k < N && (k == _pid || level[k] < l || last[l] != _pid) -> k++  :: k >= N -> break  od;  l++  :: else -> break  od;
crit++; assert(crit == 1); crit--; level[_pid] = 0; k = 0  od  }
