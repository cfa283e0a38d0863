/*
 * Two increments, one lost update.
 *
 * Learn: `n = n + 1` done as a read and a later write is not atomic. When both processes read
 *     the same old value, one increment overwrites the other and the counter ends at 1.
 *     Look at where the two reads fall in the counterexample.
 * Try: put `tmp = n; n = tmp + 1` inside `atomic { }`; the assertion then always holds.
 */
// expect: violated assertion
// states: 42

byte n;     /* the shared counter */
byte done;  /* how many processes have finished */

active [2] proctype Inc()
{
    byte tmp;

    tmp = n;
    n = tmp + 1;
    done++
}

active proctype Check()
{
    (done == 2) -> assert(n == 2)
}
