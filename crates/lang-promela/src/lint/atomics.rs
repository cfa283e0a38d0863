//! Sequences that are less indivisible than they look.

use std::collections::{BTreeMap, BTreeSet};

use everypath_model::Span;

use super::Context;
use super::cfg::{Act, Cfg};
use super::fold::constant;
use crate::ast::*;
use crate::codes;
use crate::flow::Slot;
use crate::visit::{self, Access, Visit};

pub(super) fn check(cx: &mut Context<'_>) {
    let mut found: BTreeSet<(Span, &'static str)> = BTreeSet::new();
    let mut jumps: BTreeMap<Span, String> = BTreeMap::new();
    for (p, cfg) in cx.cfgs.iter().enumerate() {
        blocking(cfg, &mut found);
        jumps_inside(cfg, &cx.model.proctypes[p], &mut jumps);
    }
    for (span, code) in found {
        let (message, help) = match code {
            codes::BLOCKING_D_STEP => (
                "this statement may block inside a d_step, which is an error in a run",
                "only the first statement of a d_step may wait; use `atomic`, or give a choice \
                 with `else`",
            ),
            _ => (
                "this statement may wait inside an atomic sequence, which others interrupt then",
                "put what it waits for before the sequence, or at its start",
            ),
        };
        cx.warn(code, span, message.to_owned()).help(help);
    }
    for (span, label) in jumps {
        let message = format!("the jump to `{label}` enters an atomic sequence in its middle");
        cx.warn(codes::JUMP_INTO_ATOMIC, span, message);
    }
    lost_updates(cx);
}

/// Conditions and receives behind the start of a sequence, where no `else` helps.
fn blocking(cfg: &Cfg<'_>, found: &mut BTreeSet<(Span, &'static str)>) {
    let mut first = BTreeSet::new();
    for &(region, entry) in &cfg.starts {
        first.extend(cfg.first_statements(entry).into_iter().map(|at| (region, at)));
    }
    let mut guards: BTreeSet<usize> = BTreeSet::new();
    for node in &cfg.nodes {
        if matches!(node.act, Act::Junction) {
            guards.extend(&node.next);
        }
    }
    for (at, node) in cfg.nodes.iter().enumerate() {
        let (Some(region), Some(s)) = (node.region, node.stmt()) else { continue };
        let waits = match &s.kind {
            StmtKind::Expr(e) => {
                // A choice may have another way; what makes a process does not wait.
                constant(e).is_none() && !matches!(e.kind, ExprKind::Run { .. })
            }
            StmtKind::Receive { .. } => true,
            _ => false,
        };
        if waits && !guards.contains(&at) && !first.contains(&(region.id, at)) {
            let code = if region.d_step { codes::BLOCKING_D_STEP } else { codes::BLOCKING_ATOMIC };
            found.insert((s.span, code));
        }
    }
}

/// Jumps from outside to a label that is not at the start of its sequence.
fn jumps_inside(cfg: &Cfg<'_>, proctype: &Proctype, jumps: &mut BTreeMap<Span, String>) {
    let starts: BTreeMap<usize, usize> = cfg.starts.iter().copied().collect();
    for node in &cfg.nodes {
        let Some(Stmt { kind: StmtKind::Goto(label), span, .. }) = node.stmt() else { continue };
        let Some(&target) = cfg.labels.get(label.index()) else { continue };
        let Some(region) = cfg.nodes[target].region else { continue };
        let start = starts.get(&region.id);
        let at_start = start.is_some_and(|entry| cfg.nodes[target].next.contains(entry));
        if node.region.map(|r| r.id) != Some(region.id) && !at_start {
            jumps.insert(*span, proctype.labels[label.index()].name.clone());
        }
    }
}

/// What a process does with the global variables, statement by statement.
struct Touched {
    reads: BTreeSet<Slot>,
    writes: BTreeSet<Slot>,
}

fn accesses(model: &Model, s: &Stmt) -> Touched {
    struct Collector<'m> {
        model: &'m Model,
        out: Touched,
    }
    impl Visit for Collector<'_> {
        fn var_ref(&mut self, r: &VarRef, access: Access) {
            let (slot, _) = Slot::of(self.model, r);
            match access {
                Access::Write => _ = self.out.writes.insert(slot),
                Access::Update => {
                    self.out.writes.insert(slot.clone());
                    self.out.reads.insert(slot);
                }
                _ => _ = self.out.reads.insert(slot),
            }
            visit::walk_var_ref(self, r);
        }
    }
    let out = Touched { reads: BTreeSet::new(), writes: BTreeSet::new() };
    let mut collector = Collector { model, out };
    collector.stmt(s);
    collector.out
}

/// `t = g; ...; g = f(t)` with nothing that keeps other writers of `g` out.
fn lost_updates(cx: &mut Context<'_>) {
    // Who writes which global scalar: a proctype with several processes counts twice.
    let model = cx.model;
    let mut writers: BTreeMap<Slot, usize> = BTreeMap::new();
    for (p, cfg) in cx.cfgs.iter().enumerate() {
        let many =
            if model.proctypes[p].active > 1 || model.proctypes[p].active == 0 { 2 } else { 1 };
        let mut written = BTreeSet::new();
        for node in cfg.nodes.iter().filter_map(|node| node.stmt()) {
            written.extend(accesses(model, node).writes);
        }
        for slot in written {
            *writers.entry(slot).or_default() += if cx.started[p] { many } else { 0 };
        }
    }
    let mut found = BTreeMap::new();
    for cfg in &cx.cfgs {
        let unguarded = without_waiting(cfg);
        for (at, node) in cfg.nodes.iter().enumerate().filter(|&(at, _)| unguarded[at]) {
            let Some(first) = node.stmt() else { continue };
            let StmtKind::Assign(Target::Var(local), _) = &first.kind else { continue };
            let (local_slot, _) = Slot::of(model, local);
            if model.vars[local.var.index()].owner == Owner::Model || local.index.is_some() {
                continue;
            }
            for global in accesses(model, first).reads {
                let var = &model.vars[global.var.index()];
                if var.owner != Owner::Model
                    || var.array.is_some()
                    || writers.get(&global).copied().unwrap_or(0) < 2
                {
                    continue;
                }
                if let Some(second) = write_back(model, cfg, at, &local_slot, &global) {
                    found.insert(second.span, (first.span, global.name(model)));
                }
            }
        }
    }
    for (span, (read, name)) in found {
        let message = format!(
            "`{name}` is written from a value read earlier; another process may have \
                     written it in between"
        );
        cx.warn(codes::LOST_UPDATE, span, message)
            .also(read, "read here")
            .help("make both statements atomic, unless something else keeps the others out");
    }
}

/// The nodes that a process can come to without ever waiting, so without having a lock.
fn without_waiting(cfg: &Cfg<'_>) -> Vec<bool> {
    let mut seen = vec![false; cfg.nodes.len()];
    let mut stack = vec![cfg.entry];
    while let Some(at) = stack.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            let waits = match cfg.nodes[at].stmt().map(|s| &s.kind) {
                Some(StmtKind::Expr(e)) => constant(e).is_none(),
                Some(StmtKind::Receive { .. } | StmtKind::Send { .. }) => true,
                _ => false,
            };
            if !waits {
                stack.extend(&cfg.nodes[at].next);
            }
        }
    }
    seen
}

/// The next statement in a straight line that writes the global variable from the local one.
fn write_back<'m>(
    model: &Model,
    cfg: &Cfg<'m>,
    from: usize,
    local: &Slot,
    global: &Slot,
) -> Option<&'m Stmt> {
    let mut at = from;
    let mut region = cfg.nodes[from].region;
    for _ in 0..16 {
        let [next] = cfg.nodes[at].next[..] else { return None };
        at = next;
        if region.is_some() && cfg.nodes[at].region != region {
            region = None;
        }
        let Some(s) = cfg.nodes[at].stmt() else { continue };
        // What waits may be a lock.
        if !matches!(s.kind, StmtKind::Assign(..) | StmtKind::Printf(..) | StmtKind::Assert(_)) {
            return None;
        }
        let access = accesses(model, s);
        if access.writes.contains(global) {
            let again = access.reads.contains(global);
            return (access.reads.contains(local) && !again && region.is_none()).then_some(s);
        }
        if access.writes.contains(local) {
            return None;
        }
    }
    None
}
