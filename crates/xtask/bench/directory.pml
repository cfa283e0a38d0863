/* A cache directory: nodes ask a home node for lines, shared or exclusive, and are invalidated.
   Large vectors of which each step changes little. */
#ifndef NODES
#define NODES 2
#endif
#ifndef LINES
#define LINES 24
#endif
mtype = { invalid, shared, exclusive, get_s, get_x, data, inv, ack };
typedef Line {
    mtype held[NODES];
    byte value[NODES];
    byte owner;
    byte sharers;
    byte memory;
    byte version
};
Line line[LINES];
chan to_home = [2 * NODES] of { mtype, byte, byte };
chan to_node[NODES] = [2] of { mtype, byte };

active proctype Home() {
    byte n, l, k, waits, who;
    mtype what;
    line[0].memory = 1;
end:
    do
    :: to_home?what,n,l;
       waits = 0;
       if
       :: what == get_x ->
          k = 0;
          do
          :: k < NODES && k != n && line[l].held[k] != 0 && line[l].held[k] != invalid ->
             to_node[k]!inv,l;
             waits++;
             k++
          :: k < NODES && !(k != n && line[l].held[k] != 0 && line[l].held[k] != invalid) -> k++
          :: k == NODES -> break
          od;
          do
          :: waits > 0 -> to_home??ack,who,eval(l); waits--
          :: waits == 0 -> break
          od;
          line[l].owner = n + 1;
          line[l].sharers = 0
       :: what == get_s ->
          if
          :: line[l].owner != 0 && line[l].owner != n + 1 ->
             to_node[line[l].owner - 1]!inv,l;
             to_home??ack,who,eval(l);
             line[l].owner = 0
          :: else
          fi;
          line[l].sharers = line[l].sharers | (1 << n)
       fi;
       to_node[n]!data,l;
       n = 0;
       l = 0;
       k = 0;
       who = 0
    od
}

active [NODES] proctype Node() {
    byte me = _pid - 1;
    byte l, i;
    bool waiting;
    mtype what;
end:
    do
    :: !waiting ->
       if
       :: l = me
       :: l = LINES - 1
       fi;
       if
       :: line[l].held[me] != shared && line[l].held[me] != exclusive -> what = get_s; to_home!what,me,l
       :: line[l].held[me] != exclusive -> what = get_x; to_home!what,me,l
       :: line[l].held[me] == exclusive ->
          line[l].value[me] = (line[l].value[me] + 1) % 2;
          line[l].memory = line[l].value[me];
          what = 0
       fi;
       waiting = (what != 0)
    :: to_node[me]?data,i ->
       assert(waiting && i == l);
       waiting = false;
       line[l].held[me] = (what == get_x -> exclusive : shared);
       line[l].value[me] = line[l].memory;
       what = 0
    :: to_node[me]?inv,i ->
       assert(!waiting || i != l || line[i].held[me] != exclusive);
       line[i].held[me] = invalid;
       to_home!ack,me,i
    od
}
