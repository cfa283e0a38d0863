/*
 * A prime sieve made of filters that grow their own pipeline.
 *
 * Learn: each Filter keeps the first number it gets, which is a prime, and passes on what it does
 *     not divide. It creates a channel and starts the next Filter at run time, so processes and
 *     channels appear as needed. All interleavings must find the same primes.
 * Try: pass on the multiples as well (drop the test `n % prime != 0`); a Filter then starts
 *     with 4 and the assertion fails.
 */
// expect: holds
// states: 4615

#define LIMIT  12
#define PRIMES 5   /* 2, 3, 5, 7, 11 */
#define STOP   0

byte found;

proctype Filter(chan source)
{
    chan sink = [1] of { byte };
    byte prime, n;

    source?prime;
    if
    :: prime == STOP -> goto finished
    :: else
    fi;

    d_step {
        for (n : 2 .. prime - 1) {
            assert(prime % n != 0)
        }
        n = 0;
        found++
    }

    run Filter(sink);
    do
    :: source?n ->
        if
        :: n == STOP -> sink!STOP; break
        :: n != STOP && n % prime != 0 -> sink!n
        :: else
        fi
    od;
finished:
    skip
}

init
{
    chan numbers = [1] of { byte };
    byte i;

    run Filter(numbers);
    for (i : 2 .. LIMIT) {
        numbers!i
    }
    numbers!STOP;
    (_nr_pr == 1);
    assert(found == PRIMES)
}
