// oracle: trap 4
// what: goto and break cost a step only first in an option, when labelled end/accept/progress, or leaving an atomic
// verdict: holds
// states: 9
// matched: 0
// transitions: 9
// atomic: 1
// errors: 0
byte x;
active proctype P()
{
	goto A;
	x = 9;
A:	x = 1;
	do
	:: x == 1 -> x = 2; break
	:: x == 2 -> break
	od;
endHere:
	goto B;
	x = 8;
B:	x = 3;
	atomic { x = 4; goto C };
	x = 7;
C:	x = 5
}
