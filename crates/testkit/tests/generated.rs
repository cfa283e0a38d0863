//! Random models under SPIN.

use std::time::Duration;

use everypath_testkit::generate;
use everypath_testkit::needs;
use everypath_testkit::spin::{self, Compiler, Config, SpinResult};

/// How many models each test looks at. The survey among the examples takes any number.
const MODELS: u64 = 40;

#[test]
fn spin_accepts_random_models() {
    let Some(spin) = needs::spin() else { return };
    let texts: Vec<String> = (0..MODELS).map(|seed| generate::model(seed).text).collect();
    let config = Config { time: Duration::from_secs(5), ..Config::default() };
    let results = spin.run_all(&texts, &config, 2);
    let refused = results.iter().filter(|r| matches!(r, SpinResult::Rejected { .. })).count();
    assert!(refused as u64 <= MODELS / 20, "{refused} of {MODELS} refused");
}

#[test]
fn compilers_agree() {
    let Some(spin) = needs::spin() else { return };
    if !needs::program("tcc") {
        return;
    }
    let count = std::env::var("EVERYPATH_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let differ: Vec<u64> = spin::parallel(count as usize, 2, |seed| {
        let text = generate::model(seed as u64).text;
        let fast = Config { time: Duration::from_secs(5), ..Config::default() };
        let reference = Config { compiler: Compiler::Reference, ..fast.clone() };
        let first = spin.run(&text, &fast);
        let (Some(a), Some(b)) = (first.run(), spin.run(&text, &reference).run().cloned()) else {
            return None;
        };
        // After a wrong index the memory layout matters.
        let wild = a.kinds().contains(&spin::Kind::Index);
        let same = a.counts == b.counts && a.errors == b.errors && a.kinds() == b.kinds();
        (!same && !wild).then_some(seed as u64)
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(differ.is_empty(), "tcc and gcc differ on the seeds {differ:?}");
}
