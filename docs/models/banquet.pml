/* Twelve philosophers who all reach left first: one deadlock among 1.7 million states. */
#define N 12

bool taken[N];

active [N] proctype Philosopher()
{
    byte left = _pid, right = (_pid + 1) % N;

    do
    :: atomic { !taken[left] -> taken[left] = true };
       atomic { !taken[right] -> taken[right] = true };
       taken[right] = false;
       taken[left] = false
    od
}
