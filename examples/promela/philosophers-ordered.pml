/*
 * Dining philosophers with ordered forks.
 *
 * Learn: the forks are numbered, and everyone takes the smaller-numbered fork first. In a
 *     circle of waiting philosophers the fork numbers would have to rise all the way round, so
 *     there is no deadlock. Only the last philosopher behaves differently from `philosophers.pml`.
 * Try: for the last philosopher, set `first` to `_pid` and `second` to 0; everyone then reaches
 *     left first again and the deadlock is back.
 */
// expect: holds
// states: 4352

#define N 5

bool taken[N];
byte meals;  /* how many are eating now */

inline pick_up(fork)
{
    atomic { !taken[fork] -> taken[fork] = true }
}

active [N] proctype Philosopher()
{
    byte first, second;

    d_step {
        if
        :: _pid == N - 1 -> first = 0; second = _pid
        :: else -> first = _pid; second = _pid + 1
        fi
    }

    do
    :: pick_up(first);
       pick_up(second);
       meals++;
       assert(meals <= N / 2);
       meals--;
       taken[second] = false;
       taken[first] = false
    od
}
