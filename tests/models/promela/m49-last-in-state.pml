// oracle: M49
// what: _last is part of the state
// verdict: holds
// states: 20
// matched: 8
// transitions: 28
// atomic: 0
// errors: 0
byte x;  active [2] proctype P() { x = _last; x = 0 }
