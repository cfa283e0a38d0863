/*
 * An interrupt that cuts an update in half.
 *
 * Learn: in `{ main } unless { handler }` the handler takes over, for good, as soon as its first
 *     statement can run. Here it cuts in between two writes that belong together: a message is
 *     counted as sent but not yet logged, and the handler sees the torn pair.
 * Try: put the two increments into one `d_step { }`; the handler can then only come before or
 *     after both, and the model holds.
 */
// expect: violated assertion
// states: 1279

#define LIMIT      8  /* the counters wrap around here */
#define INTERRUPTS 2

byte sent, logged;  /* supposed to be equal whenever the handler looks */
bool irq;           /* the interrupt line */
byte handled;

active proctype Driver()
{
again:
    {
        do
        :: sent = (sent + 1) % LIMIT;
           logged = (logged + 1) % LIMIT
        od
    } unless {
        irq ->
            assert(sent == logged);
            handled++;
            irq = false
    };

    if
    :: handled < INTERRUPTS -> goto again
    :: else
    fi
}

active proctype Device()
{
    byte raised;

    for (raised : 1 .. INTERRUPTS) {
        !irq;
        irq = true
    }
}
