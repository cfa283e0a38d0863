// oracle: M11
// what: declaration after a statement is an assignment step
// verdict: violated
// kinds: deadlock
// states: 7
// matched: 0
// transitions: 7
// atomic: 0
// errors: 1
byte g;  active proctype P() { byte a; byte b = 2; g = 1; byte c; byte d = g + 1;  { byte e; g = e + c }
if :: byte z; g == 9 -> skip :: else -> g = a + b + d fi }
