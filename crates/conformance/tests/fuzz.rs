//! Mutated models: no panic, no hang, no error without a place, no evidence that fails.

use std::time::Duration;

use everypath_conformance::fuzz::{self, Plan};

/// `EVERYPATH_FUZZ_SECONDS` says for how long; else half a minute, five with `EVERYPATH_ALL`.
fn seconds() -> u64 {
    let given = std::env::var("EVERYPATH_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let all = std::env::var_os("EVERYPATH_ALL").is_some();
    given.unwrap_or(if all { 300 } else { 30 })
}

#[test]
fn mutated_models_do_no_harm() {
    let plan = Plan { first: 20_261_115, time: Duration::from_secs(seconds()), threads: 2 };
    let report = fuzz::fuzz(plan);
    println!("{report}");
    assert!(
        report.findings.is_empty(),
        "the texts are in {}\n{report}",
        fuzz::failures().display()
    );
    assert!(report.searched > 0, "nothing was searched: {report}");
}

/// Cases that were found by longer runs.
#[test]
fn texts_that_did_harm_once() {
    let texts = [
        "mtype:a = { x1, x2 }; mtype:a v = x1;
         init { printf(\"%e %d\\n\", 2147483648, v); assert(v == x1) }",
        "mtype = { a, b }; chan q = [2] of { mtype };
         active proctype P() { q!a }
         active proctype B() { if :: q??[2,9] -> skip :: q?[1,2] -> skip :: (1) -> skip fi }",
    ];
    for text in texts {
        let end = fuzz::attempt(text);
        assert!(matches!(end, Ok(fuzz::Stage::Searched)), "{end:?}\n{text}");
    }
}
