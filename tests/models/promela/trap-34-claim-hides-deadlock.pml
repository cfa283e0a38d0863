// oracle: trap 34
// what: with a claim deadlocks are not reported
// note: claims are ignored for verdict, kinds, states, matched, transitions, atomic and errors
// verdict: violated
// kinds: deadlock
// states: 1
// matched: 0
// transitions: 1
// atomic: 0
// errors: 1
// claim-verdict: holds
// claim-states: 1
// claim-matched: 1
// claim-transitions: 2
// claim-atomic: 0
// claim-errors: 0
init { false }
ltl p { [] true }
