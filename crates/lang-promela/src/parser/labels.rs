//! Labels and the jumps to them.

use std::collections::{HashMap, HashSet};

use everypath_model::{Diagnostic, Span};

use super::Parser;
use super::names::Mention;
use super::process::{Jump, LabelPlace, Process};
use crate::ast::{LabelDef, LabelId, Stmt, StmtKind};
use crate::codes;
use crate::lexer::Token;

impl<'a> Parser<'a> {
    /// Enters a label of the current body.
    pub(super) fn define_label(&mut self, token: Token) -> LabelId {
        let name = self.text_of(token);
        let span = self.span(token);
        if let Some(var) = self.lookup(name) {
            let declared = self.model.vars[var.index()].span;
            let message = format!("label `{name}` has the name of a variable");
            self.report(
                Diagnostic::warning(codes::DUPLICATE_LABEL, span, message)
                    .also(declared, "the variable"),
            );
        }
        let Some(process) = &mut self.process else {
            return LabelId(0);
        };
        let (labels, mentioned) = match process.id {
            Some(id) => {
                let info = &mut self.names.procs[id.index()];
                let fresh = LabelId(info.labels.len() as u32);
                let mention = info.label_ids.entry(name).or_insert(Mention {
                    id: fresh,
                    defined: true,
                    span,
                });
                let forward = (mention.id != fresh && !mention.defined).then_some(mention.id);
                mention.defined = true;
                (&mut info.labels, forward)
            }
            None => (&mut process.labels, None),
        };
        let def = LabelDef { name: name.to_string(), span };
        let id = match mentioned {
            Some(id) => {
                labels[id.index()] = def;
                id
            }
            None => {
                labels.push(def);
                LabelId(labels.len() as u32 - 1)
            }
        };
        // A label that is visible already is moved, as in SPIN.
        let visible = process.labelled_scope(name);
        let scope = visible.unwrap_or(process.scope);
        let place = LabelPlace { id, d_step: process.d_step, span };
        process.last_labels.insert(name, scope);
        let first = process.label_places.insert((name, scope), place);
        if let Some(first) = first.map(|place| place.span) {
            let message = format!("label `{name}` is defined twice");
            self.report(
                Diagnostic::warning(codes::DUPLICATE_LABEL, span, message)
                    .label("jumps go to this one")
                    .also(first, "first defined here"),
            );
        }
        id
    }

    /// Notes a jump; the number it gets is replaced by the label when the body is complete.
    pub(super) fn note_jump(&mut self, token: Token) -> LabelId {
        let (name, span) = (self.text_of(token), self.span(token));
        let Some(process) = &mut self.process else {
            return LabelId(0);
        };
        let (scope, d_step) = (process.scope, process.d_step);
        process.jumps.push(Jump { name, scope, d_step, span });
        LabelId(process.jumps.len() as u32 - 1)
    }

    /// Resolves the jumps of a complete body.
    pub(super) fn resolve_jumps(&mut self, process: &Process<'a>, body: &mut [Stmt]) {
        let mut targets = Vec::with_capacity(process.jumps.len());
        for jump in &process.jumps {
            let Some(place) = process.target(jump) else {
                let message = format!("unknown label `{}`", jump.name);
                let similar = similar_label(process, jump.name);
                let mut diagnostic = Diagnostic::error(codes::UNKNOWN_LABEL, jump.span, message)
                    .label("no statement of this body has this label");
                if let Some(name) = similar {
                    diagnostic = diagnostic.help(format!("did you mean `{name}`?"));
                }
                self.report(diagnostic);
                targets.push(LabelId(0));
                continue;
            };
            if place.d_step != jump.d_step {
                let message = if jump.d_step == 0 {
                    format!("jump into a d_step, to `{}`", jump.name)
                } else {
                    format!("jump out of a d_step, to `{}`", jump.name)
                };
                self.report(
                    Diagnostic::error(codes::D_STEP, jump.span, message)
                        .also(place.span, "the label"),
                );
            }
            targets.push(place.id);
        }
        set_targets(body, &targets);
    }
}

impl Parser<'_> {
    /// Reports jumps that lead back to themselves without a step.
    pub(super) fn check_goto_cycles(&mut self, process: &Process<'_>, body: &[Stmt]) {
        let defs = match process.id {
            Some(id) => &self.names.procs[id.index()].labels,
            None => &process.labels,
        };
        let special = |label: &LabelId| {
            let name = defs[label.index()].name.as_str();
            ["end", "accept", "progress"].iter().any(|prefix| name.starts_with(prefix))
        };
        let mut jumps = HashMap::new();
        collect_labelled_jumps(body, &special, &mut jumps);
        let mut labels: Vec<LabelId> = jumps.keys().copied().collect();
        labels.sort_unstable();
        let mut done = HashSet::new();
        for label in labels {
            let mut path = HashSet::new();
            let mut at = label;
            while let Some(&(target, span)) = jumps.get(&at) {
                if done.contains(&at) {
                    break;
                }
                if !path.insert(at) {
                    self.error(codes::UNKNOWN_LABEL, span, "a jump that only leads to itself");
                    break;
                }
                at = target;
            }
            done.extend(path);
        }
    }
}

/// Jumps that carry labels, by label.
fn collect_labelled_jumps(
    body: &[Stmt],
    special: &dyn Fn(&LabelId) -> bool,
    jumps: &mut HashMap<LabelId, (LabelId, Span)>,
) {
    for stmt in body {
        match &stmt.kind {
            // A jump with a special label is a step of its own.
            StmtKind::Goto(target) if !stmt.labels.iter().any(special) => {
                for &label in &stmt.labels {
                    jumps.insert(label, (*target, stmt.span));
                }
            }
            kind => for_each_part(kind, &mut |part| collect_labelled_jumps(part, special, jumps)),
        }
    }
}

/// Calls `visit` for each list of statements inside a statement.
pub(crate) fn for_each_part(kind: &StmtKind, visit: &mut dyn FnMut(&[Stmt])) {
    match kind {
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().for_each(|option| visit(option));
        }
        StmtKind::Block { body, .. }
        | StmtKind::Atomic(body)
        | StmtKind::DStep(body)
        | StmtKind::For { body, .. } => visit(body),
        StmtKind::Unless(main, escape) => {
            visit(std::slice::from_ref(main));
            visit(std::slice::from_ref(escape));
        }
        _ => {}
    }
}

fn similar_label<'a>(process: &Process<'a>, name: &str) -> Option<&'a str> {
    everypath_model::most_similar(name, process.last_labels.keys().copied())
}

/// Replaces the numbers of jumps by their labels.
fn set_targets(body: &mut [Stmt], targets: &[LabelId]) {
    for stmt in body {
        match &mut stmt.kind {
            StmtKind::Goto(label) => {
                if let Some(&target) = targets.get(label.index()) {
                    *label = target;
                }
            }
            StmtKind::If(options) | StmtKind::Do(options) => {
                for option in options {
                    set_targets(option, targets);
                }
            }
            StmtKind::Block { body, .. }
            | StmtKind::Atomic(body)
            | StmtKind::DStep(body)
            | StmtKind::For { body, .. } => set_targets(body, targets),
            StmtKind::Unless(main, escape) => {
                set_targets(std::slice::from_mut(main), targets);
                set_targets(std::slice::from_mut(escape), targets);
            }
            _ => {}
        }
    }
}
