//! The kinds of properties, the properties that a model declares itself, and the selection of some
//! of them by name.

use std::collections::BTreeSet;

use everypath_model::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a property is about.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum PropertyKind {
    /// An `assert` statement.
    Assertion,
    /// No process waits for ever outside of a valid end state.
    Deadlock,
    /// A condition on every state.
    Invariant,
    /// A fault that no statement asks for: an index out of range, a division by zero.
    Fault,
    /// An exception that nobody catches.
    Exception,
    /// A temporal formula.
    Ltl,
    /// A never claim.
    Never,
    /// A trace assertion.
    Trace,
    /// An automaton over events.
    Events,
    /// Threads access the same memory and nothing orders them.
    Race,
    /// No run goes round for ever without progress, or through acceptance.
    Cycles,
}

/// A property that stands in the model itself beside its statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// What kind.
    pub kind: PropertyKind,
    /// The name it is selected by.
    pub name: String,
    /// Where it stands; `None` if not in a file.
    pub span: Option<Span>,
    /// Whether it is wanted whatever is selected: it was asked for without a name.
    pub always: bool,
}

impl Declared {
    /// What a document calls it, if no other property has the same name.
    pub fn id(&self) -> String {
        let name = &self.name;
        match self.kind {
            PropertyKind::Ltl => format!("ltl:{name}"),
            PropertyKind::Never if name != NEVER => format!("never:{name}"),
            PropertyKind::Events => format!("events:{name}"),
            _ => name.clone(),
        }
    }

    /// What people call it: `ltl served`, `never claim`.
    pub fn title(&self) -> String {
        let name = &self.name;
        match self.kind {
            PropertyKind::Ltl => format!("ltl {name}"),
            PropertyKind::Never if name == NEVER => "never claim".to_owned(),
            PropertyKind::Never => format!("never claim {name}"),
            PropertyKind::Cycles => format!("cycles: {name}"),
            PropertyKind::Events => format!("events {name}"),
            _ => format!("{name} assertion"),
        }
    }
}

/// The groups that every model has, as they are selected by.
const GROUPS: [(PropertyKind, &str); 3] = [
    (PropertyKind::Assertion, "assertions"),
    (PropertyKind::Deadlock, "deadlock"),
    (PropertyKind::Invariant, "invariant"),
];

/// Those that programs with threads have besides.
const THREADED: [(PropertyKind, &str); 1] = [(PropertyKind::Race, "races")];

/// The name of a never claim without one, which selects those with one as well.
pub const NEVER: &str = "never";

/// Which groups of properties a model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Groups {
    /// Those of every model.
    Common,
    /// Those of programs with threads, too.
    Threaded,
}

/// Which properties are wanted; without names all of them.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    names: &'a [String],
}

impl<'a> Selection<'a> {
    /// The properties of these names.
    pub fn new(names: &'a [String]) -> Selection<'a> {
        Selection { names }
    }

    /// Whether the properties of a kind are wanted that are selected together.
    pub fn has_group(&self, kind: PropertyKind) -> bool {
        GROUPS.iter().chain(&THREADED).any(|&(group, name)| group == kind && self.has_name(name))
    }

    /// Whether a declared property is wanted.
    pub fn has(&self, property: &Declared) -> bool {
        let group = property.kind == PropertyKind::Never && self.has_name(NEVER);
        property.always || group || self.has_name(&property.name)
    }

    fn has_name(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| wanted == name)
    }

    /// The names that select nothing in a model with these declarations.
    pub fn unknown(&self, declared: &[Declared], groups: Groups) -> Vec<&'a str> {
        let known = selectable(declared, groups);
        self.names.iter().map(String::as_str).filter(|name| !known.contains(name)).collect()
    }
}

/// The names that select something in a model with these declarations.
pub fn selectable(declared: &[Declared], groups: Groups) -> Vec<&str> {
    let mut names: Vec<&str> = GROUPS.iter().map(|&(_, name)| name).collect();
    if groups == Groups::Threaded {
        names.extend(THREADED.map(|(_, name)| name));
    }
    let mut seen: BTreeSet<&str> = names.iter().copied().collect();
    names.extend(declared.iter().map(|d| d.name.as_str()).filter(|&name| seen.insert(name)));
    if declared.iter().any(|one| one.kind == PropertyKind::Never) && seen.insert(NEVER) {
        names.push(NEVER);
    }
    names
}

#[cfg(test)]
mod tests {
    use everypath_model::FileId;

    use super::*;

    #[test]
    fn names_select_groups_and_declarations() {
        let served = Declared {
            kind: PropertyKind::Ltl,
            name: "served".into(),
            span: Some(Span::new(FileId(0), 0, 1)),
            always: false,
        };
        let declared = [served.clone(), served.clone()];
        let common = selectable(&declared, Groups::Common);
        assert_eq!(common, ["assertions", "deadlock", "invariant", "served"]);
        assert_eq!(selectable(&[], Groups::Threaded)[3..], ["races"]);

        let all = Selection::new(&[]);
        assert!(all.has(&served) && all.has_group(PropertyKind::Deadlock));
        assert!(
            !all.has_group(PropertyKind::Fault),
            "faults are no group: they are never left out"
        );

        let names = ["served".to_string(), "deadlocks".to_string()];
        let some = Selection::new(&names);
        assert!(some.has(&served) && !some.has_group(PropertyKind::Assertion));
        assert_eq!(some.unknown(&declared, Groups::Common), ["deadlocks"]);
        let asked = Declared { name: "formula".into(), always: true, ..served.clone() };
        assert!(some.has(&asked));
    }

    #[test]
    fn never_claims_are_selected_by_their_names_and_all_together() {
        let claim = |name: &str| Declared {
            kind: PropertyKind::Never,
            name: name.into(),
            span: None,
            always: false,
        };
        let declared = [claim("one"), claim("two")];
        let has = |name: &str| {
            let names = [name.to_owned()];
            declared.each_ref().map(|one| Selection::new(&names).has(one))
        };
        assert_eq!(has("one"), [true, false]);
        assert_eq!(has(NEVER), [true, true]);
        assert_eq!(selectable(&declared, Groups::Common)[3..], ["one", "two", NEVER]);
    }
}
