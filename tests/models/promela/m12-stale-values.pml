// oracle: M12
// what: stale out-of-scope values stay in the state
// verdict: holds
// states: 8
// matched: 1
// transitions: 9
// atomic: 0
// errors: 0
active proctype P() {  if :: { byte t; t = 1 } :: { byte t; t = 2 } fi; L: skip }
