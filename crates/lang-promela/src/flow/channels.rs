//! Which channels a variable can hold: subset constraints between variables and message fields,
//! solved to the least fixpoint.

use std::collections::{BTreeMap, BTreeSet};

use everypath_model::Span;

use super::{Slot, all_slots, scalar_types};
use crate::ast::*;
use crate::visit::{self, Visit};

/// A channel that a declaration makes; all elements of an array are one.
#[derive(Debug)]
pub(crate) struct Site {
    pub slot: Slot,
    pub span: Span,
    pub capacity: u32,
    /// The scalar types of a message.
    pub fields: Vec<Type>,
}

/// One field of a message as it is used.
#[derive(Clone, Debug)]
pub(crate) enum Field<'m> {
    /// A value that is sent, or compared by `eval` or as a constant.
    Value(&'m Expr),
    /// A variable that is sent, or received into.
    Slot(Slot, Type),
    /// `_`
    Any,
}

/// A send, a receive or a poll.
#[derive(Debug)]
pub(crate) struct Operation<'m> {
    pub channel: Slot,
    pub span: Span,
    /// `None` in a claim or formula.
    pub process: Option<ProcId>,
    /// `None` if the message is too large to be followed.
    pub fields: Option<Vec<Field<'m>>>,
}

/// The channels of a model and what is done with them.
#[derive(Debug, Default)]
pub(crate) struct Channels<'m> {
    pub sites: Vec<Site>,
    pub sends: Vec<Operation<'m>>,
    pub receives: Vec<Operation<'m>>,
    /// Polls, `len`, `full` and so on, and events of claims.
    pub looks: Vec<Slot>,
    /// Channels go ways that are not followed: through numbers, embedded C, ill-typed messages.
    pub opaque: bool,
    holds: BTreeMap<Slot, BTreeSet<usize>>,
}

/// More constraints times channels are not solved.
const MAX_WORK: usize = 2_000_000;

impl<'m> Channels<'m> {
    pub fn new(model: &'m Model) -> Channels<'m> {
        let (slots, all) = all_slots(model);
        let mut channels = Channels { opaque: !all, ..Channels::default() };
        for slot in slots {
            if let (Type::Chan, Init::Channel(init)) = slot.declaration(model) {
                let fields = scalar_types(model, &init.fields);
                channels.opaque |= fields.is_none();
                let number = channels.sites.len();
                channels.holds.entry(slot.clone()).or_default().insert(number);
                let span = model.vars[slot.var.index()].span;
                let (capacity, fields) = (init.capacity, fields.unwrap_or_default());
                channels.sites.push(Site { slot, span, capacity, fields });
            }
        }
        let mut collector =
            Collector { model, channels, copies: Vec::new(), process: None, in_claim: false };
        collector.model();
        let Collector { mut channels, copies, .. } = collector;
        channels.opaque |= has_c(model);
        channels.solve(&copies);
        channels
    }

    /// The channels that a variable can hold.
    pub fn held(&self, slot: &Slot) -> impl Iterator<Item = usize> + '_ {
        self.holds.get(slot).into_iter().flatten().copied()
    }

    fn solve(&mut self, copies: &[(Slot, Slot)]) {
        let work = (copies.len() + self.sends.len() + self.receives.len()) * self.sites.len();
        if work > MAX_WORK {
            self.opaque = true;
            return;
        }
        let mut inside: BTreeMap<(usize, usize), BTreeSet<usize>> = BTreeMap::new();
        let mut changed = true;
        while changed {
            changed = false;
            for (from, to) in copies {
                let held: Vec<usize> = self.held(from).collect();
                changed |= grow(self.holds.entry(to.clone()).or_default(), held);
            }
            for send in &self.sends {
                for (i, field) in send.fields.iter().flatten().enumerate() {
                    let Field::Slot(slot, Type::Chan) = field else { continue };
                    let held: Vec<usize> = self.held(slot).collect();
                    for site in self.held(&send.channel) {
                        let entry = inside.entry((site, i)).or_default();
                        changed |= grow(entry, held.iter().copied());
                    }
                }
            }
            let mut received = Vec::new();
            for receive in &self.receives {
                for (i, field) in receive.fields.iter().flatten().enumerate() {
                    let Field::Slot(slot, Type::Chan) = field else { continue };
                    for site in self.held(&receive.channel) {
                        received.extend(inside.get(&(site, i)).map(|set| (slot.clone(), set)));
                    }
                }
            }
            for (slot, set) in received {
                changed |= grow(self.holds.entry(slot).or_default(), set.iter().copied());
            }
        }
        self.check_fields();
    }

    /// Channels in fields of other types, or numbers in fields of channels, are not followed.
    fn check_fields(&mut self) {
        let mut odd = false;
        for operation in self.sends.iter().chain(&self.receives) {
            let Some(fields) = &operation.fields else {
                odd = true;
                continue;
            };
            for site in self.held(&operation.channel) {
                let types = &self.sites[site].fields;
                odd |= types.len() != fields.len();
                for (field, ty) in fields.iter().zip(types) {
                    odd |= match field {
                        Field::Slot(_, Type::Chan) => *ty != Type::Chan,
                        Field::Slot(..) => *ty == Type::Chan,
                        Field::Value(e) => *ty == Type::Chan && !is_zero(e),
                        Field::Any => false,
                    };
                }
            }
        }
        self.opaque |= odd;
    }
}

fn grow(set: &mut BTreeSet<usize>, more: impl IntoIterator<Item = usize>) -> bool {
    let before = set.len();
    set.extend(more);
    set.len() > before
}

fn is_zero(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Const(0))
}

/// Whether a model has embedded C.
pub(crate) fn has_c(model: &Model) -> bool {
    struct Finder(bool);
    impl Visit for Finder {
        fn stmt(&mut self, s: &Stmt) {
            self.0 |= matches!(s.kind, StmtKind::CCode { .. } | StmtKind::CStep { .. });
            visit::walk_stmt(self, s);
        }
        fn expr(&mut self, e: &Expr) {
            self.0 |= matches!(e.kind, ExprKind::C { .. });
            visit::walk_expr(self, e);
        }
    }
    let mut finder = Finder(!model.c_units.is_empty());
    visit::walk_model(&mut finder, model);
    finder.0
}

/// Collects operations and copies of channels.
struct Collector<'m> {
    model: &'m Model,
    channels: Channels<'m>,
    /// From, to.
    copies: Vec<(Slot, Slot)>,
    process: Option<ProcId>,
    /// Claims and traces watch: their receives take nothing.
    in_claim: bool,
}

impl<'m> Collector<'m> {
    fn model(&mut self) {
        let model = self.model;
        for (i, var) in model.vars.iter().enumerate() {
            if let Init::Expr(e) = &var.init {
                let slot = Slot { var: VarId(i as u32), path: Vec::new() };
                self.copy(e, &slot, var.ty);
                self.expr(e);
            }
        }
        for (i, p) in model.proctypes.iter().enumerate() {
            self.process = Some(ProcId(i as u32));
            if let Some(e) = &p.provided {
                self.expr(e);
            }
            self.body(&p.body);
        }
        self.process = None;
        self.in_claim = true;
        let traces = model.traces.iter().map(|trace| &trace.body);
        for p in model.never.iter().chain(traces) {
            self.body(&p.body);
        }
        for ltl in &model.ltl {
            self.expr(&ltl.formula);
        }
    }

    fn body(&mut self, body: &'m [Stmt]) {
        for s in body {
            self.stmt(s);
        }
    }

    fn stmt(&mut self, s: &'m Stmt) {
        let model = self.model;
        match &s.kind {
            StmtKind::Send { channel, args, .. } if !self.in_claim => {
                let fields = args.iter().map(|e| self.value_fields(e)).collect::<Option<Vec<_>>>();
                let operation = self.operation(channel, fields, s.span);
                self.channels.sends.push(operation);
                for e in args {
                    self.expr(e);
                }
            }
            StmtKind::Receive { channel, args, .. } if !self.in_claim => {
                let fields = args.iter().map(|arg| self.pattern(arg)).collect::<Option<Vec<_>>>();
                let operation = self.operation(channel, fields, s.span);
                self.channels.receives.push(operation);
            }
            StmtKind::Send { channel, .. } | StmtKind::Receive { channel, .. } => {
                let (slot, _) = Slot::of(model, channel);
                self.channels.looks.push(slot);
                self.expressions(s);
            }
            StmtKind::For { var, over: ForRange::Channel { channel, .. }, body } => {
                let (slot, ty) = Slot::of(model, var);
                let fields = slot.scalars(model, ty).map(|all| vec![slots(all)]);
                // Each message is taken and put back.
                for into in [true, false] {
                    let operation = self.operation(channel, fields.clone(), s.span);
                    match into {
                        true => self.channels.receives.push(operation),
                        false => self.channels.sends.push(operation),
                    }
                }
                self.body(body);
            }
            StmtKind::Assign(Target::Var(r), e) => {
                let (slot, ty) = Slot::of(model, r);
                self.copy(e, &slot, ty);
                self.expr(e);
            }
            StmtKind::If(options) | StmtKind::Do(options) => {
                for option in options {
                    self.body(option);
                }
            }
            StmtKind::Block { body, .. }
            | StmtKind::Atomic(body)
            | StmtKind::DStep(body)
            | StmtKind::For { body, .. }
            | StmtKind::CStep { body, .. } => self.body(body),
            StmtKind::Unless(main, escape) => {
                self.stmt(main);
                self.stmt(escape);
            }
            StmtKind::Increment(r) | StmtKind::Decrement(r) => {
                self.channels.opaque |= Slot::of(model, r).1 == Type::Chan;
            }
            _ => self.expressions(s),
        }
    }

    fn expressions(&mut self, s: &'m Stmt) {
        let mut finder = Finder { collector: self };
        visit::walk_stmt(&mut finder, s);
    }

    fn expr(&mut self, e: &'m Expr) {
        Finder { collector: self }.expr(e);
    }

    fn operation(
        &self,
        channel: &VarRef,
        fields: Option<Vec<Vec<Field<'m>>>>,
        span: Span,
    ) -> Operation<'m> {
        let (slot, _) = Slot::of(self.model, channel);
        let fields = fields.map(|all| all.into_iter().flatten().collect());
        Operation { channel: slot, span, process: self.process, fields }
    }

    fn value_fields(&self, e: &'m Expr) -> Option<Vec<Field<'m>>> {
        match &e.kind {
            ExprKind::Var(r) => {
                let (slot, ty) = Slot::of(self.model, r);
                slot.scalars(self.model, ty).map(slots)
            }
            _ => Some(vec![Field::Value(e)]),
        }
    }

    fn pattern(&self, arg: &'m RecvArg) -> Option<Vec<Field<'m>>> {
        match arg {
            RecvArg::Var(r) => {
                let (slot, ty) = Slot::of(self.model, r);
                slot.scalars(self.model, ty).map(slots)
            }
            RecvArg::Any(_) => Some(vec![Field::Any]),
            RecvArg::Const(e) | RecvArg::Eval(e) => Some(vec![Field::Value(e)]),
        }
    }

    /// A value goes into a slot.
    fn copy(&mut self, e: &'m Expr, to: &Slot, ty: Type) {
        match &e.kind {
            ExprKind::Var(r) => {
                let (from, from_ty) = Slot::of(self.model, r);
                let parts = from.scalars(self.model, from_ty).zip(to.scalars(self.model, ty));
                let Some((from, to)) = parts.filter(|(a, b)| a.len() == b.len()) else {
                    self.channels.opaque = true;
                    return;
                };
                for ((from, a), (to, b)) in from.into_iter().zip(to) {
                    self.channels.opaque |= (a == Type::Chan) != (b == Type::Chan);
                    if a == Type::Chan {
                        self.copies.push((from, to));
                    }
                }
            }
            ExprKind::RemoteVar { var, .. } if ty == Type::Chan => {
                let from = Slot { var: *var, path: Vec::new() };
                self.channels.opaque |= self.model.vars[var.index()].ty != Type::Chan;
                self.copies.push((from, to.clone()));
            }
            ExprKind::Cond(_, a, b) => {
                self.copy(a, to, ty);
                self.copy(b, to, ty);
            }
            _ => self.channels.opaque |= ty == Type::Chan && !is_zero(e),
        }
    }

    fn run(&mut self, proctype: ProcId, args: &[Expr]) {
        let model = self.model;
        let params = model.proctypes[proctype.index()].params.iter().map(|&var| {
            let slot = Slot { var, path: Vec::new() };
            slot.scalars(model, model.vars[var.index()].ty)
        });
        let values = args.iter().map(|e| match &e.kind {
            ExprKind::Var(r) => {
                let (slot, ty) = Slot::of(model, r);
                slot.scalars(model, ty).map(|all| all.into_iter().map(Some).collect::<Vec<_>>())
            }
            ExprKind::Cond(..) | ExprKind::RemoteVar { .. } => None,
            _ => Some(vec![None]),
        });
        let params: Option<Vec<Vec<_>>> = params.collect();
        let values: Option<Vec<Vec<_>>> = values.collect();
        let (Some(params), Some(values)) = (params, values) else {
            self.channels.opaque = true;
            return;
        };
        let (params, values) = (params.concat(), values.concat());
        self.channels.opaque |= params.len() != values.len();
        for ((to, ty), from) in params.into_iter().zip(values) {
            match from {
                Some((from, Type::Chan)) if ty == Type::Chan => self.copies.push((from, to)),
                Some((_, other)) => {
                    self.channels.opaque |= (other == Type::Chan) != (ty == Type::Chan);
                }
                // A constant, which is no channel.
                None => {}
            }
        }
    }
}

fn slots<'m>(all: Vec<(Slot, Type)>) -> Vec<Field<'m>> {
    all.into_iter().map(|(slot, ty)| Field::Slot(slot, ty)).collect()
}

/// Finds what matters in expressions.
struct Finder<'c, 'm> {
    collector: &'c mut Collector<'m>,
}

impl Visit for Finder<'_, '_> {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Run { proctype, args, .. } => self.collector.run(*proctype, args),
            ExprKind::Len(r) | ExprKind::Probe(_, r) | ExprKind::Poll { channel: r, .. } => {
                let (slot, _) = Slot::of(self.collector.model, r);
                self.collector.channels.looks.push(slot);
            }
            _ => {}
        }
        visit::walk_expr(self, e);
    }
}
