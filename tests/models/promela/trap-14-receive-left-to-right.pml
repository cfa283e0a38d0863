// oracle: trap 14
// what: a receive assigns left to right and later indices see earlier fields
// verdict: holds
// states: 5
// matched: 0
// transitions: 5
// atomic: 0
// errors: 0
chan q = [1] of { byte, byte };
byte i, a[3];
init { q!1,7; q?i,a[i]; assert(a[1] == 7 && a[0] == 0) }
