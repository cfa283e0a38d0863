/*
 * Mutual exclusion with flags only: safe, but it deadlocks.
 *
 * Learn: raising a flag and then waiting for the others to lower theirs does keep the critical
 *     section exclusive, so the assertion never fails. But when all raise their flags before
 *     anyone looks, each waits for another for ever. Safety alone is not enough.
 * Try: move `flag[_pid] = true` below the wait; the deadlock goes away, but now two processes
 *     can enter together and the assertion fails.
 */
// expect: violated deadlock
// states: 2970

#define N 3

bool flag[N];
byte inside;

active [N] proctype Worker()
{
    byte other;

    do
    :: flag[_pid] = true;
       for (other : 0 .. N - 1) {
           (other == _pid || !flag[other])
       }
       inside++;
       assert(inside == 1);
       inside--;
       flag[_pid] = false
    od
}
