/* Lamport's bakery with tickets in steps of a large number: wide integers, little structure in them.
   Tickets start again when nobody waits, so there are finitely many. */
#ifndef LIMIT
#define LIMIT 9
#endif
#define N 3
#define STEP 104729
int ticket[N];
bool choosing[N];
byte inside;

active [N] proctype Customer() {
    int highest;
    byte k;
    do
    :: choosing[_pid] = true;
       highest = 0;
       k = 0;
       do
       :: k < N && ticket[k] > highest -> highest = ticket[k]; k++
       :: k < N && ticket[k] <= highest -> k++
       :: k == N -> break
       od;
       if
       :: highest < LIMIT * STEP -> ticket[_pid] = highest + STEP
       :: else -> skip
       fi;
       choosing[_pid] = false;
       if
       :: ticket[_pid] == 0 -> skip
       :: else ->
          k = 0;
          do
          :: k < N && k != _pid ->
             !choosing[k];
             ticket[k] == 0 || ticket[k] > ticket[_pid] || (ticket[k] == ticket[_pid] && k > _pid);
             k++
          :: k == _pid -> k++
          :: k == N -> break
          od;
          inside++;
          assert(inside == 1);
          inside--;
          ticket[_pid] = 0
       fi
    od
}
