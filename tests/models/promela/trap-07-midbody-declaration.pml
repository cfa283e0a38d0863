// oracle: trap 7
// what: a declaration in the middle of a body is a step and can be a guard
// verdict: violated
// kinds: deadlock
// states: 4
// matched: 0
// transitions: 4
// atomic: 0
// errors: 1
byte g;
active proctype P()
{
	g = 1;
	byte c = g + 1;
	if
	:: byte z; g == 9 -> g = c
	:: else -> g = 2
	fi
}
