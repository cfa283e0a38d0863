/*
 * Two-phase commit that survives a crash of the coordinator.
 *
 * Learn: the Coordinator writes its decision to a log before it tells anyone. After a crash it
 *     forgets everything but the log: with a decision there it sends it again, with none it may
 *     safely abort. A silent participant makes it give up and abort, too.
 * Try: in the `recover` part, log Abort whatever the log says; one participant can then commit
 *     while another aborts, and the assertion in `settle` fails.
 */
// expect: holds
// states: 64184

#define N 3  /* participants */

mtype = { Undecided, Yes, No, Commit, Abort };

chan votes = [N] of { mtype };
chan verdict[N] = [2] of { mtype };  /* room for the verdict and its repetition */

mtype outcome[N] = Undecided;
mtype coordinator_log = Undecided;   /* survives the crash */
byte said_yes;

inline settle(decision)
{
    d_step {
        outcome[_pid] = decision;
        for (i : 0 .. N - 1) {
            assert(outcome[i] == Undecided || outcome[i] == decision)
        }
        i = 0;
        assert(decision == Abort || said_yes == N)
    }
}

active [N] proctype Participant()
{
    mtype decision;
    byte i;

    if
    :: atomic { votes!Yes; said_yes++ }
    :: votes!No
    :: skip  /* down for a while: never votes, but learns the verdict later */
    fi;
    verdict[_pid]?decision;
    settle(decision)
}

active proctype Coordinator()
{
    mtype vote;
    byte counted, i;
    bool crashed;

    do
    :: counted == N -> coordinator_log = Commit; break
    :: counted < N -> coordinator_log = Abort; break  /* tired of waiting */
    :: votes?vote ->
        if
        :: vote == Yes -> counted++
        :: vote == No -> coordinator_log = Abort; break
        fi
    :: goto crash
    od;

announce:
    for (i : 0 .. N - 1) {
        verdict[i]!coordinator_log;
        if
        :: !crashed -> goto crash
        :: skip
        fi
    }
    goto finished;

crash:
    crashed = true;
    d_step { counted = 0; vote = 0; i = 0 };  /* forget everything else */

recover:
    if
    :: coordinator_log == Undecided -> coordinator_log = Abort
    :: else
    fi;
    goto announce;

finished:
    skip
}
