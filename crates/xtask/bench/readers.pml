/* Readers and writers over a monitor with a queue of those who wait. */
#ifndef READERS
#define READERS 6
#endif
#ifndef WRITERS
#define WRITERS 3
#endif
chan queue = [READERS + WRITERS] of { byte, bool };
bool go[READERS + WRITERS];
byte reading, writing;

inline enter(writes) {
    atomic {
        if
        :: len(queue) == 0 && writing == 0 && (!writes || reading == 0) -> go[_pid] = true; admit(writes)
        :: else -> queue!_pid,writes
        fi
    };
    go[_pid];
    go[_pid] = false
}

inline admit(writes) {
    if
    :: writes -> writing++
    :: else -> reading++
    fi
}

inline wake() {
    do
    :: queue?[who,false] && writing == 0 -> queue?who,_; reading++; go[who] = true
    :: queue?[who,true] && writing == 0 && reading == 0 -> queue?who,_; writing++; go[who] = true
    :: else -> break
    od;
    who = 0
}

active [READERS] proctype Reader() {
    byte who;
    do
    :: enter(false);
       assert(writing == 0);
       atomic { reading--; wake() }
    od
}

active [WRITERS] proctype Writer() {
    byte who;
    do
    :: enter(true);
       assert(writing == 1 && reading == 0);
       atomic { writing--; wake() }
    od
}
