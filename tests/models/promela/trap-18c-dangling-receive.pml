// oracle: trap 18
// what: a receive from a dead channel blocks
// verdict: violated
// kinds: deadlock
// states: 8
// matched: 1
// transitions: 9
// atomic: 0
// errors: 1
chan g = [1] of { chan };
byte x;
proctype P() { chan m = [1] of { byte }; g!m }
init { chan c; run P(); g?c; (_nr_pr == 1); assert(len(c) == 0); c?x }
