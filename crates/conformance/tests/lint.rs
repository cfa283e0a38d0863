//! What `lint` claims is never contradicted by an exhaustive search of random models.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use everypath_conformance::Disk;
use everypath_engine_explicit::{AfterViolation, Limits, Options, search};
use everypath_lang_promela::types::TypeOptions;
use everypath_lang_promela::{LowerOptions, ast::Owner, lint, lower, parse};
use everypath_machine::Interpreter;
use everypath_model::{Describe, Sources, Span, Successors, TransitionSystem, Value};
use everypath_testkit::generate;

const MODELS: u64 = 1_500;
const STATES: u64 = 3_000;

/// All values that the global variables ever have, by name.
fn values(system: &Interpreter) -> BTreeMap<String, BTreeSet<String>> {
    let mut worker = system.worker();
    let mut out = Successors::new();
    let mut seen: HashSet<Vec<u32>> = HashSet::new();
    let mut stack: Vec<Vec<u32>> = Vec::new();
    system.initial(&mut worker, &mut out).unwrap();
    stack.extend(out.steps().iter().map(|step| out.target(step).to_vec()));
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    while let Some(state) = stack.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        for (name, value) in system.values(&state) {
            let number = match value {
                Value::Bool(value) => i64::from(value).to_string(),
                value => value.to_string(),
            };
            all.entry(name).or_default().insert(number);
        }
        out.clear();
        system.successors(&mut worker, &state, &mut out).unwrap();
        stack.extend(out.steps().iter().filter(|s| !s.fatal).map(|s| out.target(s).to_vec()));
    }
    all
}

#[test]
fn findings_are_never_contradicted_by_a_search() {
    let mut checked: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..MODELS {
        let text = generate::model(seed).text;
        let mut sources = Sources::default();
        let main = sources.add("random.pml".into(), text.clone());
        let parsed = parse(&mut sources, main, &Default::default(), &Disk);
        let Some(model) = parsed.model else { continue };
        let report = lint::check(&model, TypeOptions::default());
        let Some(machine) = lower(&model, &LowerOptions::default()).machine else { continue };
        let system = Interpreter::new(Arc::new(machine));
        let options = Options {
            limits: Limits { states: Some(STATES), ..Limits::default() },
            check_deadlock: false,
            after_violation: AfterViolation::Continue,
            max_violations: 1,
            ..Options::default()
        };
        let outcome = search(&system, &options, &mut ());
        if !outcome.complete() {
            continue;
        }
        let transitions = &system.machine().transitions;
        let taken: Vec<_> = (0..transitions.len())
            .filter(|&i| outcome.coverage.contains(i as u32))
            .map(|i| &transitions[i])
            .collect();
        let executed = |span: Span| taken.iter().any(|t| t.span == span && !t.synthetic);
        let mut ever = None;
        for finding in &report.findings {
            let span = finding.primary.as_ref().unwrap().span;
            let name = lint::find(finding.code).unwrap().name;
            let variable = || model.vars.iter().find(|var| var.span == span);
            let contradicted = match name {
                "unreachable-code" | "unmatched-receive" | "blocked-selection" => executed(span),
                "never-run" => {
                    let p = model.proctypes.iter().position(|p| p.span == span).unwrap();
                    taken.iter().any(|t| usize::from(t.proctype) == p)
                }
                "unsent-channel" | "unreceived-channel" | "unused-channel" => {
                    // Only if the name tells the variable.
                    let Some(var) = variable() else { continue };
                    if model.vars.iter().filter(|other| other.name == var.name).count() > 1 {
                        continue;
                    }
                    // Other names of the channel are in other texts; its own is enough to refute.
                    let marks: &[&str] = match name {
                        "unsent-channel" => &["?"],
                        "unreceived-channel" => &["?"],
                        _ => &["?", "!"],
                    };
                    taken.iter().any(|t| {
                        let rest = t.text.strip_prefix(var.name.as_str());
                        rest.is_some_and(|rest| {
                            marks.iter().any(|m| rest.starts_with(m)) && !rest.starts_with("?[")
                        })
                    })
                }
                "unwritten-variable" => {
                    let Some(var) = variable().filter(|v| v.owner == Owner::Model) else {
                        continue;
                    };
                    let ever = ever.get_or_insert_with(|| values(&system));
                    let own = ever
                        .iter()
                        .filter(|(n, _)| n.split(['[', '.']).next() == Some(var.name.as_str()));
                    own.flat_map(|(_, values)| values).any(|value| value != "0")
                }
                _ => continue,
            };
            assert!(!contradicted, "seed {seed}: {} {}\n{text}", finding.code, finding.message);
            *checked.entry(name).or_default() += 1;
        }
    }
    println!("{checked:?}");
    assert!(checked.values().sum::<u32>() > 200, "{checked:?}");
    for name in ["unreachable-code", "unwritten-variable", "unmatched-receive"] {
        assert!(checked.get(name).is_some_and(|&n| n >= 5), "too few of {name}: {checked:?}");
    }
}
