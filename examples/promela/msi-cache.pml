/*
 * MSI cache coherence on a snooping bus.
 *
 * Learn: a cache line is Modified (mine alone, newer than memory), Shared (a clean copy) or
 *     Invalid. A cache that holds the bus tells all the others what it is about to do, and they
 *     give up their copies or write them back. Every read must see the latest write.
 * Try: leave out `memory = copy[_pid]` in the snoop part; a dirty line is then forgotten and a
 *     later read sees an old value (assertion).
 */
// expect: holds
// states: 6425

#define CACHES 3
#define VALUES 2

mtype = { Modified, Shared, Invalid };
mtype = { ToShare, ToOwn };

chan bus = [1] of { bit };               /* holds one token: the right to use the bus */
chan snoop[CACHES] = [0] of { mtype };
chan answered = [0] of { bit };

mtype line[CACHES] = Invalid;
byte copy[CACHES];
byte memory;
byte latest;  /* what a read must return */

inline tell_others(request)
{
    for (other : 0 .. CACHES - 1) {
        if
        :: other != _pid -> snoop[other]!request; answered?_
        :: else
        fi
    };
    other = 0
}

active [CACHES] proctype Cache()
{
    byte other;
    mtype request;

    do
    :: line[_pid] != Invalid -> assert(copy[_pid] == latest)  /* read hit */
    :: line[_pid] == Modified ->                              /* write hit */
        d_step { latest = (latest + 1) % VALUES; copy[_pid] = latest }
    :: bus?_ ->
        if
        :: line[_pid] == Invalid ->                           /* read miss */
            tell_others(ToShare);
            d_step { copy[_pid] = memory; line[_pid] = Shared }
        :: line[_pid] != Modified ->                          /* write miss */
            tell_others(ToOwn);
            d_step { copy[_pid] = memory; line[_pid] = Modified }
        :: line[_pid] == Modified -> skip
        fi;
        bus!1
    :: snoop[_pid]?request ->
        d_step {
            if
            :: line[_pid] == Modified -> memory = copy[_pid]
            :: else
            fi;
            if
            :: request == ToOwn -> line[_pid] = Invalid; copy[_pid] = 0
            :: line[_pid] == Modified && request == ToShare -> line[_pid] = Shared
            :: else
            fi;
            request = 0
        }
        answered!1
    od
}

init
{
    bus!1
}
