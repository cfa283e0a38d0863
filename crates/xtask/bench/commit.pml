/* Two-phase commit over rendezvous with participants that may refuse or restart. */
#ifndef N
#define N 5
#endif
#define ROUNDS 2
mtype = { ask, yes, no, commit, abort };
chan to[N] = [0] of { mtype };
chan back = [0] of { byte, mtype };
byte committed[N];
byte decided;

active [N] proctype Participant() {
    mtype got;
    byte log;
end:
    do
    :: to[_pid]?got ->
       if
       :: got == ask ->
          if
          :: log = 1; back!_pid,yes
          :: log = 2; back!_pid,no
          fi
       :: got == commit ->
          assert(log == 1);
          committed[_pid]++;
          log = 0
       :: got == abort -> log = 0
       fi;
       got = 0
    od
}

active proctype Coordinator() {
    byte k, who, votes, round;
    bool refused;
    mtype what;
    do
    :: round < ROUNDS ->
       k = 0;
       do
       :: k < N -> to[k]!ask; k++
       :: votes < k -> back?who,what; votes++; refused = refused || what == no
       :: k == N && votes == N -> break
       od;
       k = 0;
       do
       :: k < N && !refused -> to[k]!commit; k++
       :: k < N && refused -> to[k]!abort; k++
       :: k == N -> break
       od;
       decided = decided + 1 - refused;
       refused = false;
       votes = 0;
       who = 0;
       what = 0;
       k = 0;
       round++
    :: round == ROUNDS -> break
    od
}
