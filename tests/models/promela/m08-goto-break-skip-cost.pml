// oracle: M08
// what: goto/break/skip: which ones cost a step
// verdict: holds
// states: 11
// matched: 4
// transitions: 15
// atomic: 0
// errors: 0
byte x;  active proctype P() {  do :: x = 1; break :: x = 2; goto L :: break :: goto L :: skip; x = 3; break od;  x = 4; goto L; x = 77;
L: x = 5; goto M; M: { x = 6 } }
