//! Local variables that may be read before they get a value.
//!
//! A forward analysis over the control flow: which variables have been assigned on every way to a
//! node. Promela starts every variable at 0, and models rely on it for counters and flags, so only
//! what looks like an oversight is reported: the variable is never compared with 0 or counted up
//! from it, but takes values from elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use everypath_model::Span;

use super::Context;
use super::cfg::{Act, Cfg, Node};
use crate::ast::*;
use crate::codes;
use crate::visit::{self, Access, Visit};

/// Larger problems, in nodes times variables, are left out.
const MAX_WORK: usize = 4_000_000;

pub(super) fn check(cx: &mut Context<'_>) {
    let mut found: BTreeMap<Span, (String, Span)> = BTreeMap::new();
    for (p, cfg) in cx.cfgs.iter().enumerate() {
        let proctype = &cx.model.proctypes[p];
        let candidates = candidates(cx.model, proctype);
        if candidates.is_empty() || candidates.len() * cfg.nodes.len() > MAX_WORK {
            continue;
        }
        for (span, id) in reads_before_writes(cfg, &candidates) {
            let var = &cx.model.vars[id.index()];
            if !cx.mentioned.contains(var.name.as_str()) {
                found.entry(span).or_insert((var.name.clone(), var.span));
            }
        }
    }
    // One finding a variable: the first read.
    let mut told = BTreeSet::new();
    for (span, (name, declared)) in found {
        if told.insert(declared) {
            let message = format!("`{name}` may be read before it gets a value; it is 0 then");
            cx.warn(codes::UNINITIALISED, span, message).also(declared, "declared without a value");
        }
    }
}

/// Scalars without an initial value that only take values from receives and other variables.
fn candidates(model: &Model, proctype: &Proctype) -> BTreeMap<VarId, usize> {
    let mut sources = Sources { model, from_elsewhere: BTreeSet::new(), excluded: BTreeSet::new() };
    visit::walk_proctype(&mut sources, proctype);
    proctype
        .locals
        .iter()
        .filter(|id| {
            let var = &model.vars[id.index()];
            matches!(var.init, Init::None)
                && var.array.is_none()
                && !var.synthetic
                && !matches!(var.ty, Type::Struct(_) | Type::Chan)
                && sources.from_elsewhere.contains(id)
                && !sources.excluded.contains(id)
        })
        .enumerate()
        .map(|(i, &id)| (id, i))
        .collect()
}

/// Where variables get their values from.
struct Sources<'m> {
    model: &'m Model,
    /// Some value comes from a message or another variable.
    from_elsewhere: BTreeSet<VarId>,
    /// The first value 0 is meant: the variable is updated from itself, set to 0 or compared
    /// with 0.
    excluded: BTreeSet<VarId>,
}

/// The variables that an expression reads.
fn mentions(e: &Expr) -> BTreeSet<VarId> {
    struct Reads(BTreeSet<VarId>);
    impl Visit for Reads {
        fn var_ref(&mut self, r: &VarRef, _: Access) {
            self.0.insert(r.var);
            visit::walk_var_ref(self, r);
        }
    }
    let mut reads = Reads(BTreeSet::new());
    reads.expr(e);
    reads.0
}

impl Visit for Sources<'_> {
    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign(Target::Var(r), e) => {
                let mentioned = mentions(e);
                if mentioned.contains(&r.var) || super::fold::constant(e).is_some() {
                    self.excluded.insert(r.var);
                } else if !mentioned.is_empty() {
                    self.from_elsewhere.insert(r.var);
                }
            }
            StmtKind::Receive { args, .. } => {
                for arg in args {
                    if let RecvArg::Var(r) = arg {
                        self.from_elsewhere.insert(r.var);
                    }
                }
            }
            _ => {}
        }
        visit::walk_stmt(self, s);
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Binary(_, a, b) = &e.kind {
            for (x, y) in [(a, b), (b, a)] {
                let zero = super::fold::constant(x) == Some(0);
                if let (true, ExprKind::Var(r)) = (zero, &y.kind) {
                    self.excluded.insert(r.var);
                }
            }
        }
        // A truth value starts false.
        if let ExprKind::Var(r) = &e.kind
            && self.model.vars[r.var.index()].ty == Type::Bool
        {
            self.excluded.insert(r.var);
        }
        visit::walk_expr(self, e);
    }

    fn var_ref(&mut self, r: &VarRef, access: Access) {
        if access == Access::Update {
            self.excluded.insert(r.var);
        }
        visit::walk_var_ref(self, r);
    }
}

/// The reads of candidates that some way comes to without an assignment.
fn reads_before_writes(cfg: &Cfg<'_>, candidates: &BTreeMap<VarId, usize>) -> Vec<(Span, VarId)> {
    let words = candidates.len().div_ceil(64);
    // Assigned on every way to the node; `None` before any way is known.
    let mut assigned: Vec<Option<Vec<u64>>> = vec![None; cfg.nodes.len()];
    assigned[cfg.entry] = Some(vec![0; words]);
    let mut work = vec![cfg.entry];
    let events: Vec<Vec<(VarId, Event, Span)>> =
        cfg.nodes.iter().map(|node| events(node, candidates)).collect();
    while let Some(at) = work.pop() {
        let Some(mut state) = assigned[at].clone() else { continue };
        for (id, event, _) in &events[at] {
            let bit = candidates[id];
            match event {
                Event::Write => state[bit / 64] |= 1 << (bit % 64),
                Event::Reset => state[bit / 64] &= !(1 << (bit % 64)),
                Event::Read => {}
            }
        }
        for &next in &cfg.nodes[at].next {
            let meet = match &assigned[next] {
                None => state.clone(),
                Some(old) => old.iter().zip(&state).map(|(a, b)| a & b).collect(),
            };
            if assigned[next].as_ref() != Some(&meet) {
                assigned[next] = Some(meet);
                work.push(next);
            }
        }
    }
    let mut found = Vec::new();
    for (at, events) in events.iter().enumerate() {
        let Some(mut state) = assigned[at].clone() else { continue };
        for &(id, event, span) in events {
            let bit = candidates[&id];
            match event {
                Event::Write => state[bit / 64] |= 1 << (bit % 64),
                Event::Reset => state[bit / 64] &= !(1 << (bit % 64)),
                Event::Read if state[bit / 64] & (1 << (bit % 64)) == 0 => found.push((span, id)),
                Event::Read => {}
            }
        }
    }
    found
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Read,
    Write,
    /// A declaration is executed: the variable is 0 again.
    Reset,
}

/// What a node does with the candidates, in order.
fn events(node: &Node<'_>, candidates: &BTreeMap<VarId, usize>) -> Vec<(VarId, Event, Span)> {
    struct Order<'c> {
        candidates: &'c BTreeMap<VarId, usize>,
        reads: Vec<(VarId, Event, Span)>,
        writes: Vec<(VarId, Event, Span)>,
    }
    impl Visit for Order<'_> {
        fn var_ref(&mut self, r: &VarRef, access: Access) {
            visit::walk_var_ref(self, r);
            if self.candidates.contains_key(&r.var) {
                match access {
                    Access::Write => self.writes.push((r.var, Event::Write, r.span)),
                    _ => self.reads.push((r.var, Event::Read, r.span)),
                }
            }
        }
    }
    let mut order = Order { candidates, reads: Vec::new(), writes: Vec::new() };
    match node.act {
        Act::Junction | Act::LoopNext => {}
        Act::Statement(s) => match &s.kind {
            StmtKind::Decl(id) if candidates.contains_key(id) => {
                order.writes.push((*id, Event::Reset, s.span));
            }
            // What is printed does not decide anything.
            StmtKind::Printf(..) => {}
            _ => order.stmt(s),
        },
        Act::LoopStart(s) | Act::LoopTest(s) => {
            if let StmtKind::For { var, over, .. } = &s.kind {
                match over {
                    ForRange::Values(from, to) => {
                        order.expr(from);
                        order.expr(to);
                    }
                    ForRange::Channel { channel, .. } => order.var_ref(channel, Access::Receive),
                    ForRange::Array(_) => {}
                }
                order.var_ref(var, Access::Write);
            }
        }
    }
    let Order { mut reads, writes, .. } = order;
    reads.extend(writes);
    reads
}
