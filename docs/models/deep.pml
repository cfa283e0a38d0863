/* Eight workers count to fourteen each. The sum becomes too large with the last step of all, step 112;
 * until then there are more states than a breadth-first search comes through. */

#define ROUNDS 14

byte sum;

active [8] proctype Worker() {
    byte round;

    do
    :: round < ROUNDS -> atomic { round++; sum++; assert(sum < 8 * ROUNDS) }
    :: round == ROUNDS -> break
    od
}
