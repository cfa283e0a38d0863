// oracle: trap 28
// what: of nested escapes the outermost goes first
// verdict: holds
// states: 7
// matched: 0
// transitions: 7
// atomic: 0
// errors: 0
byte x, y;
active proctype A()
{
	{ { x = 1; y = 1; x = 2 } unless { y == 1 -> x = 8 } } unless { y == 1 -> x = 9 };
	assert(x == 9)
}
