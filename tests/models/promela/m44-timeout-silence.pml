// oracle: M44
// what: timeout only when nothing else can move
// verdict: holds
// states: 10
// matched: 0
// transitions: 10
// atomic: 0
// errors: 0
byte x;  active proctype A() { do :: x < 2 -> x++ :: timeout -> break od; x = 7 }  active proctype B() { (x == 7) }
