// oracle: trap 18
// what: a send to a dead channel is an error
// verdict: violated
// kinds: channel
// partial: yes
// states: 6
// matched: 0
// transitions: 6
// atomic: 0
// errors: 1
chan g = [1] of { chan };
proctype P() { chan m = [1] of { byte }; g!m }
init { chan c; run P(); g?c; (_nr_pr == 1); c!1 }
