// oracle: trap 9
// what: sibling blocks may declare the same name
// verdict: holds
// states: 7
// matched: 0
// transitions: 7
// atomic: 0
// errors: 0
byte r;
init
{
	{ byte v = 1; r = v };
	{ byte v = 2; r = r + v };
	assert(r == 3)
}
