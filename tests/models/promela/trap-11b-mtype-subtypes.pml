// oracle: trap 11
// what: each subtype numbers from 1
// verdict: holds
// states: 4
// matched: 0
// transitions: 4
// atomic: 0
// errors: 0
mtype:fruit = { apple, pear };
mtype:size = { small, large };
mtype = { plain };
mtype:fruit f = pear;
mtype:size s;
init { s = large; assert(f == 1 && apple == 2 && s == 1 && small == 2 && plain == 1) }
