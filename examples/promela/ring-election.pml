/*
 * Leader election on a one-way ring.
 *
 * Learn: every node sends its number to the right; a node passes on larger numbers and drops
 *     smaller ones, so only the largest comes home. `init` tries every way of placing the
 *     numbers on the ring, so one run covers all the placements.
 * Try: in Node, forward smaller numbers too (replace the `else` branch's `skip` by
 *     `right!Candidate(n)`); every number then comes home and the assertion fails.
 */
// expect: holds
// states: 12913

#define N 4

mtype = { Candidate, Elected };

chan link[N] = [N] of { mtype, byte };  /* link[i] leads into node i */
byte number[N];                         /* the numbers 1 .. N, in some order */
byte leaders;

proctype Node(byte mine; chan left, right)
{
    byte n;

    right!Candidate(mine);
    do
    :: left?Candidate(n) ->
        if
        :: n > mine -> right!Candidate(n)
        :: n == mine ->
            leaders++;
            assert(leaders == 1 && mine == N);
            right!Elected(mine)
        :: else -> skip
        fi
    :: left?Elected(n) ->
        assert(n == N);
        if
        :: n != mine -> right!Elected(n)
        :: else
        fi;
        break
    od
}

init
{
    byte i;

    atomic {
        for (i : 1 .. N) {
            if
            :: number[0] == 0 -> number[0] = i
            :: number[1] == 0 -> number[1] = i
            :: number[2] == 0 -> number[2] = i
            :: number[3] == 0 -> number[3] = i
            fi
        }
        for (i : 0 .. N - 1) {
            run Node(number[i], link[i], link[(i + 1) % N])
        }
    }
}
