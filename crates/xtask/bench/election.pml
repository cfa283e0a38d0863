/* Leader election in a ring with buffered channels, messages one way: channel traffic. */
#ifndef N
#define N 9
#endif
chan link[N] = [3] of { byte };
byte leaders;

active [N] proctype Node() {
    byte mine = (_pid * 5 + 2) % 11;
    byte seen;
    link[(_pid + 1) % N]!mine;
end:
    do
    :: link[_pid]?seen ->
       if
       :: seen > mine -> link[(_pid + 1) % N]!seen
       :: seen == mine -> leaders++; assert(leaders == 1)
       :: else -> skip
       fi
    od
}
