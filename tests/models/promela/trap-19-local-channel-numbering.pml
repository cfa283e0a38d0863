// oracle: trap 19
// what: local channels exist from the creation of the process and are numbered in that order
// verdict: holds
// states: 13
// matched: 4
// transitions: 17
// atomic: 0
// errors: 0
chan a = [1] of { byte };
chan g = [3] of { chan };
proctype P() { chan m = [1] of { byte }; chan n = [0] of { byte }; g!m; g!n }
init
{
	chan l = [1] of { byte };
	chan x, y;
	run P();
	g?x; g?y;
	assert(a == 1 && g == 2 && l == 3 && x == 4 && y == 5)
}
