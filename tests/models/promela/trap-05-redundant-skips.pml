// oracle: trap 5
// what: skips after the first vanish inside options but not elsewhere
// verdict: holds
// states: 16
// matched: 0
// transitions: 16
// atomic: 0
// errors: 0
byte x;
active proctype P()
{
	skip; skip; skip;
	if
	:: x = 1; skip; skip; printf("p\n"); skip; x = 2
	:: skip; skip; skip; skip
	fi;
	skip; skip
}
