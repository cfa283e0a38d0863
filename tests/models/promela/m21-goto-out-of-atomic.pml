// oracle: M21
// what: goto out of / between atomics
// verdict: holds
// states: 6
// matched: 1
// transitions: 7
// atomic: 5
// errors: 0
byte x;  active proctype A() { do :: atomic { x = 1; goto L } :: atomic { x = 2; break } od; x = 3;  atomic { x = 7; L: x = 4; x = 5 }; x = 6 }
