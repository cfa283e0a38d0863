// oracle: trap 30
// what: timeout waits for silence; a process stopped by provided does not count as able to move
// verdict: holds
// states: 6
// matched: 1
// transitions: 7
// atomic: 0
// errors: 0
byte x;
active proctype A() provided (x == 1) { x = 5 }
active proctype B() { timeout -> x = 1 }
