//! The crates keep to their bands: models know nobody above them, a language knows no engine, an
//! engine no language. `Cargo.toml` is the architecture; this reads it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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
