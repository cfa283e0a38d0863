/* A token goes round a ring of stations that have work of their own: many small processes. */
#ifndef N
#define N 11
#endif
byte token;
byte sending;
bool wants[N];

active [N] proctype Station() {
    do
    :: !wants[_pid] && token != _pid -> wants[_pid] = true
    :: token == _pid && wants[_pid] ->
       sending++;
       assert(sending == 1);
       sending--;
       wants[_pid] = false;
       token = (_pid + 1) % N
    :: token == _pid && !wants[_pid] -> token = (_pid + 1) % N
    od
}
