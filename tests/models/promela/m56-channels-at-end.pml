// oracle: M56
// what: -q: channels must be empty at the end
// verdict: holds
// states: 3
// matched: 0
// transitions: 3
// atomic: 0
// errors: 0
chan q = [1] of { byte };  active proctype A() { q!1 }
