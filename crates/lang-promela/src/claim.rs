//! Never claims and trace assertions as automata: control points, and between them edges with conditions
//! or events.
//!
//! A claim takes one of its statements before each step of the system. It accepts a run in which it
//! is at an accept label again and again, or that it follows to its end, which is also where an end label
//! stands. A trace assertion takes one of its
//! statements with each message that moves through one of its channels.

use everypath_model::Span;
use everypath_property::bdd::{Bdd, Diagrams};
use everypath_property::ltl::{Formula, Formulas, Node};
use everypath_property::tgba::{Automaton, Edge};

use crate::ast::{
    Expr, ExprKind, LabelId, Model, Proctype, RecvArg, Stmt, StmtKind, UnaryOp, VarRef,
};
use crate::temporal::Propositions;

/// Something in a claim that is more than a condition, or in a trace assertion more than an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACondition {
    /// Where it stands.
    pub span: Span,
}

/// A claim whose conditions are formulas without temporal operators.
#[derive(Clone, Debug)]
pub struct Claim {
    points: Vec<Point>,
    start: usize,
}

/// The end of a claim, from where everything is accepted.
const END: usize = 0;

#[derive(Clone, Debug, Default)]
struct Point {
    accept: bool,
    /// A label says that one may end there.
    end: bool,
    edges: Vec<(Guard, usize)>,
    /// Where it goes on without a statement.
    silent: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    When(Formula),
    Else,
    /// The event of this number.
    Event(usize),
}

/// The automaton of a claim; its conditions become propositions.
pub fn claim(
    model: &Model,
    never: &Proctype,
    propositions: &mut Propositions,
) -> Result<Claim, NotACondition> {
    let edges = vec![(Guard::When(Formulas::TRUE), END)];
    let end = Point { accept: true, edges, ..Point::default() };
    let (points, start, _) = build(model, never, propositions, end)?;
    Ok(Claim { points, start })
}

/// A message that moves, as a trace assertion names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageEvent {
    /// The channel.
    pub channel: String,
    /// Whether the message is sent or received.
    pub send: bool,
    /// The fields that have to be so.
    pub fields: Vec<Option<i32>>,
}

/// A trace assertion: from each of its points, the events that lead on.
#[derive(Clone, Debug)]
pub struct EventTrace {
    /// The events in it.
    pub events: Vec<MessageEvent>,
    /// For each point the events and where they lead.
    pub points: Vec<Vec<(usize, usize)>>,
    /// Where it begins.
    pub start: usize,
    /// Where it is complete.
    pub end: usize,
    /// Where a run may end.
    pub may_end: Vec<bool>,
}

/// The automaton of a trace assertion.
pub fn event_trace(model: &Model, body: &Proctype) -> Result<EventTrace, NotACondition> {
    let end = Point { end: true, ..Point::default() };
    let mut none = Propositions::default();
    let (points, start, events) = build(model, body, &mut none, end)?;
    let claim = Claim { points, start };
    let mut flat = Vec::new();
    for at in 0..claim.points.len() {
        let mut edges = Vec::new();
        for (guard, target) in claim.guards(at) {
            match guard {
                Guard::Event(event) => edges.push((event, claim.place(target))),
                // There are no conditions among events: the parser refuses them.
                Guard::When(_) | Guard::Else => return Err(NotACondition { span: body.span }),
            }
        }
        flat.push(edges);
    }
    let may_end = claim.points.iter().map(|point| point.end).collect();
    Ok(EventTrace { events, points: flat, start: claim.place(start), end: END, may_end })
}

type Built = Result<(Vec<Point>, usize, Vec<MessageEvent>), NotACondition>;

/// The points of a claim or a trace assertion, where it begins, and the events in it.
fn build(model: &Model, never: &Proctype, propositions: &mut Propositions, end: Point) -> Built {
    let mut points = vec![end];
    // A point for each label, to which its statement is joined when it is met.
    points.resize_with(1 + never.labels.len(), Point::default);
    let events = Vec::new();
    let mut builder = Builder { model, never, propositions, points, events, behind: Vec::new() };
    let start = builder.sequence(&never.body, END, None, Marks::default())?;
    let Builder { points, events, behind, .. } = builder;
    let mut claim = Claim { points, start };
    for (point, marks) in behind {
        let at = claim.place(point);
        claim.points[at].mark(marks);
    }
    Ok((claim.points, start, events))
}

/// What the names of labels say.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    accept: bool,
    end: bool,
}

impl Point {
    fn mark(&mut self, marks: Marks) {
        self.accept |= marks.accept;
        self.end |= marks.end;
    }
}

struct Builder<'a> {
    model: &'a Model,
    never: &'a Proctype,
    propositions: &'a mut Propositions,
    points: Vec<Point>,
    events: Vec<MessageEvent>,
    /// Points that have what labels of the statements before them say.
    behind: Vec<(usize, Marks)>,
}

type Entry = Result<usize, NotACondition>;

impl Builder<'_> {
    fn point(&mut self, edges: Vec<(Guard, usize)>, silent: Vec<usize>) -> usize {
        self.points.push(Point { edges, silent, ..Point::default() });
        self.points.len() - 1
    }

    fn label(label: LabelId) -> usize {
        1 + label.index()
    }

    /// The point before some statements, `next` being the one behind them; `behind` marks the point
    /// behind the first of them.
    fn sequence(
        &mut self,
        body: &[Stmt],
        next: usize,
        leave: Option<usize>,
        behind: Marks,
    ) -> Entry {
        let mut at = next;
        for (index, stmt) in body.iter().enumerate().rev() {
            let marks = if index == 0 { behind } else { Marks::default() };
            at = self.statement(stmt, at, leave, marks)?;
        }
        Ok(at)
    }

    /// An option of a selection. There is no place before its first statement, so what a label says
    /// there is said of the place behind it.
    fn option(&mut self, body: &[Stmt], next: usize, leave: Option<usize>, outer: Marks) -> Entry {
        let mut marks = outer;
        if let Some(first) = body.first() {
            let own = self.marks(first);
            marks = Marks { accept: outer.accept || own.accept, end: outer.end || own.end };
        }
        self.sequence(body, next, leave, marks)
    }

    fn marks(&self, stmt: &Stmt) -> Marks {
        let named = |label: &LabelId| &self.never.labels[label.index()].name;
        let has = |prefix: &str| stmt.labels.iter().map(named).any(|name| name.starts_with(prefix));
        Marks { accept: has("accept"), end: has("end") }
    }

    fn statement(
        &mut self,
        stmt: &Stmt,
        next: usize,
        leave: Option<usize>,
        behind: Marks,
    ) -> Entry {
        let mut at = self.unlabelled(stmt, next, leave, behind)?;
        if stmt.labels.is_empty() {
            return Ok(at);
        }
        if matches!(stmt.kind, StmtKind::Goto(_) | StmtKind::Break) {
            // A jump with a label is a place of its own.
            at = self.point(vec![(Guard::When(Formulas::TRUE), at)], Vec::new());
        }
        let marks = self.marks(stmt);
        self.points[at].mark(marks);
        for &label in &stmt.labels {
            self.points[Self::label(label)].silent.push(at);
        }
        Ok(at)
    }

    fn unlabelled(
        &mut self,
        stmt: &Stmt,
        next: usize,
        leave: Option<usize>,
        behind: Marks,
    ) -> Entry {
        let strange = NotACondition { span: stmt.span };
        let inner = matches!(stmt.kind, StmtKind::If(_) | StmtKind::Do(_) | StmtKind::Block { .. });
        if (behind.accept || behind.end) && !inner {
            self.behind.push((next, behind));
        }
        match &stmt.kind {
            StmtKind::Expr(_)
            | StmtKind::Assert(_)
            | StmtKind::Printf(..)
            | StmtKind::Printm(_) => self.at_once(std::slice::from_ref(stmt), next, leave),
            StmtKind::Else => Ok(self.point(vec![(Guard::Else, next)], Vec::new())),
            StmtKind::Send { channel, args, .. } => {
                let fields = args.iter().map(constant).collect();
                self.event(channel, true, fields, next, strange)
            }
            StmtKind::Receive { channel, args, copy: false, .. } => {
                let mut fields = Vec::new();
                for arg in args {
                    fields.push(match arg {
                        RecvArg::Var(_) | RecvArg::Any(_) => None,
                        RecvArg::Const(value) => constant(value),
                        RecvArg::Eval(_) => return Err(strange),
                    });
                }
                self.event(channel, false, fields, next, strange)
            }
            // The channel assertions say something about the processes.
            StmtKind::Exclusive { .. } => Ok(next),
            StmtKind::Goto(label) => Ok(self.point(Vec::new(), vec![Self::label(*label)])),
            StmtKind::Break => {
                let leave = leave.ok_or(strange)?;
                Ok(self.point(Vec::new(), vec![leave]))
            }
            StmtKind::If(options) => {
                let mut entries = Vec::new();
                for option in options {
                    entries.push(self.option(option, next, leave, behind)?);
                }
                Ok(self.point(Vec::new(), entries))
            }
            StmtKind::Do(options) => {
                let top = self.point(Vec::new(), Vec::new());
                for option in options {
                    let entry = self.option(option, top, Some(next), behind)?;
                    self.points[top].silent.push(entry);
                }
                Ok(top)
            }
            StmtKind::Block { body, .. } => self.sequence(body, next, leave, behind),
            StmtKind::Atomic(body) | StmtKind::DStep(body) => self.at_once(body, next, leave),
            _ => Err(strange),
        }
    }

    /// The point before an event.
    fn event(
        &mut self,
        channel: &VarRef,
        send: bool,
        fields: Vec<Option<i32>>,
        next: usize,
        strange: NotACondition,
    ) -> Entry {
        let name = &self.model.vars[channel.var.index()].name;
        let channel = match (&channel.index, channel.fields.is_empty()) {
            (None, true) => name.clone(),
            (Some(index), true) => {
                let index = constant(index).ok_or(strange)?;
                format!("{name}[{index}]")
            }
            _ => return Err(strange),
        };
        self.events.push(MessageEvent { channel, send, fields });
        Ok(self.point(vec![(Guard::Event(self.events.len() - 1), next)], Vec::new()))
    }

    /// Conditions and assertions in a row that are one step.
    fn at_once(&mut self, body: &[Stmt], next: usize, leave: Option<usize>) -> Entry {
        let mut edges = Vec::new();
        let mut so_far = Formulas::TRUE;
        let mut target = next;
        for (index, stmt) in body.iter().enumerate() {
            let last = index + 1 == body.len();
            let strange = NotACondition { span: stmt.span };
            match &stmt.kind {
                StmtKind::Expr(e) => {
                    let condition = self.propositions.formula(self.model, e);
                    so_far = self.propositions.formulas.and([so_far, condition]);
                }
                StmtKind::Assert(e) => {
                    let condition = self.propositions.formula(self.model, e);
                    let formulas = &mut self.propositions.formulas;
                    let fails = formulas.not(condition);
                    edges.push((Guard::When(formulas.and([so_far, fails])), END));
                    so_far = formulas.and([so_far, condition]);
                }
                StmtKind::Printf(..) | StmtKind::Printm(_) => {}
                StmtKind::Goto(label) if last => target = Self::label(*label),
                StmtKind::Break if last => target = leave.ok_or(strange)?,
                _ => return Err(strange),
            }
        }
        edges.push((Guard::When(so_far), target));
        Ok(self.point(edges, Vec::new()))
    }
}

impl Claim {
    /// The automaton over the propositions of these formulas.
    pub fn automaton(&self, formulas: &Formulas) -> Automaton {
        let atoms = formulas.atoms().iter().map(|atom| atom.text.clone()).collect();
        let mut labels = Diagrams::new();
        let edges =
            (0..self.points.len()).map(|at| self.edges(at, formulas, &mut labels)).collect();
        Automaton { atoms, labels, marks: 1, initial: self.arrival(self.start), edges }
    }

    /// Where a claim that gets to a point is: at its end where an end label stands.
    fn arrival(&self, at: usize) -> usize {
        let at = self.place(at);
        if self.points[at].end { END } else { at }
    }

    /// Where a process that gets to a point is: jumps take no time.
    fn place(&self, mut at: usize) -> usize {
        for _ in 0..self.points.len() {
            match &self.points[at] {
                Point { edges, silent, accept: false, end: false }
                    if edges.is_empty() && silent.len() == 1 =>
                {
                    at = silent[0];
                }
                _ => break,
            }
        }
        at
    }

    /// The edges of a point, with those behind silent ones.
    fn guards(&self, at: usize) -> Vec<(Guard, usize)> {
        let mut found: Vec<(Guard, usize)> = Vec::new();
        let mut seen = vec![false; self.points.len()];
        let mut work = vec![at];
        while let Some(point) = work.pop() {
            if !std::mem::replace(&mut seen[point], true) {
                found.extend(&self.points[point].edges);
                work.extend(self.points[point].silent.iter().rev());
            }
        }
        found
    }

    fn edges(&self, at: usize, formulas: &Formulas, labels: &mut Diagrams) -> Vec<Edge> {
        let found = self.guards(at);
        let mut some = Bdd::FALSE;
        for (guard, _) in &found {
            if let Guard::When(condition) = guard {
                let label = diagram(formulas, *condition, labels);
                some = labels.or(some, label);
            }
        }
        let marks = u64::from(self.points[at].accept);
        let mut edges = Vec::new();
        for (guard, target) in found {
            let label = match guard {
                Guard::When(condition) => diagram(formulas, condition, labels),
                Guard::Else => labels.not(some),
                // The parser refuses them in claims.
                Guard::Event(_) => Bdd::FALSE,
            };
            if !label.is_false() {
                edges.push(Edge { label, marks, target: self.arrival(target) });
            }
        }
        edges
    }
}

/// The value of an expression that is written as a constant.
fn constant(e: &Expr) -> Option<i32> {
    match &e.kind {
        ExprKind::Const(value) | ExprKind::Mtype(_, value) => Some(*value),
        ExprKind::Unary(UnaryOp::Neg, inner) => constant(inner)?.checked_neg(),
        _ => None,
    }
}

/// The function of a formula without temporal operators.
fn diagram(formulas: &Formulas, formula: Formula, labels: &mut Diagrams) -> Bdd {
    match formulas.node(formula) {
        Node::True => Bdd::TRUE,
        Node::Atom(atom) => labels.variable(atom.0),
        &Node::Not(a) => {
            let a = diagram(formulas, a, labels);
            labels.not(a)
        }
        Node::And(parts) => parts.iter().fold(Bdd::TRUE, |all, &part| {
            let part = diagram(formulas, part, labels);
            labels.and(all, part)
        }),
        Node::Or(parts) => parts.iter().fold(Bdd::FALSE, |some, &part| {
            let part = diagram(formulas, part, labels);
            labels.or(some, part)
        }),
        // Conditions of a claim are made of these alone.
        _ => Bdd::FALSE,
    }
}
