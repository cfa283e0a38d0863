/*
 * Producers and consumers around a bounded buffer.
 *
 * Learn: a channel filled with tokens is a counting semaphore: receiving takes a token, sending
 *     gives one back. `vacant` counts the empty slots, `stored` the full ones, and `mutex`
 *     guards the two positions. The assertions say no slot is overwritten or read empty.
 * Try: set the tokens put into `vacant` to SLOTS + 1 (and its capacity too); a Producer then
 *     overwrites an unread item and the assertion fails.
 */
// expect: holds
// states: 24319

#define SLOTS     2
#define PRODUCERS 2
#define CONSUMERS 2
#define ITEMS     2  /* made by each Producer */

chan vacant = [SLOTS] of { bit };
chan stored = [SLOTS] of { bit };
chan mutex  = [1] of { bit };

byte slot[SLOTS];  /* 0: empty */
byte put_at, get_at;
byte consumed;

proctype Producer(byte item)
{
    byte made;

    for (made : 1 .. ITEMS) {
        vacant?_;
        mutex?_;
        assert(slot[put_at] == 0);
        slot[put_at] = item;
        put_at = (put_at + 1) % SLOTS;
        mutex!1;
        stored!1
    }
}

proctype Consumer()
{
    byte item;

end:
    do
    :: stored?_;
       mutex?_;
       item = slot[get_at];
       assert(item != 0);
       slot[get_at] = 0;
       get_at = (get_at + 1) % SLOTS;
       consumed++;
       assert(consumed <= PRODUCERS * ITEMS);
       mutex!1;
       vacant!1
    od
}

init
{
    byte i;

    atomic {
        for (i : 1 .. SLOTS) {
            vacant!1
        }
        mutex!1;
        for (i : 1 .. PRODUCERS) {
            run Producer(i)
        }
        for (i : 1 .. CONSUMERS) {
            run Consumer()
        }
    }
}
