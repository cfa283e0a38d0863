//! The corpus beside the checkout: everything is read, small models are searched. `cargo xtask
//! corpus` searches the large ones too.

use std::fs;

use everypath_conformance::{Config, Ours, corpus, run};
use everypath_testkit::needs;
use everypath_testkit::spin;

/// Models with fewer published states are searched here.
const SMALL: u64 = 40_000;

#[test]
fn corpus_models_get_their_counts() {
    let models = corpus::models();
    if models.is_empty() {
        eprintln!("skipped: there is no corpus beside the checkout");
        return;
    }
    let spin = needs::spin();
    let mut searched = 0;
    for model in models {
        let text = fs::read_to_string(&model.path).expect("readable");
        let small = model.published.is_some_and(|n| n < SMALL);
        let max_states = if small { 1_000_000 } else { 1_000 };
        let config = Config { max_states, deadlocks: false, replay: false, ..Config::default() };
        let ran = match run(&text, &model.path, config) {
            Ours::Ran(ran) => ran,
            other => panic!("{}: {other:?}", model.name),
        };
        if !small || !ran.complete {
            continue;
        }
        searched += 1;
        let mut wanted = model.published;
        if let (true, Some(spin)) = (Some(ran.states) != wanted || model.channels, &spin) {
            let config = spin::Config { end_states: false, ..spin::Config::default() };
            let theirs = spin.run_file(&model.path, &config);
            wanted = theirs.run().map(|run| run.counts.stored);
        } else if Some(ran.states) != wanted && model.channels {
            continue;
        }
        assert_eq!(Some(ran.states), wanted, "{}", model.name);
    }
    assert!(searched > 20);
}
