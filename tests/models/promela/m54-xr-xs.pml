// oracle: M54
// what: xr/xs make channel operations conditionally safe
// verdict: holds
// states: 38
// matched: 32
// transitions: 70
// atomic: 0
// errors: 0
chan q = [2] of { byte };  active proctype P() { xs q; q!1; q!2; q!3 }  active proctype Q() { xr q; byte v; q?v; q?v; q?v }
active proctype R() { byte z; z = 1; z = 2 }
