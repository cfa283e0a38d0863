//! Random models and the examples through SPIN and through us. Skipped, with a message, where SPIN is
//! not installed.

use std::fs;
use std::path::{Path, PathBuf};

use everypath_conformance::{Comparison, Config, compare, known_defect, run};
use everypath_testkit::generate;
use everypath_testkit::needs;
use everypath_testkit::spin::{self, Spin, parallel};

/// Where the random models of the regular test run start; `cargo xtask differential` takes others.
const SEED: u64 = 20_261_115;

fn installed() -> Option<Spin> {
    needs::spin()
}

fn answer(spin: &Spin, text: &str, path: &Path) -> Comparison {
    let ours = run(text, path, Config { max_states: 1_000_000, ..Config::default() });
    let result = compare(&ours, &spin.run(text, &spin::Config::default()));
    match (result, known_defect(text)) {
        (Comparison::Different(_), Some(why)) => Comparison::Skipped(why.into()),
        (result, _) => result,
    }
}

#[test]
fn random_models_get_spins_answer() {
    let Some(spin) = installed() else { return };
    let count = 500;
    let results = parallel(count, 2, |i| {
        let model = generate::model(SEED + i as u64);
        (model.seed, answer(&spin, &model.text, Path::new("m.pml")))
    });
    let mut different = String::new();
    let mut compared = 0;
    for (seed, result) in results {
        match result {
            Comparison::Same | Comparison::SameVerdict => compared += 1,
            Comparison::BothRefuse | Comparison::Skipped(_) => {}
            Comparison::Different(why) => different.push_str(&format!("seed {seed}: {why}\n")),
        }
    }
    assert!(different.is_empty(), "\n{different}");
    assert!(compared * 10 > count * 8, "only {compared} of {count} could be compared");
}

/// The example models, in order of their names.
fn examples() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let mut files: Vec<PathBuf> = fs::read_dir(dir)
        .expect("the examples are there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "pml"))
        .collect();
    files.sort();
    assert!(files.len() >= 15);
    files
}

#[test]
fn examples_get_spins_answer() {
    let Some(spin) = installed() else { return };
    let files = examples();
    let results = parallel(files.len(), 2, |i| {
        let text = fs::read_to_string(&files[i]).expect("readable");
        answer(&spin, &text, &files[i])
    });
    for (file, result) in files.iter().zip(results) {
        assert!(
            matches!(result, Comparison::Same | Comparison::SameVerdict),
            "{}: {result:?}",
            file.display()
        );
    }
}

#[test]
fn examples_say_what_we_find() {
    for file in examples() {
        let text = fs::read_to_string(&file).expect("readable");
        let key = |key: &str| {
            text.lines()
                .find_map(|line| line.strip_prefix(key))
                .map(|value| value.trim().to_string())
        };
        let expect = key("// expect:").expect("every example says what to expect");
        let states: u64 =
            key("// states:").and_then(|n| n.parse().ok()).expect("and how many states");
        let everypath_conformance::Ours::Ran(ran) = run(&text, &file, Config::default()) else {
            panic!("{}: not run", file.display());
        };
        let found = if ran.kinds.is_empty() {
            "holds".to_string()
        } else {
            let kinds: Vec<&str> = ran.kinds.iter().map(String::as_str).collect();
            format!("violated {}", kinds.join(", "))
        };
        assert!(ran.complete, "{}", file.display());
        assert_eq!((found, ran.states), (expect, states), "{}", file.display());
        assert!(ran.broken_evidence.is_empty(), "{}: {:?}", file.display(), ran.broken_evidence);
    }
}
