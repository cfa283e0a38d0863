//! What is measured: the models beside this crate, and those of the corpus where it is there.

use std::path::{Path, PathBuf};

use everypath_conformance::corpus;

/// A model with what both tools have to be told about it.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name in the tables.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Macros for both tools.
    pub defines: Vec<String>,
    /// A search depth that suffices for SPIN; where it does not, a larger one is tried.
    pub depth: u64,
    /// Whether states without a step are looked for.
    pub deadlocks: bool,
}

/// Names, and depths that SPIN needs.
const OWN: [(&str, u64); 16] = [
    ("bakery", 1_000_000),
    ("commit", 10_000),
    ("deep", 5_000_000),
    ("directory", 100_000),
    ("election", 10_000),
    ("elevator", 1_000_000),
    ("network", 1_000_000),
    ("peterson", 1_000_000),
    ("philosophers", 10_000_000),
    ("pipeline", 10_000),
    ("readers", 5_000_000),
    ("scramble", 10_000),
    ("token", 5_000_000),
    ("wide", 10_000),
    ("window", 10_000),
    ("workers", 10_000),
];

/// Sizes with which a model of the benchmark takes one thread a second or so: what a second thread gains is
/// asked of searches that last.
const LARGER: [(&str, &str); 7] = [
    ("bakery", "LIMIT=30"),
    ("election", "N=10"),
    ("elevator", "FLOORS=4"),
    ("network", "JOBS=53"),
    ("scramble", "ROUNDS=21"),
    ("window", "LAST=200"),
    ("workers", "JOBS=9"),
];

/// Those of a short run: shared variables, channels, few and deep, processes that come and go.
const QUICK: [&str; 4] = ["peterson", "election", "window", "workers"];

/// Numbers of jobs in `network` for about 1, 5, 12, 25 and 50 million states.
const GROWTH: [u32; 5] = [25, 40, 53, 68, 85];

/// Models of the corpus with fewer states say more about starting than about searching, those with
/// more take long.
const CORPUS: std::ops::RangeInclusive<u64> = 100_000..=20_000_000;

/// The file of a model of the benchmark.
pub fn bench(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bench").join(format!("{name}.pml"))
}

fn own(name: &str, depth: u64, defines: Vec<String>) -> Model {
    Model { name: name.to_owned(), file: bench(name), defines, depth, deadlocks: true }
}

/// The models of the benchmark.
pub fn all(quick: bool) -> Vec<Model> {
    OWN.iter()
        .filter(|(name, _)| !quick || QUICK.contains(name))
        .map(|(name, depth)| own(name, *depth, Vec::new()))
        .collect()
}

/// The same, none of them over in a moment.
pub fn lasting(quick: bool) -> Vec<Model> {
    let mut models = all(quick);
    for model in &mut models {
        let size = LARGER.iter().find(|(name, _)| *name == model.name);
        model.defines.extend(size.map(|(_, size)| (*size).to_owned()));
    }
    models
}

/// One model in several sizes.
pub fn growing(quick: bool) -> Vec<Model> {
    let sizes = if quick { &GROWTH[..2] } else { &GROWTH[..] };
    sizes
        .iter()
        .map(|jobs| {
            let mut model = own("network", 50_000_000, vec![format!("JOBS={jobs}")]);
            model.name = format!("network {jobs}");
            model
        })
        .collect()
}

/// The models of the corpus whose published number of states is in range.
pub fn corpus(quick: bool) -> Vec<Model> {
    let most = if quick { 1_000_000 } else { *CORPUS.end() };
    corpus::models()
        .into_iter()
        .filter(|model| model.published.is_some_and(|n| CORPUS.contains(&n) && n <= most))
        .map(|model| Model {
            name: model.name.trim_end_matches(".pm").to_owned(),
            file: model.path,
            defines: Vec::new(),
            depth: 1_000_000,
            deadlocks: false,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_listed_and_every_listed_model_is_there() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench");
        let mut files: Vec<String> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file())
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        files.sort();
        let names: Vec<&str> = OWN.iter().map(|(name, _)| *name).collect();
        assert_eq!(files, names);
        assert!(QUICK.iter().all(|name| names.contains(name)));
        let sized = lasting(false).iter().filter(|model| !model.defines.is_empty()).count();
        assert_eq!(sized, LARGER.len());
    }
}
