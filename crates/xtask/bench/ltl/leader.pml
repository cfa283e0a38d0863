/* Leader election in a ring with buffered channels, messages one way. Every run ends, with one leader. */
#ifndef N
#define N 6
#endif
chan link[N] = [2] of { byte };
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
       :: seen == mine -> leaders++
       :: else -> skip
       fi
    od
}

ltl elected { <> (leaders == 1) }
ltl settled { <> [] (leaders == 1) }
ltl quiet {
    ! ([] <> (len(link[0]) > 0) && [] <> (len(link[1]) > 0) && [] <> (len(link[2]) > 0) && [] <> (len(link[3]) > 0))
}
