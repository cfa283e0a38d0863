// oracle: M38
// what: channel passing and local channels
// verdict: holds
// states: 119
// matched: 123
// transitions: 242
// atomic: 0
// errors: 0
chan g = [1] of { chan };  active [2] proctype C() { chan me = [1] of { byte }; byte r; g!me; me?r; assert(r == 7) }
active proctype S() { chan c; byte n; do :: n < 2 -> g?c; c!7; n++ :: else -> break od }
