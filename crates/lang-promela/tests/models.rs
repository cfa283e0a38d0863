//! Whole models: our annotated ones, and public ones where they are at hand.

mod support;

use std::path::{Path, PathBuf};

fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let mut files: Vec<_> = entries
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == extension))
        .collect();
    files.sort();
    files
}

fn read(path: &Path) -> (String, everypath_lang_promela::Parsed) {
    let text = String::from_utf8_lossy(&std::fs::read(path).expect("a model")).into_owned();
    let (sources, parsed) = support::read_as(&path.to_string_lossy(), &text);
    let lines: Vec<_> = parsed.diagnostics.iter().map(|d| support::show(&sources, d)).collect();
    (format!("{}:\n{}\n", path.display(), lines.join("\n")), parsed)
}

#[test]
fn annotated_models_parse() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut models = files(&root.join("tests/models/promela"), "pml");
    models.extend(files(&root.join("examples/promela"), "pml"));
    assert!(models.len() >= 81, "{} models", models.len());
    let mut wrong = Vec::new();
    for path in models {
        let (shown, parsed) = read(&path);
        let text = std::fs::read_to_string(&path).expect("a model");
        // Two `else` that meet in nested selections are found by the translation.
        let later = path.ends_with("trap-06b-two-elses.pml");
        let refused = text.contains("\n// verdict: error\n") && !later;
        if parsed.model.is_none() != refused {
            wrong.push(shown);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn beem_models_parse_without_a_word() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let models = files(&dir.join("promela/beem"), "pm");
    if models.is_empty() {
        eprintln!("skipped: there is no corpus beside the checkout");
    }
    let mut wrong = Vec::new();
    for path in models {
        let (shown, parsed) = read(&path);
        if parsed.model.is_none() || !parsed.diagnostics.is_empty() {
            wrong.push(shown);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
