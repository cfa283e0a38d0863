/*
 * Readers and writers gone wrong: looking first and acting later.
 *
 * Learn: a Writer waits until the room is empty and then says it is writing. Between the look
 *     and the act somebody else may come in. There is no deadlock here, only a broken promise;
 *     follow the counterexample to see who slips into the gap.
 * Try: wrap each wait and the increment after it in `atomic { }` (in both process types); look
 *     and act become one step and the model holds.
 */
// expect: violated assertion
// states: 1024

#define READERS 3
#define WRITERS 2

byte reading;
byte writing;

active [READERS] proctype Reader()
{
    do
    :: writing == 0;
       reading++;
       assert(writing == 0);
       reading--
    od
}

active [WRITERS] proctype Writer()
{
    do
    :: (reading == 0 && writing == 0);
       writing++;
       assert(writing == 1 && reading == 0);
       writing--
    od
}
