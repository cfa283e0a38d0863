//! Trails: ours through SPIN, SPIN's through us.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everypath_conformance::{Disk, known_defect};
use everypath_engine_explicit::{AfterViolation, Kind, Limits, Options, search};
use everypath_lang_promela::trail::Trail;
use everypath_lang_promela::{LowerOptions, lower, parse};
use everypath_machine::Interpreter;
use everypath_model::{Describe, End, Fault, Sources, Successors, TransitionSystem};
use everypath_testkit::generate;
use everypath_testkit::needs;
use everypath_testkit::spin::{Kind as SpinKind, Spin, parallel};

/// The random models of these tests.
const SEED: u64 = 31_000_000;
const RANDOM: u64 = 100;

fn installed() -> Option<Spin> {
    needs::spin()
}

/// The example models and the annotated ones.
fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = ["examples/promela", "tests/models/promela"]
        .iter()
        .flat_map(|dir| fs::read_dir(root.join(dir)).expect("the models are there"))
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "pml"))
        .collect();
    files.sort();
    files
}

fn system(text: &str) -> Option<Interpreter> {
    let mut sources = Sources::default();
    let main = sources.add("m.pml".into(), text.to_string());
    let parsed = parse(&mut sources, main, &Default::default(), &Disk);
    let machine = lower(&parsed.model?, &LowerOptions::default()).machine?;
    Some(Interpreter::new(Arc::new(machine)))
}

/// What a fault is called in SPIN's words.
fn word(system: &Interpreter, fault: Fault) -> SpinKind {
    match system.fault(fault).kind {
        "assertion" => SpinKind::Assertion,
        "index" => SpinKind::Index,
        "d_step" => SpinKind::DStep,
        "d_proctype" => SpinKind::DProctype,
        "channel" | "arity" | "rendezvous" => SpinKind::Channel,
        "enabled" => SpinKind::Enabled,
        "processes" | "channels" => SpinKind::Limit,
        _ => SpinKind::Other,
    }
}

/// The violations of a model with the trails that we write, one for each.
fn our_trails(system: &Interpreter) -> Vec<(Kind, Trail)> {
    let options = Options {
        limits: Limits { states: Some(300_000), ..Limits::default() },
        after_violation: AfterViolation::Continue,
        ..Options::default()
    };
    let outcome = search(system, &options, &mut ());
    let trail = |violation| {
        let path = outcome.path(system, violation).expect("the path to a violation");
        Trail::of(system.machine(), &path.actions)
    };
    outcome.violations.iter().map(|violation| (violation.kind, trail(violation))).collect()
}

/// Whether the last state of a run is a deadlock.
fn stuck(system: &Interpreter, state: &[u32]) -> bool {
    let mut out = Successors::new();
    let mut worker = system.worker();
    system.successors(&mut worker, state, &mut out).expect("evaluated");
    out.is_empty() && system.end(&mut worker, state) == End::Deadlock
}

/// Every trail we write is one that SPIN follows to the same failure.
fn ours_in_spin(spin: &Spin, text: &str) -> (usize, Vec<String>) {
    let Some(system) = system(text) else { return (0, Vec::new()) };
    if system.machine().numbers_differ.is_some() {
        return (0, Vec::new());
    }
    let trails = our_trails(&system);
    if trails.is_empty() {
        return (0, Vec::new());
    }
    let Some(verifier) = spin.verifier(text, &["-o1", "-o2", "-o3"]).expect("spin runs") else {
        return (0, Vec::new());
    };
    let mut wrong = Vec::new();
    let mut count = 0;
    for (kind, trail) in trails {
        let Some((pan, simulator)) = verifier.replay(&trail.render()).expect("spin runs") else {
            wrong.push("SPIN took too long".to_owned());
            continue;
        };
        count += 1;
        let steps = trail.steps.len();
        let ends = format!("spin: trail ends after {steps} steps");
        let errors: Vec<SpinKind> = pan
            .lines()
            .filter_map(|line| line.strip_prefix("pan:1: "))
            .map(SpinKind::of_text)
            .collect();
        let same = match kind {
            // Which of two options of a D_proctype was the second is not in the trail.
            Kind::Fault(fault) if word(&system, fault) == SpinKind::DProctype => {
                pan.contains(&ends)
            }
            Kind::Fault(fault) => errors.contains(&word(&system, fault)),
            // `pan -r` goes no further than an assertion that fails on the way.
            _ if errors.first() == Some(&SpinKind::Assertion) => true,
            _ => pan.contains("(invalid end state)") && pan.contains(&ends),
        };
        // The simulator gives up at an index of a typedef array that is out of range.
        if !same || !(simulator.contains(&ends) || simulator.contains("Error: indexing error")) {
            wrong.push(format!("{kind:?}\n{}\n{pan}\n{simulator}", trail.render()));
        }
    }
    (count, wrong)
}

/// A trail that SPIN's verifier writes is one that we follow to the same failure.
fn spins_in_ours(spin: &Spin, text: &str, options: &[&str]) -> (usize, Vec<String>) {
    let Some(system) = system(text) else { return (0, Vec::new()) };
    if system.machine().numbers_differ.is_some() {
        return (0, Vec::new());
    }
    let Some(verifier) = spin.verifier(text, options).expect("spin runs") else {
        return (0, Vec::new());
    };
    let Some((run, Some(trail))) = verifier.search(&[]).expect("spin runs") else {
        return (0, Vec::new());
    };
    let kind = run.reports[0].kind();
    let wrong = match Trail::parse(&trail).and_then(|trail| trail.follow(&system)) {
        Err(error) => Some(error.to_string()),
        Ok(followed) => {
            let faults: Vec<SpinKind> =
                followed.faults.iter().map(|&fault| word(&system, fault)).collect();
            let same = match kind {
                SpinKind::Deadlock => faults.is_empty() && stuck(&system, &followed.last),
                // Trace assertions are not checked yet: the run is followed to its end.
                SpinKind::Trace => faults.is_empty(),
                kind => faults.contains(&kind),
            };
            (!same).then(|| format!("SPIN reports {kind}, we find {faults:?}"))
        }
    };
    (1, wrong.map(|why| format!("{why}\n{trail}")).into_iter().collect())
}

/// Runs a test on all models, the random ones too; what is wrong, and how many trails were
/// compared.
fn all(test: impl Fn(&str) -> (usize, Vec<String>) + Sync) -> usize {
    let mut texts: Vec<(String, String)> = models()
        .iter()
        .map(|path| (path.display().to_string(), fs::read_to_string(path).expect("readable")))
        .collect();
    let random = (0..RANDOM).map(|i| generate::model(SEED + i));
    texts.extend(random.map(|model| (format!("seed {}", model.seed), model.text)));
    texts.retain(|(_, text)| known_defect(text).is_none());
    let results = parallel(texts.len(), 2, |i| test(&texts[i].1));
    let mut wrong = String::new();
    let mut count = 0;
    for ((name, _), (compared, different)) in texts.iter().zip(results) {
        count += compared;
        for one in different {
            wrong.push_str(&format!("{name}: {one}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    count
}

#[test]
fn spin_follows_our_trails_to_the_same_failure() {
    let Some(spin) = installed() else { return };
    let count = all(|text| ours_in_spin(&spin, text));
    assert!(count >= 60, "only {count} trails were compared");
}

#[test]
fn we_follow_spins_trails_to_the_same_failure() {
    let Some(spin) = installed() else { return };
    let count = all(|text| spins_in_ours(&spin, text, &["-o1", "-o2", "-o3"]));
    assert!(count >= 60, "only {count} trails were compared");
}

#[test]
fn we_follow_spins_trails_with_merged_statements() {
    let Some(spin) = installed() else { return };
    let count = all(|text| spins_in_ours(&spin, text, &[]));
    assert!(count >= 60, "only {count} trails were compared");
}
