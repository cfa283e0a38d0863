//! The body that is being read: scopes, local variables, labels and jumps.

use std::collections::HashMap;

use everypath_model::Span;

use crate::ast::{LabelDef, LabelId, Owner, ProcId, Target, VarId};

/// A block.
#[derive(Default)]
pub(super) struct Scope<'a> {
    pub parent: Option<usize>,
    pub names: HashMap<&'a str, VarId>,
}

/// Where a label is defined.
pub(super) struct LabelPlace {
    pub id: LabelId,
    pub d_step: usize,
    pub span: Span,
}

/// A `goto`, resolved when the body is complete.
pub(super) struct Jump<'a> {
    pub name: &'a str,
    pub scope: usize,
    pub d_step: usize,
    pub span: Span,
}

/// A proctype, init process, claim or trace assertion while it is read.
pub(super) struct Process<'a> {
    pub owner: Owner,
    /// The proctype; `None` for claims.
    pub id: Option<ProcId>,
    /// A trace or notrace assertion.
    pub is_trace: bool,
    pub params: Vec<VarId>,
    pub locals: Vec<VarId>,
    /// The counter that the loops over channels of a block share.
    pub counters: HashMap<usize, VarId>,
    /// How many locals stood before the first statement; `None` as long as there was none.
    pub startup: Option<usize>,
    pub scopes: Vec<Scope<'a>>,
    pub scope: usize,
    /// The labels of a claim; those of a proctype are in its [`super::names::ProcInfo`].
    pub labels: Vec<LabelDef>,
    /// The label of a name in each block; a second one replaces the first.
    pub label_places: HashMap<(&'a str, usize), LabelPlace>,
    /// The block of the last label of each name.
    pub last_labels: HashMap<&'a str, usize>,
    pub jumps: Vec<Jump<'a>>,
    /// The d_step of each enclosing loop, 0 for none.
    pub loops: Vec<usize>,
    /// The innermost d_step, numbered from 1.
    pub d_step: usize,
    pub d_steps: usize,
    /// What `return` assigns to in the inlines being expanded.
    pub returns: Vec<Option<Target>>,
}

impl<'a> Process<'a> {
    pub fn new(owner: Owner, id: Option<ProcId>) -> Process<'a> {
        Process {
            owner,
            id,
            is_trace: false,
            params: Vec::new(),
            locals: Vec::new(),
            counters: HashMap::new(),
            startup: None,
            scopes: vec![Scope::default()],
            scope: 0,
            labels: Vec::new(),
            label_places: HashMap::new(),
            last_labels: HashMap::new(),
            jumps: Vec::new(),
            loops: Vec::new(),
            d_step: 0,
            d_steps: 0,
            returns: Vec::new(),
        }
    }

    /// Opens a block.
    pub fn enter(&mut self) {
        self.scopes.push(Scope { parent: Some(self.scope), names: HashMap::new() });
        self.scope = self.scopes.len() - 1;
    }

    /// Closes the innermost block.
    pub fn leave(&mut self) {
        self.scope = self.scopes[self.scope].parent.unwrap_or(0);
    }

    /// The variable of a name that is visible in the current block.
    pub fn lookup(&self, name: &str) -> Option<VarId> {
        let mut scope = Some(self.scope);
        while let Some(index) = scope {
            if let Some(&id) = self.scopes[index].names.get(name) {
                return Some(id);
            }
            scope = self.scopes[index].parent;
        }
        None
    }

    /// All names visible in the current block.
    pub fn visible_names(&self) -> impl Iterator<Item = &'a str> {
        let mut found = Vec::new();
        let mut scope = Some(self.scope);
        while let Some(index) = scope {
            found.extend(self.scopes[index].names.keys().copied());
            scope = self.scopes[index].parent;
        }
        found.sort_unstable();
        found.into_iter()
    }

    /// The block, from the current one outwards, that has a label of this name already.
    pub fn labelled_scope(&self, name: &'a str) -> Option<usize> {
        let mut scope = Some(self.scope);
        while let Some(index) = scope {
            if self.label_places.contains_key(&(name, index)) {
                return Some(index);
            }
            scope = self.scopes[index].parent;
        }
        None
    }

    /// The label that a jump means: in its own block, then in the enclosing ones, then anywhere
    /// (the last one).
    pub fn target(&self, jump: &Jump<'a>) -> Option<&LabelPlace> {
        let last = *self.last_labels.get(jump.name)?;
        let mut scope = Some(jump.scope);
        while let Some(index) = scope {
            if let Some(place) = self.label_places.get(&(jump.name, index)) {
                return Some(place);
            }
            scope = self.scopes[index].parent;
        }
        self.label_places.get(&(jump.name, last))
    }
}
