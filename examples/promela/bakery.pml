/*
 * Lamport's bakery: take a number, wait until it is yours.
 *
 * Learn: a customer takes a ticket larger than all it saw, and the smallest ticket goes first;
 *     ties go to the lower process number. Taking a ticket is many steps, and `choosing` tells
 *     the others to wait until it is over.
 * Try: delete the line `!choosing[other];`; a slow customer can then slip in with an equal
 *     ticket and the assertion fails.
 */
// expect: holds
// states: 26211

#define CUSTOMERS 2
#define VISITS    3

bool choosing[CUSTOMERS];
byte ticket[CUSTOMERS];  /* 0: not in the shop */
byte being_served;

active [CUSTOMERS] proctype Customer()
{
    byte other, highest, visit;

    for (visit : 1 .. VISITS) {
        /* Take a ticket above every ticket in sight. */
        choosing[_pid] = true;
        highest = 0;
        for (other : 0 .. CUSTOMERS - 1) {
            if
            :: ticket[other] > highest -> highest = ticket[other]
            :: else
            fi
        }
        ticket[_pid] = highest + 1;
        choosing[_pid] = false;

        /* Let everybody with a smaller ticket go first. */
        for (other : 0 .. CUSTOMERS - 1) {
            !choosing[other];
            (ticket[other] == 0
                || ticket[other] > ticket[_pid]
                || (ticket[other] == ticket[_pid] && other >= _pid))
        }

        being_served++;
        assert(being_served == 1);
        being_served--;
        ticket[_pid] = 0
    }
}
