/* Two lifts in one building serve calls that people make at any time. */
#ifndef FLOORS
#define FLOORS 3
#endif
mtype = { up, down, rest };
bool call[FLOORS];
byte at[2];
bool open[2];
byte target[2];
bool has[2];

active [2] proctype Lift() {
    mtype direction = rest;
    byte f;
    do
    :: !has[_pid] ->
       f = 0;
       do
       :: f < FLOORS && call[f] && !(has[1 - _pid] && target[1 - _pid] == f) ->
          target[_pid] = f;
          has[_pid] = true;
          break
       :: f < FLOORS && !(call[f] && !(has[1 - _pid] && target[1 - _pid] == f)) -> f++
       :: f == FLOORS -> direction = rest; break
       od
    :: has[_pid] && at[_pid] < target[_pid] ->
       direction = up;
       assert(!open[_pid]);
       at[_pid]++
    :: has[_pid] && at[_pid] > target[_pid] ->
       direction = down;
       assert(!open[_pid]);
       at[_pid]--
    :: has[_pid] && at[_pid] == target[_pid] ->
       open[_pid] = true;
       call[at[_pid]] = false;
       assert(at[_pid] < FLOORS);
       open[_pid] = false;
       has[_pid] = false
    od
}

active proctype People() {
    byte f;
    do
    :: f < FLOORS - 1 -> f++
    :: f > 0 -> f--
    :: !call[f] -> call[f] = true
    od
}
