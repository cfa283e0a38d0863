/*
 * A sliding window protocol with a window of two (go-back-N).
 *
 * Learn: the Sender may have two unacknowledged messages under way. Sequence numbers are reused,
 *     and a window of W needs at least W + 1 of them. An acknowledgement names the number
 *     the Receiver wants next, so it covers everything before it.
 * Try: set SEQS to 2; an old message then looks like the next new one and the assertion fails.
 */
// expect: holds
// states: 16927

#define WINDOW   2
#define SEQS     3  /* sequence numbers on the wire */
#define MESSAGES 6  /* messages are numbered modulo this; a multiple of SEQS */

chan data_line = [2] of { byte, byte };  /* sequence number, message */
chan ack_line  = [1] of { byte };        /* the sequence number wanted next */

inline transmit(m)
{
    data_line!((m) % SEQS), ((m) % MESSAGES)
}

active proctype Sender()
{
    byte base;       /* oldest message not yet acknowledged */
    byte under_way;  /* how many messages are sent and not yet acknowledged */
    byte wanted, gone;

    do
    :: under_way < WINDOW ->
        transmit(base + under_way);
        under_way++
    :: under_way > 0 -> transmit(base)  /* go back and send again */
    :: under_way > 1 -> transmit(base + 1)
    :: ack_line?wanted ->
        d_step {
            /* How many messages does this acknowledgement cover? */
            gone = (wanted + SEQS - base % SEQS) % SEQS;
            if
            :: gone <= under_way ->
                base = (base + gone) % MESSAGES;
                under_way = under_way - gone
            :: else  /* an old acknowledgement */
            fi;
            wanted = 0;
            gone = 0
        }
    od
}

active proctype Receiver()
{
    byte expected, seq, message;

    do
    :: data_line?seq, message ->
        if
        :: seq == expected % SEQS ->
            assert(message == expected);
            expected = (expected + 1) % MESSAGES
        :: else  /* repeated or too early */
        fi;
        ack_line!(expected % SEQS)
    od
}

active proctype Thief()
{
    do
    :: data_line?_, _
    :: ack_line?_
    od
}
