//! The BEEM models of the corpus that may stand beside the checkout.

use std::fs;
use std::path::{Path, PathBuf};

/// A model of the corpus.
#[derive(Clone, Debug)]
pub struct CorpusModel {
    /// The file.
    pub path: PathBuf,
    /// File name.
    pub name: String,
    /// The number of states published for the original model.
    pub published: Option<u64>,
    /// Whether the model has channels: then the published number is not that of the translation,
    /// and SPIN is the oracle.
    pub channels: bool,
}

/// The corpus directory, if it is there.
pub fn directory() -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/promela/beem");
    dir.is_dir().then_some(dir)
}

/// All models in order of their names.
pub fn models() -> Vec<CorpusModel> {
    let Some(dir) = directory() else { return Vec::new() };
    let table = fs::read_to_string(dir.join("states.tsv")).unwrap_or_default();
    let mut files: Vec<PathBuf> = fs::read_dir(&dir)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.retain(|path| path.extension().is_some_and(|e| e == "pm"));
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let published = table.lines().find_map(|line| {
                let (model, states) = line.split_once('\t')?;
                (model == name).then(|| states.trim().parse().ok())?
            });
            let text = fs::read_to_string(&path).unwrap_or_default();
            let channels = text.lines().any(|line| line.trim_start().starts_with("chan "));
            CorpusModel { path, name, published, channels }
        })
        .collect()
}
