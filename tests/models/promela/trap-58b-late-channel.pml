// oracle: trap 58
// what: a channel declared after a statement exists from the start
// verdict: holds
// states: 5
// matched: 0
// transitions: 5
// atomic: 0
// errors: 0
byte x;
init { x = 1; chan q = [1] of { byte }; q!x; assert(len(q) == 1) }
