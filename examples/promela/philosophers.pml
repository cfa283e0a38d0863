/*
 * Dining philosophers who all reach left first.
 *
 * Learn: each philosopher takes the left fork and then the right one. If all take the left fork
 *     before anyone gets a right one, nobody can go on: a deadlock that needs every
 *     philosopher to take part, which testing seldom hits and a search always finds.
 * Try: take both forks in one step (`atomic { !taken[left] && !taken[right] -> ... }`); the
 *     deadlock disappears.
 */
// expect: violated deadlock
// states: 392

#define N 5

bool taken[N];  /* fork i lies to the left of philosopher i */

inline pick_up(fork)
{
    atomic { !taken[fork] -> taken[fork] = true }
}

inline put_down(fork)
{
    taken[fork] = false
}

active [N] proctype Philosopher()
{
    byte left = _pid;
    byte right = (_pid + 1) % N;

    do
    :: pick_up(left);
       pick_up(right);
       /* eating */
       put_down(right);
       put_down(left)
    od
}
