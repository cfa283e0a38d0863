// oracle: trap 59
// what: a variable as mtype argument
// spin: rejects
// verdict: holds
mtype = { red, green };
mtype v = green, r;
proctype P(mtype m) { r = m }
init { run P(v); (_nr_pr == 1); assert(r == green) }
