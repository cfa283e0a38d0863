// oracle: trap 50
// what: an operator at the beginning of a line breaks the statement
// verdict: error
int x;
init {
	x = 1
	+ 2
}
