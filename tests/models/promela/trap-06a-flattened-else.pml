// oracle: trap 6
// what: the else of an inner selection looks at the flattened decision point
// verdict: holds
// states: 5
// matched: 0
// transitions: 5
// atomic: 0
// errors: 0
byte x, y;
active proctype P()
{
	if
	:: x == 1 -> y = 1
	:: if
	   :: x == 2 -> y = 2
	   :: else -> y = 3
	   fi
	fi;
	assert(y == 3)
}
