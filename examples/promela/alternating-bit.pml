/*
 * The alternating bit protocol over channels that lose messages.
 *
 * Learn: one bit is enough to tell a new message from a repeated one when only one message is
 *     under way at a time. Losing is a process of its own: Thief takes whatever it likes.
 *     The Receiver checks that nothing is lost, doubled or out of order.
 * Try: let the Receiver accept every message (replace `bit_in == expected_bit` by `true`);
 *     a repeated message is then taken for a new one and the assertion fails.
 */
// expect: holds
// states: 1310

#define VALUES 4  /* messages are numbered modulo this */

chan data_line = [2] of { byte, bit };  /* message, bit */
chan ack_line  = [2] of { bit };

active proctype Sender()
{
    byte message;
    bit my_bit, bit_in;

    do
    :: data_line!message, my_bit  /* send, or send again */
    :: ack_line?bit_in ->
        if
        :: bit_in == my_bit ->
            message = (message + 1) % VALUES;
            my_bit = 1 - my_bit
        :: else  /* an old acknowledgement */
        fi
    od
}

active proctype Receiver()
{
    byte message, expected;
    bit expected_bit, bit_in;

    do
    :: data_line?message, bit_in ->
        if
        :: bit_in == expected_bit ->
            assert(message == expected);
            expected = (expected + 1) % VALUES;
            expected_bit = 1 - expected_bit
        :: else  /* a repeated message: acknowledge it again */
        fi;
        ack_line!bit_in
    od
}

active proctype Thief()
{
    do
    :: data_line?_, _
    :: ack_line?_
    od
}
