// oracle: trap 8
// what: locals that are out of scope keep their values and split states
// verdict: holds
// states: 30
// matched: 3
// transitions: 33
// atomic: 0
// errors: 0
byte x;
active proctype P()
{
	do
	:: x < 2 -> { byte t; t = x + 1 }; x++
	:: x < 2 -> { byte t; t = 7 }; x++
	:: else -> break
	od
}
