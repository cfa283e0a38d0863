// oracle: trap 50
// what: a newline inside parentheses is no separator
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 0
// errors: 0
int x;
init {
	x = (1
	+ 2)
	assert(x == 3
	&& x > 0)
}
