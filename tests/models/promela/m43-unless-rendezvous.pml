// oracle: M43
// what: unless with a rendezvous escape
// verdict: holds
// states: 13
// matched: 5
// transitions: 18
// atomic: 0
// errors: 0
chan q = [0] of { byte };  byte x;  active proctype A() { { x = 1; x = 2; x = 3 } unless { q?_ -> x = 9 } }  active proctype B() { end: q!1 }
