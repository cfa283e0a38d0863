/* An array that is mixed in two ways, in every order: all of it changes in every step and no part of
   it repeats, so that there is nothing to share between states. */
#ifndef ROUNDS
#define ROUNDS 19
#endif
#define N 16
#define MASK 1048575
int cell[N];
byte round;

inline mix(factor, distance) {
    d_step {
        for (i : 0 .. N - 1) {
            cell[i] = (cell[i] * factor + cell[(i + distance) % N] + round + i + 1) & MASK
        };
        i = 0;
        round++
    }
}

active proctype Mixer() {
    byte i;
    do
    :: round < ROUNDS -> mix(1597, 1)
    :: round < ROUNDS -> mix(1021, 5)
    :: round == ROUNDS -> break
    od;
    assert(cell[0] <= MASK)
}
