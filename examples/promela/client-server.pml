/*
 * Clients that send their reply channel along with the request.
 *
 * Learn: a channel can be a message field. Each Client owns a private channel and sends it to
 *     the Server, which starts a Worker for each request; the Worker answers there. No answer
 *     can reach the wrong Client, though all share one public channel.
 * Try: declare a global `chan shared = [0] of { byte }` and write `chan reply = shared` in Client;
 *     a Client can then get an answer meant for the other one (assertion).
 */
// expect: holds
// states: 4936

#define CLIENTS  2
#define REQUESTS 2

mtype = { Ask, Bye };

chan desk = [1] of { mtype, chan, byte };  /* kind, where to answer, number to square */

active [CLIENTS] proctype Client()
{
    chan reply = [0] of { byte };
    byte round, answer;

    for (round : 1 .. REQUESTS) {
        desk!Ask(reply, _pid + round);
        reply?answer;
        assert(answer == (_pid + round) * (_pid + round))
    }
    desk!Bye(reply, 0)
}

proctype Worker(chan reply; byte number)
{
    reply!number * number
}

active proctype Server()
{
    chan reply;
    byte number, gone;

    do
    :: gone == CLIENTS -> break
    :: desk?Ask(reply, number) -> run Worker(reply, number)
    :: desk?Bye(reply, number) -> gone++
    od
}
