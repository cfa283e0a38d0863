/*
 * Readers and writers: many may read, one may write.
 *
 * Learn: the first Reader in takes the room for all Readers and the last one out gives it back;
 *     a mutex guards the count. `down` and `up` are inline semaphore operations.
 *     The assertions say that a Writer is always alone.
 * Try: start `room` at 2; it then has place for two holders, a Writer is no longer alone and the
 *     assertions fail.
 */
// expect: holds
// states: 685

#define READERS 3
#define WRITERS 2

byte room = 1;          /* semaphore: held by one Writer or by all the Readers together */
byte count_mutex = 1;   /* semaphore: guards `present` */
byte present;           /* Readers that have come in and not yet left */
byte reading, writing;  /* who is really at it, for the assertions */

inline down(semaphore)
{
    atomic { semaphore > 0 -> semaphore-- }
}

inline up(semaphore)
{
    semaphore++
}

active [READERS] proctype Reader()
{
    do
    :: down(count_mutex);
       present++;
       if
       :: present == 1 -> down(room)
       :: else
       fi;
       up(count_mutex);

       reading++;
       assert(writing == 0);
       reading--;

       down(count_mutex);
       present--;
       if
       :: present == 0 -> up(room)
       :: else
       fi;
       up(count_mutex)
    od
}

active [WRITERS] proctype Writer()
{
    do
    :: down(room);
       writing++;
       assert(writing == 1 && reading == 0);
       writing--;
       up(room)
    od
}
