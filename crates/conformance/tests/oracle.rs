//! Every annotated model under `tests/models/promela` gets the verdict and the counts in its header.

use std::sync::Arc;

use everypath_conformance::{Config, Disk, Ours, explore, run};
use everypath_engine_explicit::Order;
use everypath_lang_promela::{LowerOptions, Options, lower, parse};
use everypath_machine::Interpreter;
use everypath_model::Sources;
use everypath_testkit::models::{self, TestModel, Verdict};
use everypath_testkit::spin::Kind;

/// What is wrong with our answer to a model.
fn complaints(model: &TestModel, order: Order) -> Vec<String> {
    let expect = &model.header.expect;
    if expect.kinds.contains(&Kind::Trace) {
        // Trace assertions are a search of their own, and change the counts.
        return Vec::new();
    }
    let ours = run(&model.source, &model.path, Config { order, ..Config::default() });
    let mut wrong = Vec::new();
    match ours {
        Ours::Rejected(errors) => {
            if expect.verdict != Verdict::Error {
                wrong.push(format!("refused: {errors:?}"));
            }
        }
        Ours::Unsupported(what) => {
            if expect.verdict != Verdict::Unsupported {
                wrong.push(format!("not supported: {what:?}"));
            }
        }
        Ours::Ran(ran) => {
            wrong.extend(ran.broken_evidence.clone());
            if expect.verdict == Verdict::Error {
                wrong.push("taken, but must be refused".into());
                return wrong;
            }
            let kinds: Vec<String> =
                expect.kinds.iter().map(|kind| kind.word().to_string()).collect();
            let found: Vec<String> = ran.kinds.iter().cloned().collect();
            let mut wanted = kinds.clone();
            wanted.sort();
            if expect.verdict != Verdict::Inconclusive && found != wanted {
                wrong.push(format!("kinds {found:?}, expected {wanted:?}"));
            }
            if expect.verdict == Verdict::Inconclusive && ran.complete && ran.errors == 0 {
                wrong.push("complete, but must be inconclusive".into());
            }
            if expect.partial {
                return wrong;
            }
            if let Some(counts) = expect.counts {
                let got = (ran.states, ran.transitions);
                if got != (counts.stored, counts.transitions) {
                    wrong.push(format!(
                        "states, transitions {got:?}, expected {:?}",
                        (counts.stored, counts.transitions)
                    ));
                }
            }
            if let Some(errors) = expect.errors
                && ran.errors != errors
            {
                wrong.push(format!("errors {}, expected {errors}", ran.errors));
            }
        }
    }
    wrong
}

fn check_all(order: Order) {
    let models = models::promela();
    assert!(models.len() > 100, "the models are there");
    let mut failures = String::new();
    for model in &models {
        for complaint in complaints(model, order) {
            failures.push_str(&format!("{}: {complaint}\n", model.name));
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn oracle_models_breadth_first() {
    check_all(Order::Breadth);
}

#[test]
fn oracle_models_depth_first() {
    check_all(Order::Depth);
}

/// M37 with SPIN's `-m`: 14 states, 15 transitions, no error.
#[test]
fn full_channels_may_lose_messages() {
    let models = models::promela();
    let model = models.iter().find(|m| m.header.oracle == "M37").expect("M37 is there");
    let mut sources = Sources::default();
    let main = sources.add(model.path.clone(), model.source.clone());
    let parsed = parse(&mut sources, main, &Options::default(), &Disk);
    let options = LowerOptions { lossy_channels: true, ..LowerOptions::default() };
    let lowered = lower(&parsed.model.expect("parses"), &options);
    let machine = lowered.machine.expect("is translated");
    let ran = explore(&Interpreter::new(Arc::new(machine)), Config::default());
    assert_eq!((ran.states, ran.transitions, ran.errors), (14, 15, 0));
}
