// oracle: trap 12
// what: elements of a bit array hold bytes, a bit holds one bit
// verdict: holds
// states: 7
// matched: 0
// transitions: 7
// atomic: 0
// errors: 0
bit b;
bool c;
bit a[2];
bool d[2];
init { b = 3; c = 2; a[1] = 3; d[0] = 256 + 7; assert(b == 1 && c == 0 && a[1] == 3 && d[0] == 7) }
