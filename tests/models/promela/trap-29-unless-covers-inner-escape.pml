// oracle: trap 29
// what: an outer unless covers the body of an inner escape
// verdict: holds
// states: 23
// matched: 10
// transitions: 33
// atomic: 0
// errors: 0
byte x, y, z;
active proctype A()
{
	{ { x = 1; (z == 5) } unless { y == 1 -> x = 8; x = 7; z = 1; x = 6 } } unless { z == 1 -> x = 9 };
	assert(x == 9)
}
active proctype B() { y = 1 }
