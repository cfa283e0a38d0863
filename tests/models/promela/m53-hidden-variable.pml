// oracle: M53
// what: hidden variable is not stored
// verdict: holds
// states: 13
// matched: 6
// transitions: 19
// atomic: 0
// errors: 0
hidden byte h;  byte x;  active [2] proctype P() { h = _pid; x = 1 - x }
