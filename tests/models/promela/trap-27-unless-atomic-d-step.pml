// oracle: trap 27
// what: an escape reaches into atomic, into d_step only at its first statement
// verdict: holds
// states: 8
// matched: 0
// transitions: 8
// atomic: 2
// errors: 0
byte x, y;
active proctype A()
{
	{ atomic { x = 1; y = 1; x = 2 } } unless { y == 1 -> x = 9 };
	assert(x == 9);
	y = 0;
	{ d_step { x = 1; y = 1; x = 2 } } unless { y == 1 -> x = 9 };
	assert(x == 2)
}
