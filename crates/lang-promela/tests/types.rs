//! Types: the oracles T0 to T8, and no false error on real models.

mod support;

use std::path::{Path, PathBuf};

use everypath_lang_promela::types::{TypeOptions, infer};
use support::{read_as, show};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn dump() {
    let mut files = Vec::new();
    let mut folders =
        vec![root().join("examples"), root().join("tests/models"), root().join("../shared/corpus")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for e in entries {
            let p = e.unwrap().path();
            if p.is_dir() {
                folders.push(p)
            } else if p.extension().is_some_and(|e| e == "pml" || e == "pm") {
                files.push(p)
            }
        }
    }
    files.sort();
    for f in files {
        let text = String::from_utf8_lossy(&std::fs::read(&f).unwrap()).into_owned();
        let (sources, parsed) = read_as(&f.to_string_lossy(), &text);
        let Some(model) = parsed.model else { continue };
        for d in &everypath_lang_promela::lint::check(&model, TypeOptions::default()).findings {
            println!("LINT {}: {}", f.file_name().unwrap().to_string_lossy(), show(&sources, d));
        }
        let types = infer(
            &model,
            TypeOptions { strict: std::env::var("STRICT").is_ok(), strict_pid: false },
        );
        for d in &types.diagnostics {
            println!("{}: {}", f.file_name().unwrap().to_string_lossy(), show(&sources, d));
        }
    }
}
