/*
 * Two-phase commit without recovery: a crash leaves participants stuck.
 *
 * Learn: once a participant has voted Yes it may neither commit nor abort on its own. When the
 *     coordinator dies before telling everybody, those that heard nothing wait for ever. This is
 *     the well-known blocking weakness of two-phase commit; it shows up as a deadlock.
 * Try: give the waiting Participant a way out (`:: timeout -> decision = Abort` next to the
 *     receive); the deadlock is gone, but now the outcomes can differ (assertion).
 */
// expect: violated deadlock
// states: 909

#define N 3

mtype = { Undecided, Yes, No, Commit, Abort };

chan votes = [N] of { mtype };
chan verdict[N] = [1] of { mtype };

mtype outcome[N] = Undecided;

active [N] proctype Participant()
{
    mtype decision;
    byte i;

    if
    :: votes!Yes
    :: votes!No
    fi;

    if
    :: verdict[_pid]?decision
    fi;

    d_step {
        outcome[_pid] = decision;
        for (i : 0 .. N - 1) {
            assert(outcome[i] == Undecided || outcome[i] == decision)
        }
        i = 0
    }
}

active proctype Coordinator()
{
    mtype vote;
    mtype decision = Commit;
    byte i;

    for (i : 1 .. N) {
        votes?vote;
        if
        :: vote == No -> decision = Abort
        :: else
        fi
    }
    for (i : 0 .. N - 1) {
        if
        :: verdict[i]!decision
        :: goto crashed  /* for good */
        fi
    }
crashed:
    skip
}
