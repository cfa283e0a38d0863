//! The crates keep to their bands: models know nobody above them, a language knows no engine, an
//! engine no language. `Cargo.toml` is the architecture; this reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Crate directory to the crates of ours in its `[dependencies]`.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut graph = BTreeMap::new();
    for entry in fs::read_dir(crates).expect("readable").flatten() {
        let Ok(manifest) = fs::read_to_string(entry.path().join("Cargo.toml")) else { continue };
        let mut ours = Vec::new();
        let mut inside = false;
        for line in manifest.lines() {
            if line.starts_with('[') {
                inside = line.trim() == "[dependencies]";
            } else if inside && let Some(rest) = line.strip_prefix("everypath") {
                let name = rest.split(['.', ' ', '=']).next().unwrap_or("");
                let name = name.strip_prefix('-').unwrap_or("everypath");
                ours.push(name.to_string());
            }
        }
        graph.insert(entry.file_name().to_string_lossy().into_owned(), ours);
    }
    graph
}

/// The band of a crate, from the bottom up; `None` for a crate that no band has.
fn band(name: &str) -> Option<&'static str> {
    Some(match name {
        "model" | "machine" | "verdict" | "property" | "flow" | "lts" | "relation" => "model",
        "preprocess" => "text",
        _ if name.starts_with("lang-") => "language",
        _ if name.starts_with("layer-") => "layer",
        _ if name.starts_with("engine-") => "engine",
        "render" | "walk" => "showing",
        "everypath" => "product",
        "cli" | "web" | "lsp" => "door",
        "testkit" | "conformance" | "xtask" => "test",
        _ => return None,
    })
}

#[test]
fn crates_keep_to_their_bands() {
    let graph = dependencies();
    assert!(graph.contains_key("model"));
    for (name, uses) in &graph {
        let from = band(name).unwrap_or_else(|| panic!("crates/{name} belongs to no band"));
        for used in uses {
            let to = band(used).unwrap_or_else(|| panic!("{name} uses unknown {used}"));
            let allowed: &[&str] = match from {
                "model" => &["model"],
                "text" => &["model"],
                "language" => &["model", "text"],
                "layer" => &["model"],
                "engine" => &["model", "layer"],
                "showing" => &["model", "showing"],
                "product" => &["model", "text", "language", "layer", "engine", "showing"],
                "door" => &["model", "text", "language", "layer", "engine", "showing", "product"],
                _ => {
                    &["model", "text", "language", "layer", "engine", "showing", "product", "test"]
                }
            };
            assert!(allowed.contains(&to), "crates/{name} must not depend on {used}");
        }
    }
    assert!(graph["model"].is_empty(), "the model crate knows nobody");
    assert_eq!(graph["testkit"], ["model"], "the test kit does not know the checker under test");
}

#[test]
fn architecture_page_names_every_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    for name in dependencies().keys() {
        assert!(page.contains(&format!("`{name}`")), "ARCHITECTURE.md has no `{name}`");
    }
}

/// Cycles among the modules at the top of a crate that are still there: the crate, and how many modules take part. The
/// list only gets shorter.
const CYCLES: &[(&str, &[usize])] = &[
    ("cli", &[12]),
    ("engine-dataflow", &[5]),
    ("engine-explicit", &[6]),
    ("engine-jit", &[9]),
    ("engine-stateless", &[2]),
    ("lang-java", &[13]),
    ("layer-reduce", &[2]),
    ("machine", &[4]),
    ("preprocess", &[4]),
    ("verdict", &[2]),
];

/// The Rust files below a directory.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The files that may have unsafe code.
const UNSAFE: [&str; 7] = [
    "engine-explicit/src/stores/lines.rs",
    "engine-explicit/src/stores/pages.rs",
    "engine-explicit/src/stores/prefetch.rs",
    "engine-jit/src/calls.rs",
    "engine-jit/src/compile.rs",
    "engine-jit/src/runtime.rs",
    "everypath/src/memory/refusal.rs",
];

#[test]
fn unsafe_code_is_where_it_is_known_to_be() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("crates");
    let mut found = Vec::new();
    for name in dependencies().keys() {
        let mut files = Vec::new();
        sources(&crates.join(name).join("src"), &mut files);
        found.extend(files.into_iter().filter(|file| {
            let text = fs::read_to_string(file).expect("readable");
            text.contains("allow(unsafe_code)")
        }));
    }
    let mut found: Vec<String> = found
        .iter()
        .map(|file| file.strip_prefix(&crates).expect("inside").to_string_lossy().into_owned())
        .collect();
    found.sort();
    assert_eq!(found, UNSAFE, "the lint of the workspace denies it elsewhere");
}

/// The modules at the top of a crate, each with those of them that its text outside of tests names.
fn modules(folder: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut files = Vec::new();
    sources(folder, &mut files);
    let top = |file: &Path| {
        let first = file.strip_prefix(folder).ok()?.iter().next()?.to_string_lossy().into_owned();
        let name = first.trim_end_matches(".rs").to_owned();
        (name != "lib" && name != "main").then_some(name)
    };
    let names: BTreeSet<String> = files.iter().filter_map(|file| top(file)).collect();
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in &files {
        let Some(name) = top(file) else { continue };
        let text = fs::read_to_string(file).expect("readable");
        let text = text.split("#[cfg(test)]").next().unwrap_or("");
        let code: String = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or(""))
            .collect::<Vec<_>>()
            .join("\n");
        let used = graph.entry(name.clone()).or_default();
        let is_top = file.parent() == Some(folder);
        for root in ["crate::", "super::"].into_iter().filter(|root| *root == "crate::" || is_top) {
            for (at, _) in code.match_indices(root) {
                let rest = &code[at + root.len()..];
                // A list names several.
                let list = match rest.strip_prefix('{') {
                    Some(inside) => inside.split('}').next().unwrap_or(""),
                    None => {
                        rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")
                    }
                };
                let words = list.split(|c: char| !c.is_alphanumeric() && c != '_');
                used.extend(
                    words.filter(|word| names.contains(*word) && *word != name).map(str::to_owned),
                );
            }
        }
    }
    graph
}

/// How many modules are in each set of those that need each other.
fn cycles(graph: &BTreeMap<String, BTreeSet<String>>) -> Vec<usize> {
    let reach = |from: &String| {
        let (mut known, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(at) = left.pop() {
            for next in graph.get(at).into_iter().flatten() {
                if known.insert(next) {
                    left.push(next);
                }
            }
        }
        known
    };
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|name| (name, reach(name))).collect();
    let mut sets: BTreeSet<Vec<&String>> = BTreeSet::new();
    for (name, all) in reached.iter().filter(|(name, all)| all.contains(**name)) {
        sets.insert(all.iter().copied().filter(|other| reached[*other].contains(*name)).collect());
    }
    sets.iter().map(Vec::len).collect()
}

#[test]
fn modules_have_no_other_cycles_than_those_that_are_known() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let known: BTreeMap<&str, &[usize]> = CYCLES.iter().copied().collect();
    let mut wrong = String::new();
    for name in dependencies().keys() {
        let found = cycles(&modules(&crates.join(name).join("src")));
        let known = known.get(name.as_str()).copied().unwrap_or_default();
        if found != known {
            wrong += &format!(
                "{name}: sets of {found:?} modules need each other, {known:?} are known\n"
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn cycles_are_found() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in edges {
            graph.entry((*from).to_owned()).or_default().insert((*to).to_owned());
            graph.entry((*to).to_owned()).or_default();
        }
        graph
    };
    assert!(cycles(&graph(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    assert_eq!(cycles(&graph(&[("a", "b"), ("b", "a"), ("c", "a")])), [2]);
    assert_eq!(
        cycles(&graph(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"), ("e", "d")])),
        [3, 2]
    );
}
