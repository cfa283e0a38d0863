// oracle: trap 18
// what: the id of a dead channel is used again
// verdict: holds
// states: 15
// matched: 2
// transitions: 17
// atomic: 0
// errors: 0
chan g = [2] of { chan };
proctype P() { chan m = [1] of { byte }; g!m }
init
{
	chan a, b;
	run P(); g?a; (_nr_pr == 1);
	run P(); g?b; (_nr_pr == 1);
	assert(a == b)
}
