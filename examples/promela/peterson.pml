/*
 * Peterson's mutual exclusion for two processes.
 *
 * Learn: a flag per process says "I want in"; the shared `turn` breaks the tie, because whoever
 *     writes it last waits. The assertion checks that nobody shares the critical section.
 *     The formula `served` says a waiting Worker gets in; it needs weak fairness.
 * Try: swap the two lines that set `wants` and `turn`; both Workers can then be inside at once
 *     and the assertion fails.
 */
// expect: holds
// states: 58

bool wants[2];  /* wants[i]: Worker i is waiting or inside */
byte turn;      /* who goes first when both want in */
byte inside;    /* how many Workers are in the critical section */

active [2] proctype Worker()
{
    byte other = 1 - _pid;

    do
    :: skip;  /* work that needs no care */
       wants[_pid] = true;
       turn = other;
       (!wants[other] || turn == _pid);
       inside++;
critical:
       assert(inside == 1);
       inside--;
       wants[_pid] = false
    od
}

ltl served { [] (wants[0] -> <> Worker[0]@critical) }
