// oracle: M17
// what: for over a channel rotates the channel
// verdict: holds
// states: 19
// matched: 0
// transitions: 19
// atomic: 0
// errors: 0
typedef T { byte a };  chan q = [3] of { T };  T t;  byte s;  init { t.a = 1; q!t; t.a = 2; q!t; for (t in q) { s = s + t.a }; assert(s == 3) }
