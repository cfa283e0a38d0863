/* A closed network of stations: JOBS jobs go round, each station takes one, works and passes it on.
   The number of states grows with JOBS while vector and steps stay alike. */
#ifndef JOBS
#define JOBS 25
#endif
short queue[4];
short busy;

active [4] proctype Station() {
    do
    :: queue[_pid] > 0 ->
       atomic { queue[_pid]--; busy++ };
       assert(busy <= 4);
       if
       :: atomic { queue[(_pid + 1) % 4]++; busy-- }
       :: atomic { queue[(_pid + 2) % 4]++; busy-- }
       fi
    od
}

init {
    queue[0] = JOBS
}
