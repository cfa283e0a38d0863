/*
 * A token ring whose stations start and stop at run time.
 *
 * Learn: `run` starts a Station with channels as parameters, so the ring is wired while the
 *     model runs. Only the Station with the token may use the medium. After some laps the
 *     first Station turns the token into Shutdown, and `init` sees them all go (`_nr_pr`).
 * Try: let `init` send a second Token into `ring[1]`; two Stations can then talk at once
 *     (assertion), and the second Token can hold up the shutdown (deadlock).
 */
// expect: holds
// states: 124

#define STATIONS 4
#define LAPS     3

mtype = { Token, Shutdown };

chan ring[STATIONS] = [1] of { mtype, byte };  /* kind, laps done */
byte talking;

proctype Station(byte id; chan from, to)
{
    byte laps;

    do
    :: from?Token(laps) ->
        if
        :: true ->  /* something to say */
            talking++;
            assert(talking == 1);
            talking--
        :: true     /* nothing to say */
        fi;
        if
        :: id == 0 && laps == LAPS -> to!Shutdown(laps); from?Shutdown(laps); break
        :: id == 0 && laps < LAPS -> to!Token(laps + 1)
        :: else -> to!Token(laps)
        fi
    :: from?Shutdown(laps) -> to!Shutdown(laps); break
    od
}

init
{
    byte i;

    for (i : 0 .. STATIONS - 1) {
        run Station(i, ring[i], ring[(i + 1) % STATIONS])
    }
    ring[0]!Token(0);
    (_nr_pr == 1);
    assert(talking == 0)
}
