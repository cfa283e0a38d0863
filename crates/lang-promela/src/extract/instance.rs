//! Processes: which there are, and which of their variables are followed by themselves.

use std::collections::BTreeSet;

use super::cells::Known;
use crate::ast::*;
use crate::visit::{Access, Visit, walk_body, walk_expr, walk_stmt, walk_var_ref};

/// A process, or several that cannot be told apart.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub name: String,
    pub proctype: ProcId,
    /// What is known of the arguments.
    pub arguments: Vec<Option<Known>>,
    pub pid: Option<i32>,
    /// Whether it runs from the beginning.
    pub runs: bool,
    /// Whether there may be several of it.
    pub many: bool,
    /// The proctypes of those who started it.
    pub ancestors: Vec<ProcId>,
    /// The variables that are followed by themselves: nodes are made for each of their values.
    pub followed: BTreeSet<VarId>,
}

impl Instance {
    pub fn is_followed(&self, var: VarId) -> bool {
        self.followed.contains(&var)
    }
}

/// The variables that get a value somewhere else than where they are declared.
pub(super) fn written(model: &Model) -> BTreeSet<VarId> {
    struct Writes(BTreeSet<VarId>);
    impl Visit for Writes {
        fn var_ref(&mut self, r: &VarRef, access: Access) {
            if matches!(access, Access::Write | Access::Update) {
                self.0.insert(r.var);
            }
            walk_var_ref(self, r);
        }
    }
    let mut writes = Writes(BTreeSet::new());
    crate::visit::walk_model(&mut writes, model);
    writes.0
}

/// The variables of a proctype that are worth nodes for each of their values: those that tell which element, channel
/// or argument is meant, those that these get values from, and those that never change.
pub(super) fn followed(
    model: &Model,
    proctype: ProcId,
    written: &BTreeSet<VarId>,
    all: bool,
) -> BTreeSet<VarId> {
    let of = &model.proctypes[proctype.index()];
    let candidates: BTreeSet<VarId> = of
        .params
        .iter()
        .chain(&of.locals)
        .copied()
        .filter(|var| {
            let var = &model.vars[var.index()];
            var.array.is_none() && !matches!(var.ty, Type::Struct(_))
        })
        .collect();
    let mut found: BTreeSet<VarId> = candidates
        .iter()
        .copied()
        .filter(|var| !written.contains(var) || model.vars[var.index()].ty == Type::Chan)
        .collect();
    if !all {
        return found;
    }
    let mut uses =
        Uses { candidates: &candidates, inside: 0, found: BTreeSet::new(), from: Vec::new() };
    walk_body(&mut uses, &of.body);
    let Uses { found: needed, from, .. } = uses;
    found.extend(needed);
    loop {
        let before = found.len();
        for (target, read) in &from {
            if found.contains(target) {
                found.extend(read);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

struct Uses<'a> {
    candidates: &'a BTreeSet<VarId>,
    /// How many indices and arguments are around.
    inside: usize,
    found: BTreeSet<VarId>,
    /// What variables get their values from.
    from: Vec<(VarId, BTreeSet<VarId>)>,
}

impl Uses<'_> {
    fn reads(&self, e: &Expr) -> BTreeSet<VarId> {
        let mut reads = BTreeSet::new();
        super::cells::for_each_read(e, &mut |r| {
            if self.candidates.contains(&r.var) {
                reads.insert(r.var);
            }
        });
        reads
    }
}

impl Visit for Uses<'_> {
    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign(Target::Var(r), e) => self.from.push((r.var, self.reads(e))),
            StmtKind::For { var, over: ForRange::Values(from, to), .. } => {
                let mut reads = self.reads(from);
                reads.extend(self.reads(to));
                self.from.push((var.var, reads));
            }
            _ => {}
        }
        walk_stmt(self, s);
    }

    fn expr(&mut self, e: &Expr) {
        let argument = matches!(e.kind, ExprKind::Run { .. });
        self.inside += usize::from(argument);
        walk_expr(self, e);
        self.inside -= usize::from(argument);
    }

    fn var_ref(&mut self, r: &VarRef, _access: Access) {
        if self.inside > 0 && self.candidates.contains(&r.var) {
            self.found.insert(r.var);
        }
        self.inside += 1;
        walk_var_ref(self, r);
        self.inside -= 1;
    }
}
