// oracle: trap 10
// what: a variable declared in an option is visible after the loop
// verdict: holds
// states: 5
// matched: 0
// transitions: 5
// atomic: 0
// errors: 0
init
{
	do
	:: byte y = 1; break
	od;
	y = y + 1;
	assert(y == 2)
}
