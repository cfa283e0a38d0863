// oracle: trap 46
// what: a byte loop to 255 never ends
// verdict: holds
// states: 769
// matched: 1
// transitions: 770
// atomic: 0
// errors: 0
byte i;
init { for (i : 254 .. 255) { skip }; assert(false) }
