//! Labels by their names.

use crate::ast::Model;

/// The names of all labels.
pub fn labels(model: &Model) -> Vec<&str> {
    let all = model.proctypes.iter().flat_map(|process| &process.labels);
    all.map(|label| label.name.as_str()).collect()
}
