/* A clock that runs for days beside a lamp: no level of the search has more than a few states, and
   the longest way is longer than a million steps. */
#ifndef DAYS
#define DAYS 3
#endif
byte second, minute, hour, day;
bool lit;

active proctype Clock() {
    do
    :: day < DAYS ->
       second++;
       if
       :: second < 60
       :: else ->
          second = 0;
          minute++;
          if
          :: minute < 60
          :: else ->
             minute = 0;
             hour++;
             if
             :: hour < 24
             :: else -> hour = 0; day++
             fi
          fi
       fi;
       assert(second < 60 && minute < 60 && hour < 24)
    :: day == DAYS -> break
    od
}

active proctype Lamp() {
end:
    do
    :: !lit && hour >= 18 -> lit = true
    :: lit && hour < 18 -> lit = false
    od
}
