/* Clients send requests into one channel; some server takes each and answers it. One server takes
   all requests in their order; of several, one may keep a request for ever unless it is treated fairly. */
#ifndef CLIENTS
#define CLIENTS 3
#endif
#ifndef SERVERS
#define SERVERS 1
#endif
chan requests = [CLIENTS] of { byte };
chan answers[CLIENTS] = [1] of { bool };
bool asked[CLIENTS];

active [CLIENTS] proctype Client() {
    do
    :: atomic { requests!_pid; asked[_pid] = true };
       answers[_pid]?_
    od
}

active [SERVERS] proctype Server() {
    byte who;
    do
    :: requests?who;
       atomic { answers[who]!true; asked[who] = false };
       who = 0
    od
}

ltl answered { [] (asked[0] -> <> !asked[0]) }
