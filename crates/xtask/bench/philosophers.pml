/* Philosophers with a butler who lets all but one sit down. */
#ifndef N
#define N 8
#endif
bool fork[N];
byte seated, eating;

active [N] proctype Philosopher() {
    do
    :: atomic { seated < N - 1 -> seated++ };
       if
       :: atomic { !fork[_pid] -> fork[_pid] = true };
          atomic { !fork[(_pid + 1) % N] -> fork[(_pid + 1) % N] = true }
       :: atomic { !fork[(_pid + 1) % N] -> fork[(_pid + 1) % N] = true };
          atomic { !fork[_pid] -> fork[_pid] = true }
       fi;
       eating++;
       assert(eating <= N / 2);
       eating--;
       fork[_pid] = false;
       fork[(_pid + 1) % N] = false;
       seated--
    od
}
