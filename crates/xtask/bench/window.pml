/* A sliding window of two over lossy channels: few processes, deep. */
#define W 2
#define M 4
#ifndef LAST
#define LAST 60
#endif
chan data = [3] of { byte, byte };
chan acks = [3] of { byte };

active proctype Sender() {
    byte base, next, a;
end:
    do
    :: next < base + W && next < LAST && len(data) < 3 -> data!next % M, next; next++
    :: acks?a ->
       if
       :: base < next && a == base % M -> base++
       :: base + 1 < next && a == (base + 1) % M -> base = base + 2
       :: else
       fi
    :: base < next -> next = base
    od
}

active proctype Receiver() {
    byte expected, s, v;
end:
    do
    :: data?s,v ->
       if
       :: s == expected % M -> assert(v == expected); expected++
       :: else
       fi;
       if
       :: len(acks) < 3 && expected > 0 -> acks!(expected + M - 1) % M
       :: else
       fi
    :: data?_,_
    :: acks?_
    od
}
