//! What nothing in the model leads to or uses: statements, proctypes, labels, inlines, names.

use std::collections::{BTreeMap, BTreeSet};

use everypath_model::Span;

use super::Context;

use super::fold::constant;
use crate::ast::*;
use crate::codes;
use crate::visit::{self, Visit};

/// Statements that the control flow never comes to.
pub(super) fn unreachable(cx: &mut Context<'_>) {
    // A statement of an inline stands in many places; it is reached if one of them is.
    let mut reached: BTreeSet<Span> = BTreeSet::new();
    let mut unreached: Vec<(usize, usize, Span)> = Vec::new();
    for (p, cfg) in cx.cfgs.iter().enumerate() {
        if !cx.started[p] {
            continue;
        }
        for (at, (node, seen)) in cfg.nodes.iter().zip(cfg.reached()).enumerate() {
            let Some(s) = node.stmt() else { continue };
            if seen {
                reached.insert(s.span);
            } else {
                unreached.push((p, at, s.span));
            }
        }
    }
    unreached.retain(|(_, _, span)| !reached.contains(span));
    unreached.sort_by_key(|&(p, at, span)| (span, p, at));
    let mut covered: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut told: BTreeSet<Span> = BTreeSet::new();
    for (p, at, span) in unreached {
        let cfg = &cx.cfgs[p];
        let idle = match &cfg.nodes[at].stmt().map(|s| &s.kind) {
            Some(StmtKind::Goto(_) | StmtKind::Break | StmtKind::Decl(_)) => true,
            Some(StmtKind::Expr(e)) => constant(e).is_some(),
            _ => false,
        };
        if idle || covered.contains(&(p, at)) || !told.insert(span) {
            continue;
        }
        let mut stack = vec![at];
        while let Some(at) = stack.pop() {
            if covered.insert((p, at)) {
                stack.extend(&cfg.nodes[at].next);
            }
        }
        let message = "nothing leads to this statement".to_owned();
        cx.warn(codes::UNREACHABLE, span, message);
    }
}

/// Which proctypes can ever have a process: active ones, and those that these start.
pub(super) fn started(model: &Model) -> Vec<bool> {
    struct Runs(Vec<usize>);
    impl Visit for Runs {
        fn expr(&mut self, e: &Expr) {
            if let ExprKind::Run { proctype, .. } = &e.kind {
                self.0.push(proctype.index());
            }
            visit::walk_expr(self, e);
        }
    }
    let mut started = vec![false; model.proctypes.len()];
    let mut work: Vec<usize> =
        (0..model.proctypes.len()).filter(|&p| model.proctypes[p].active > 0).collect();
    let mut anywhere = Runs(Vec::new());
    for var in &model.vars {
        if let Init::Expr(e) = &var.init {
            anywhere.expr(e);
        }
    }
    work.extend(anywhere.0);
    while let Some(p) = work.pop() {
        if !std::mem::replace(&mut started[p], true) {
            let mut runs = Runs(Vec::new());
            visit::walk_proctype(&mut runs, &model.proctypes[p]);
            work.extend(runs.0);
        }
    }
    started
}

/// Proctypes without processes.
pub(super) fn never_run(cx: &mut Context<'_>) {
    for (p, proctype) in cx.model.proctypes.iter().enumerate() {
        if !cx.started[p] && !cx.mentioned.contains(proctype.name.as_str()) {
            let message = format!("proctype `{}` is never run", proctype.name);
            cx.warn(codes::NEVER_RUN, proctype.span, message)
                .help("start it with `run`, or declare it `active`");
        }
    }
}

/// Everything that is mentioned by name.
#[derive(Default)]
struct Uses<'m> {
    labels: BTreeSet<(usize, &'m str)>,
    names: BTreeSet<(MtypeId, i32)>,
}

struct Collector<'u, 'm> {
    model: &'m Model,
    proctype: usize,
    uses: &'u mut Uses<'m>,
}

impl Visit for Collector<'_, '_> {
    fn stmt(&mut self, s: &Stmt) {
        if let StmtKind::Goto(label) = s.kind
            && let Some(def) =
                self.model.proctypes.get(self.proctype).and_then(|p| p.labels.get(label.index()))
        {
            self.uses.labels.insert((self.proctype, &def.name));
        }
        visit::walk_stmt(self, s);
    }
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::RemoteLabel { proctype, label, .. } => {
                let def = &self.model.proctypes[proctype.index()].labels[label.index()];
                self.uses.labels.insert((proctype.index(), &def.name));
            }
            ExprKind::Mtype(set, value) => {
                self.uses.names.insert((*set, *value));
            }
            _ => {}
        }
        visit::walk_expr(self, e);
    }
}

/// Labels, inlines and symbolic names that nothing uses.
pub(super) fn unused_names(cx: &mut Context<'_>) {
    let model = cx.model;
    let mut uses = Uses::default();
    for (p, proctype) in model.proctypes.iter().enumerate() {
        visit::walk_proctype(&mut Collector { model, proctype: p, uses: &mut uses }, proctype);
    }
    let mut rest = Collector { model, proctype: usize::MAX, uses: &mut uses };
    for var in &model.vars {
        if let Init::Expr(e) = &var.init {
            rest.expr(e);
        }
    }
    let traces = model.traces.iter().map(|trace| &trace.body);
    for p in model.never.iter().chain(traces) {
        visit::walk_proctype(&mut rest, p);
    }
    for ltl in &model.ltl {
        rest.expr(&ltl.formula);
    }
    // A list of initial values, numbers by now, may have been names.
    let lists: BTreeSet<(MtypeId, i32)> = model
        .vars
        .iter()
        .filter_map(|var| match (&var.init, var.ty) {
            (Init::List(values), Type::Mtype(set)) => Some(values.iter().map(move |&v| (set, v))),
            _ => None,
        })
        .flatten()
        .collect();

    let mut labels: BTreeMap<Span, (&str, bool)> = BTreeMap::new();
    for (p, proctype) in model.proctypes.iter().enumerate() {
        for label in &proctype.labels {
            let used = uses.labels.contains(&(p, label.name.as_str()));
            labels.entry(label.span).or_insert((&label.name, false)).1 |= used;
        }
    }
    for (span, (name, used)) in labels {
        let meaningful = ["end", "accept", "progress"].iter().any(|word| name.starts_with(word));
        if !used && !meaningful && !cx.mentioned.contains(name) {
            let message = format!("no jump and no formula uses the label `{name}`");
            cx.warn(codes::UNUSED_LABEL, span, message);
        }
    }
    for inline in &model.inlines {
        if !inline.called && !cx.mentioned.contains(inline.name.as_str()) {
            let message = format!("inline `{}` is never called", inline.name);
            cx.warn(codes::UNUSED_INLINE, inline.span, message);
        }
    }
    for (id, set) in model.mtypes.iter().enumerate() {
        for (i, (name, &span)) in set.names.iter().zip(&set.spans).enumerate() {
            let name_of = (MtypeId(id as u32), i as i32 + 1);
            let used = uses.names.contains(&name_of) || lists.contains(&name_of);
            if !used && !cx.mentioned.contains(name.as_str()) {
                let message = format!("the symbolic name `{name}` is never used");
                cx.warn(codes::UNUSED_MTYPE, span, message);
            }
        }
    }
}
