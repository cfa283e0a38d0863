/* Peterson's filter lock for four processes: many small processes, shared variables only. */
#define N 4
byte level[N];
byte victim[N];
byte inside;

active [N] proctype P() {
    byte l, k;
    do
    :: l = 1;
       do
       :: l < N ->
          level[_pid] = l;
          victim[l] = _pid;
          k = 0;
          do
          :: k < N && (k == _pid || level[k] < l || victim[l] != _pid) -> k++
          :: k >= N -> break
          od;
          l++
       :: else -> break
       od;
       inside++;
       assert(inside == 1);
       inside--;
       level[_pid] = 0;
       k = 0
    od
}
