/* A sender that may send again before the answer comes, and a receiver that counts. */
mtype = { MSG, ACK };

chan data = [2] of { mtype };
chan acks = [2] of { mtype };
byte delivered;

active proctype Sender()
{
    data!MSG;
    if
    :: acks?ACK
    :: data!MSG;
       acks?ACK
    fi
}

active proctype Receiver()
{
end:
    do
    :: data?MSG ->
        delivered++;
        assert(delivered == 1);
        acks!ACK
    od
}
