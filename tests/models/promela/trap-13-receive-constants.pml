// oracle: trap 13
// what: constants in a receive pattern are not cut to the field type
// verdict: violated
// kinds: deadlock
// states: 2
// matched: 0
// transitions: 2
// atomic: 0
// errors: 1
chan q = [1] of { byte };
init { q!300; q?300 }
