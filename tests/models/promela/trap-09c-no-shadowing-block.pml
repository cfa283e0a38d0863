// oracle: trap 9
// what: a name of an enclosing block cannot be declared again
// verdict: error
init { byte x; { byte x; skip } }
