/* Two pipelines of stages with buffered channels that merge at the end: many channels. */
#ifndef ITEMS
#define ITEMS 4
#endif
#define STAGES 3
#define LANES 2
chan lane[LANES * (STAGES + 1)] = [2] of { byte, byte };
byte got[LANES];

proctype Source(byte at) {
    byte i;
    do
    :: i < ITEMS -> lane[at * (STAGES + 1)]!i,at; i++
    :: i == ITEMS -> break
    od
}

proctype Stage(byte at, where) {
    byte v, tag;
end:
    do
    :: lane[at * (STAGES + 1) + where]?v,tag ->
       v = (v + where + 1) % 16;
       lane[at * (STAGES + 1) + where + 1]!v,tag
    od
}

active proctype Sink() {
    byte v, tag;
end:
    do
    :: lane[STAGES]?v,tag -> assert(tag == 0 && v == (got[0] + 6) % 16); got[0]++
    :: lane[2 * STAGES + 1]?v,tag -> assert(tag == 1 && v == (got[1] + 6) % 16); got[1]++
    od
}

init {
    atomic {
        run Source(0);
        run Source(1);
        run Stage(0, 0);
        run Stage(0, 1);
        run Stage(0, 2);
        run Stage(1, 0);
        run Stage(1, 1);
        run Stage(1, 2)
    }
}
