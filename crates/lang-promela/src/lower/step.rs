//! Code of statements that are one step, `d_step` sequences above all.

use everypath_machine::code::{self, Op};

use super::Lowering;
use super::desugar::desugar;
use super::emit::{Emitter, Label};
use crate::ast::*;
use crate::pretty;

impl Lowering<'_> {
    /// The code of a statement that is one step.
    pub(super) fn statement_code(&mut self, proctype: &Proctype, s: &Stmt) -> u32 {
        let mut em = self.begin();
        let blocked = em.label();
        if let StmtKind::DStep(body) = &s.kind {
            let mut step = StepScope { proctype, labels: Vec::new(), breaks: Vec::new() };
            if begins_with_else(body) {
                // It asks whether an option that comes before this one can be executed.
                self.op(Op::Moved { d: 0 });
                self.jump(&mut em, blocked, Op::JumpIfNotZero { a: 0, to: 0 });
            }
            self.step_guard(&mut em, &mut step, body, blocked);
            self.step_sequence(&mut em, &mut step, body, blocked);
            self.op(Op::Commit);
            self.op(Op::Done);
            for (_, label, bound) in step.labels {
                if !bound {
                    self.bind(&mut em, label);
                }
            }
        } else if let StmtKind::CStep { .. } = &s.kind {
            let mut step = StepScope { proctype, labels: Vec::new(), breaks: Vec::new() };
            self.c_step(&mut em, &mut step, s);
            self.op(Op::Done);
        } else {
            self.basic(&mut em, proctype, s, blocked);
            self.op(Op::Done);
        }
        self.bind(&mut em, blocked);
        // The values of its parts tell why a condition is false.
        let operands = match &s.kind {
            StmtKind::Expr(e) => self.operands(e),
            _ => Vec::new(),
        };
        let site = self.site(s.span, pretty::written_stmt(self.model, proctype, s), operands);
        self.op(Op::Blocked { site });
        let code = self.finish(em);
        self.flush_operands();
        code
    }

    /// Code that is always executable and does nothing.
    pub(super) fn skip_code(&mut self) -> u32 {
        if let Some(code) = self.skip {
            return code;
        }
        let code = self.machine.code.len() as u32;
        self.op(Op::Commit);
        self.op(Op::Done);
        self.skip = Some(code);
        code
    }

    /// Whether a statement is passed over: `xr`, `xs`, and a channel declared late, which exists
    /// from the start of its process.
    pub(super) fn costs_nothing(&self, s: &Stmt) -> bool {
        match s.kind {
            StmtKind::Exclusive { .. } => true,
            StmtKind::Decl(var) => {
                matches!(self.model.vars[var.index()].init, Init::Channel(_))
            }
            _ => false,
        }
    }

    /// A `d_step` that begins with a selection waits for those options that begin with something
    /// that can block, if there are any: an option that begins with an assignment is then no
    /// reason to start.
    fn step_guard(
        &mut self,
        em: &mut Emitter,
        scope: &mut StepScope<'_>,
        body: &[Stmt],
        blocked: Label,
    ) {
        let mut guards = Vec::new();
        let mut others = false;
        if let Some(first) = body.first() {
            collect_guards(first, true, &mut guards, &mut others);
        }
        if guards.is_empty() || !others {
            return;
        }
        let go = em.label();
        for guard in guards {
            let next = em.label();
            match &guard.kind {
                StmtKind::Else => {}
                StmtKind::Expr(e) => {
                    self.expr(em, e, 0);
                    self.jump(em, next, Op::JumpIfZero { a: 0, to: 0 });
                }
                StmtKind::Send { channel, .. } => self.step_room(em, channel, next),
                _ => {
                    let start = self.machine.code.len();
                    self.basic(em, scope.proctype, &guard, next);
                    // Only the guard is wanted, not the effect.
                    let commit = self.machine.code[start..].iter().position(|op| *op == Op::Commit);
                    if let Some(commit) = commit {
                        self.machine.code.truncate(start + commit);
                    }
                }
            }
            self.jump(em, go, Op::Jump { to: 0 });
            self.bind(em, next);
        }
        self.jump(em, blocked, Op::Jump { to: 0 });
        self.bind(em, go);
    }

    /// Goes to `blocked` if a channel is full.
    fn step_room(&mut self, em: &mut Emitter, channel: &VarRef, blocked: Label) {
        if !self.machine.lossy_channels {
            self.probe(em, channel, code::Probe::NotFull, 0);
            self.jump(em, blocked, Op::JumpIfZero { a: 0, to: 0 });
        }
    }

    /// The code of a sequence inside a `d_step`. If its first statement cannot be executed, control
    /// goes to `blocked`; if a later one cannot, the step is stuck.
    fn step_sequence(
        &mut self,
        em: &mut Emitter,
        scope: &mut StepScope<'_>,
        body: &[Stmt],
        blocked: Label,
    ) {
        for (i, s) in body.iter().enumerate() {
            if i == 0 {
                self.step_statement(em, scope, s, blocked);
            } else {
                let (stuck, on) = (em.label(), em.label());
                self.step_statement(em, scope, s, stuck);
                self.jump(em, on, Op::Jump { to: 0 });
                self.bind(em, stuck);
                let text = pretty::written_stmt(self.model, scope.proctype, s);
                let site = self.site(s.span, text, Vec::new());
                self.op(Op::Blocked { site });
                self.bind(em, on);
            }
        }
    }

    /// The code of an understood `c_code`: it cannot block, and it stops at a precondition that does
    /// not hold.
    fn c_step(&mut self, em: &mut Emitter, scope: &mut StepScope<'_>, s: &Stmt) {
        let StmtKind::CStep { precondition, body, .. } = &s.kind else { return };
        self.op(Op::Commit);
        let end = em.label();
        if let Some(e) = precondition {
            self.expr(em, e, 0);
            let text =
                format!("{}, the precondition of c_code", pretty::written_expr(self.model, e));
            let operands = self.operands(e);
            let site = self.site(s.span, text, operands);
            self.op(Op::Assert { a: 0, site });
            self.jump(em, end, Op::JumpIfZero { a: 0, to: 0 });
        }
        self.step_sequence(em, scope, body, end);
        self.bind(em, end);
    }

    fn step_statement(
        &mut self,
        em: &mut Emitter,
        scope: &mut StepScope<'_>,
        s: &Stmt,
        blocked: Label,
    ) {
        for &label in &s.labels {
            let place = scope.label(em, label);
            self.bind(em, place);
        }
        match &s.kind {
            StmtKind::If(options) => {
                let end = em.label();
                self.step_options(em, scope, options, blocked, end);
                self.bind(em, end);
            }
            StmtKind::Do(options) => {
                let (again, exit) = (em.label(), em.label());
                self.bind(em, again);
                scope.breaks.push(exit);
                self.step_options(em, scope, options, blocked, again);
                scope.breaks.pop();
                self.bind(em, exit);
            }
            StmtKind::Block { body, .. } | StmtKind::Atomic(body) | StmtKind::DStep(body) => {
                self.step_sequence(em, scope, body, blocked);
            }
            StmtKind::Unless(main, _) => self.step_statement(em, scope, main, blocked),
            StmtKind::For { .. } | StmtKind::Select { .. } => {
                let mut parts = desugar(s);
                if let Some(last) = parts.last_mut() {
                    last.labels.clear();
                    if let (StmtKind::Select { .. }, StmtKind::Do(options)) =
                        (&s.kind, &mut last.kind)
                    {
                        options.reverse();
                    }
                }
                self.step_sequence(em, scope, &parts, blocked);
            }
            StmtKind::Goto(label) => {
                self.op(Op::Commit);
                let place = scope.label_reference(em, *label);
                self.jump(em, place, Op::Jump { to: 0 });
            }
            StmtKind::Break => {
                self.op(Op::Commit);
                match scope.breaks.last() {
                    Some(&exit) => self.jump(em, exit, Op::Jump { to: 0 }),
                    None => self.error("EP1406", s.span, "`break` leaves a d_step"),
                }
            }
            StmtKind::Else => self.op(Op::Commit),
            StmtKind::Send { channel, .. } => {
                // An attempt on a rendezvous channel is a fault, whether somebody receives or not.
                self.step_room(em, channel, blocked);
                self.op(Op::Commit);
                self.basic(em, scope.proctype, s, blocked);
            }
            StmtKind::CStep { .. } => self.c_step(em, scope, s),
            _ if self.costs_nothing(s) => {}
            _ => self.basic(em, scope.proctype, s, blocked),
        }
    }

    /// Options in order, the one with `else` last; each goes to `after` at its end.
    fn step_options(
        &mut self,
        em: &mut Emitter,
        scope: &mut StepScope<'_>,
        options: &[Vec<Stmt>],
        blocked: Label,
        after: Label,
    ) {
        let is_else =
            |option: &&Vec<Stmt>| matches!(option.first(), Some(Stmt { kind: StmtKind::Else, .. }));
        let ordered = options.iter().filter(|o| !is_else(o)).chain(options.iter().filter(is_else));
        for option in ordered {
            let next = em.label();
            self.step_sequence(em, scope, option, next);
            self.jump(em, after, Op::Jump { to: 0 });
            self.bind(em, next);
        }
        self.jump(em, blocked, Op::Jump { to: 0 });
    }
}

/// Whether a `d_step` begins with `else`.
fn begins_with_else(body: &[Stmt]) -> bool {
    match body.first().map(|first| &first.kind) {
        Some(StmtKind::Else) => true,
        Some(StmtKind::Block { body, .. }) => begins_with_else(body),
        _ => false,
    }
}

/// The statements that can block among those that begin the options of a selection, as SPIN sees
/// them; `others` tells whether some option begins with something else.
fn collect_guards(s: &Stmt, top: bool, guards: &mut Vec<Stmt>, others: &mut bool) {
    match &s.kind {
        StmtKind::If(options) | StmtKind::Do(options) => {
            for option in options {
                if let Some(first) = option.first() {
                    collect_guards(first, false, guards, others);
                }
            }
        }
        StmtKind::Block { body, .. } | StmtKind::Atomic(body) | StmtKind::DStep(body) => {
            match body.first() {
                Some(first) if top || matches!(first.kind, StmtKind::If(_) | StmtKind::Do(_)) => {
                    collect_guards(first, top, guards, others);
                }
                _ => *others = true,
            }
        }
        _ if top => {}
        StmtKind::Else | StmtKind::Expr(_) | StmtKind::Send { .. } | StmtKind::Receive { .. } => {
            guards.push(s.clone())
        }
        _ => *others = true,
    }
}

/// What is visible inside a `d_step`.
struct StepScope<'p> {
    proctype: &'p Proctype,
    /// Labels met so far, and whether their place is known.
    labels: Vec<(LabelId, Label, bool)>,
    breaks: Vec<Label>,
}

impl StepScope<'_> {
    /// The label at its place.
    fn label(&mut self, em: &mut Emitter, id: LabelId) -> Label {
        let label = self.label_reference(em, id);
        for entry in &mut self.labels {
            if entry.0 == id {
                entry.2 = true;
            }
        }
        label
    }

    fn label_reference(&mut self, em: &mut Emitter, id: LabelId) -> Label {
        if let Some(entry) = self.labels.iter().find(|entry| entry.0 == id) {
            return entry.1;
        }
        let label = em.label();
        self.labels.push((id, label, false));
        label
    }
}
