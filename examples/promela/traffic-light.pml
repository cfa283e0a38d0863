/*
 * A crossroads with two roads and a pedestrian button.
 *
 * Learn: one controller serves its requests in a fixed order and turns everything red in between.
 *     `safe` collects the rule that no two may go at once. The formula `crossing` says a
 *     pressed button is followed by a walk signal; the controller never waits, so it holds
 *     even without fairness.
 * Try: delete the line that turns the light Red again in `serve`; the pedestrians then get to
 *     walk in front of moving cars and the assertion fails.
 */
// expect: holds
// states: 432

#define ROADS 2

mtype = { Red, Amber, Green };

mtype light[ROADS] = Red;
bool car[ROADS];  /* a car waits at this road */
bool button, walk;

inline safe()
{
    assert(light[0] == Red || light[1] == Red);
    assert(!walk || (light[0] == Red && light[1] == Red))
}

inline serve(road)
{
    if
    :: car[road] ->
        light[road] = Green;
        safe();
        car[road] = false;
        light[road] = Amber;
        safe();
        light[road] = Red
    :: else
    fi
}

active proctype Controller()
{
    do
    :: serve(0);
       serve(1);
       if
       :: button ->
           walk = true;
           safe();
           button = false;
           walk = false
       :: else
       fi
    od
}

active [ROADS] proctype Road()
{
    do
    :: !car[_pid - 1] -> car[_pid - 1] = true
    od
}

active proctype Pedestrian()
{
    do
    :: !button -> button = true
    od
}

ltl crossing { [] (button -> <> walk) }
