/* Processes that come and go: a dispatcher starts short-lived workers with channels of their own. */
#ifndef JOBS
#define JOBS 8
#endif
chan done = [2] of { byte };
byte busy, finished;

proctype Worker(byte job) {
    chan mine = [1] of { byte };
    byte r;
    mine!job;
    r = job % 3;
    mine?r;
    busy--;
    done!r
}

init {
    byte j, r;
    do
    :: j < JOBS && _nr_pr < 5 -> busy++; run Worker(j); j++
    :: done?r -> finished++
    :: j == JOBS && finished == JOBS -> break
    od;
    assert(busy == 0)
}
