// oracle: trap 50
// what: a newline separates statements
// verdict: holds
// states: 7
// matched: 0
// transitions: 7
// atomic: 0
// errors: 0
byte x;
init {
	x = 1
	x++
	if
	:: x == 2
	   x = 3
	:: else
	fi
	assert(x == 3)
}
