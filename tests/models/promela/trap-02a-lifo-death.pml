// oracle: trap 2
// what: an older process stays as a zombie until the younger ones are gone
// verdict: holds
// states: 11
// matched: 4
// transitions: 15
// atomic: 0
// errors: 0
byte x;
active proctype Old() { skip }
active proctype Young() { x = 1; x = 2; x = 3 }
