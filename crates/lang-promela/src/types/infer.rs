//! The walk over a model that makes equations and demands.

use std::collections::{BTreeMap, BTreeSet};

use everypath_model::{Brake, Diagnostic, Severity, Span};

use super::base::{Base, Fit, TypeOptions};
use super::fields::Demand;
use super::graph::{Clash, Graph, Kind, NodeId, Origin, Why};
use super::message::Use;
use super::show::Writer;
use super::{ChannelType, Types};
use crate::ast::*;
use crate::flow::channels::Channels;
use crate::flow::values::{Range, Values};
use crate::flow::{Slot, all_slots, scalar_types};
use crate::{codes, pretty};

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Base(Base),
    /// A channel.
    Chan(NodeId),
    /// A structure, as the scalars in it.
    Struct(Vec<Ty>),
    /// Nothing can be said: embedded C, or an error was reported already.
    Unknown,
}

/// How many diagnostics are made.
const MAX_DIAGNOSTICS: usize = 200;

/// The walk is made twice. Channels find their ways first, so that a wrong message is compared
/// with a declaration wherever there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// Assignments, parameters and comparisons of channels.
    Flows,
    /// Messages and values.
    Uses,
}

/// An inference under way.
pub(super) struct Inference<'m> {
    pub model: &'m Model,
    pub options: TypeOptions,
    pub pass: Pass,
    /// Which channels and values variables really hold; not asked under the strict rules.
    pub flow: Option<(Channels<'m>, Values)>,
    pub graph: Graph,
    /// The channel in a variable, by the fields that lead to it; elements of arrays share one.
    slots: BTreeMap<Slot, NodeId>,
    /// Messages whose equations are to be made.
    pub uses: Vec<Use>,
    /// What sends and receives ask of fields.
    pub demands: Vec<Demand>,
    diagnostics: Vec<Diagnostic>,
    /// Statements that were complained about.
    reported: BTreeSet<Span>,
    /// Ends the walk.
    pub brake: &'m Brake,
}

impl<'m> Inference<'m> {
    pub fn new(model: &'m Model, options: TypeOptions, brake: &'m Brake) -> Inference<'m> {
        let channels = Channels::new(model);
        let flow = (!options.strict && !channels.opaque).then(|| {
            let values = Values::new(model, &channels, brake);
            (channels, values)
        });
        Inference {
            model,
            options,
            pass: Pass::Flows,
            flow,
            graph: Graph::default(),
            slots: BTreeMap::new(),
            uses: Vec::new(),
            demands: Vec::new(),
            diagnostics: Vec::new(),
            reported: BTreeSet::new(),
            brake,
        }
    }

    pub fn run(mut self) -> Types {
        let model = self.model;
        for slot in all_slots(model).0 {
            self.declare(slot);
        }
        for pass in [Pass::Flows, Pass::Uses] {
            self.pass = pass;
            for (i, var) in model.vars.iter().enumerate() {
                self.init(VarId(i as u32), var);
            }
            for p in model.proctypes.iter().chain(&model.never) {
                if let Some(e) = &p.provided {
                    self.condition(e);
                }
                self.body(&p.body);
            }
        }
        for ltl in &model.ltl {
            self.formula(&ltl.formula);
        }
        self.solve_messages();
        for trace in &model.traces {
            self.events(&trace.body.body);
        }
        self.solve_messages();
        let inferred = self.check_fields();
        let writer = Writer { model, graph: &self.graph, inferred: &inferred };
        let channels = self
            .slots
            .iter()
            .filter(|(slot, _)| !model.vars[slot.var.index()].synthetic)
            .map(|(slot, &node)| {
                let var = &model.vars[slot.var.index()];
                ChannelType {
                    name: slot.name(model),
                    span: var.span,
                    owner: match var.owner {
                        Owner::Proctype(owner) => Some(owner),
                        Owner::Model | Owner::Claim => None,
                    },
                    text: writer.show(node),
                }
            })
            .collect();
        let mut diagnostics = self.diagnostics;
        diagnostics.sort_by_key(|d| d.primary.as_ref().map(|label| label.span));
        // An inline that is called twice is complained about once.
        diagnostics.dedup();
        Types { channels, diagnostics }
    }

    // Declarations.

    fn declare(&mut self, slot: Slot) {
        let (Type::Chan, init) = slot.declaration(self.model) else { return };
        let span = self.model.vars[slot.var.index()].span;
        let origin = Origin { span, declared: true };
        let messages = match init {
            Init::Channel(channel) => self.declared_tuple(&channel.fields, origin),
            _ => None,
        };
        let messages = messages.unwrap_or_else(|| self.graph.add(Kind::Var, origin));
        let node = self.graph.add(Kind::Chan(messages), origin);
        self.slots.insert(slot, node);
    }

    /// The message of `[n] of { fields }`.
    fn declared_tuple(&mut self, fields: &[Type], origin: Origin) -> Option<NodeId> {
        let types = scalar_types(self.model, fields)?;
        let fields = types
            .into_iter()
            .map(|ty| match Base::declared(ty, self.options) {
                Some(base) => self.graph.add(Kind::Base(base), origin),
                None => {
                    let messages = self.graph.add(Kind::Var, origin);
                    self.graph.add(Kind::Chan(messages), origin)
                }
            })
            .collect();
        Some(self.graph.add(Kind::Tuple(fields), origin))
    }

    fn init(&mut self, id: VarId, var: &'m Var) {
        match &var.init {
            Init::Expr(e) => {
                let into = self.part_type(&Slot { var: id, path: Vec::new() }, var.ty);
                let value = self.expr(e);
                let name = format!("`{}` starts with this", var.name);
                self.assign(&into, &value, e.span, var.span, name);
            }
            Init::List(values) => {
                let Some(base) = Base::declared(var.ty, self.options) else { return };
                for &value in values {
                    self.fit(Base::constant(value.into()), base, var.span, var.span, "this value");
                }
            }
            _ => {}
        }
    }

    // Variables.

    /// The type of a variable or field; a structure is the scalars in it.
    pub fn part_type(&self, slot: &Slot, ty: Type) -> Ty {
        let scalar = |slot: &Slot, ty: Type| match ty {
            Type::Chan => self.slots.get(slot).map_or(Ty::Unknown, |&node| Ty::Chan(node)),
            _ => Base::declared(ty, self.options).map_or(Ty::Unknown, Ty::Base),
        };
        let Type::Struct(_) = ty else { return scalar(slot, ty) };
        match slot.scalars(self.model, ty) {
            Some(parts) => Ty::Struct(parts.iter().map(|(slot, ty)| scalar(slot, *ty)).collect()),
            None => Ty::Unknown,
        }
    }

    /// The type of what a reference names; its indices are looked at too.
    pub fn reference(&mut self, r: &VarRef) -> Ty {
        let fields = r.fields.iter().map(|field| &field.index);
        for index in std::iter::once(&r.index).chain(fields).flatten() {
            self.number(index, "an index");
        }
        let (slot, ty) = Slot::of(self.model, r);
        self.part_type(&slot, ty)
    }

    /// The type of the value that a reference has: no more than what it can hold.
    pub fn value(&mut self, r: &VarRef) -> Ty {
        let ty = self.reference(r);
        let Ty::Base(Base::Number { .. }) = ty else { return ty };
        match &self.flow {
            Some((_, values)) => {
                let (slot, declared) = Slot::of(self.model, r);
                let (low, high) = values.slot(&slot, declared);
                Ty::Base(Base::Number { low, high })
            }
            None => ty,
        }
    }

    /// What is ever sent in a field of the channels that a variable can hold.
    pub fn content(&self, channel: &VarRef, field: usize) -> Option<Range> {
        let (channels, values) = self.flow.as_ref()?;
        let (slot, _) = Slot::of(self.model, channel);
        let ranges = channels.held(&slot).filter_map(|site| values.field(site, field));
        Some(ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0)))
    }

    // Equations and demands.

    /// A value goes into a variable.
    pub fn assign(&mut self, into: &Ty, value: &Ty, span: Span, declared: Span, text: String) {
        match (into, value) {
            (Ty::Chan(a), Ty::Chan(b)) if self.pass == Pass::Flows => {
                self.equate(*a, *b, Why { span, text });
            }
            (Ty::Base(into), Ty::Base(value)) => {
                self.fit(*value, *into, span, declared, "this value");
            }
            (Ty::Struct(a), Ty::Struct(b)) if a.len() == b.len() => {
                for (a, b) in a.iter().zip(b) {
                    self.assign(a, b, span, declared, text.clone());
                }
            }
            (Ty::Chan(_), Ty::Base(value)) if value.is_zero() && !self.options.strict => {}
            (Ty::Chan(_), Ty::Base(value)) => {
                let value = value.show(self.model);
                let message = format!("a value of type {value} is assigned to a channel variable");
                self.channel_value(span, declared, message);
            }
            (Ty::Base(_), Ty::Chan(_)) => {
                let message = "a channel is assigned to a variable that is no channel".to_owned();
                self.channel_value(span, declared, message);
            }
            _ => {}
        }
    }

    fn channel_value(&mut self, span: Span, declared: Span, message: String) {
        let error = Diagnostic::error(codes::CHANNEL_VALUE, span, message);
        self.report(error.also(declared, "declared here"));
    }

    /// Makes two channel types equal.
    pub fn equate(&mut self, a: NodeId, b: NodeId, why: Why) {
        let options = self.options;
        // In the default rules a bit is a truth value.
        let agree = |x: Base, y: Base| {
            !options.strict && x.fits(y, options) == Fit::Yes && y.fits(x, options) == Fit::Yes
        };
        for clash in self.graph.unify(a, b, &why, agree) {
            self.clash(&clash, &why);
        }
    }

    fn clash(&mut self, clash: &Clash, why: &Why) {
        let (left, right) = (self.graph.origin(clash.left), self.graph.origin(clash.right));
        // The use is to blame rather than the declaration, the later place rather than the other.
        let swap = (left.declared, std::cmp::Reverse(left.span))
            < (right.declared, std::cmp::Reverse(right.span));
        let (first, second) =
            if swap { (clash.left, clash.right) } else { (clash.right, clash.left) };
        let (mut at, other) = (self.graph.origin(first), self.graph.origin(second));
        // Two declarations are right each for itself: what brings them together is not.
        let between = at.declared && other.declared;
        if between {
            at.span = why.span;
        }
        if !self.reported.insert(at.span) {
            return;
        }
        let inferred = self
            .demands
            .iter()
            .map(|d| (self.graph.find(d.field), d.base.show(self.model)))
            .collect();
        let writer = Writer { model: self.model, graph: &self.graph, inferred: &inferred };
        let (here, there) = (writer.show(first), writer.show(second));
        let kinds = (self.graph.own_kind(first), self.graph.own_kind(second));
        let mut severity = Severity::Error;
        let (code, message) = match kinds {
            (Kind::Tuple(x), Kind::Tuple(y)) => {
                let message = format!(
                    "messages of different lengths on the same channel: {} of type {here} and {} \
                     of type {there}",
                    fields(x.len()),
                    fields(y.len()),
                );
                (codes::MESSAGE_LENGTH, message)
            }
            (Kind::Base(x), Kind::Base(y)) => {
                let fits = [x.fits(*y, self.options), y.fits(*x, self.options)];
                if !self.options.strict && fits.contains(&Fit::Yes) {
                    severity = Severity::Warning;
                }
                let message = format!(
                    "channels with different fields are used as one: {here} does not agree with \
                     {there}"
                );
                (codes::MESSAGE_FIELD, message)
            }
            _ => {
                let message =
                    format!("a field of the same channel cannot be both {here} and {there}");
                (codes::MESSAGE_FIELD, message)
            }
        };
        let mut diagnostic = Diagnostic::new(severity, code, at.span, message);
        if between {
            let span = self.graph.origin(first).span;
            diagnostic = diagnostic.label("this makes them one");
            diagnostic = diagnostic.also(span, format!("declared with {here}"));
        } else {
            diagnostic = diagnostic.label(format!("{here} here"));
        }
        let role = if other.declared { "declared with" } else { "used with" };
        diagnostic = diagnostic.also(other.span, format!("{role} {there}"));
        let mut chain: Vec<&Why> = clash.chain.iter().collect();
        chain.sort_by_key(|why| why.span);
        for why in chain {
            let told = diagnostic.secondary.iter().any(|label| label.span == why.span);
            if why.span != at.span && !told {
                diagnostic = diagnostic.also(why.span, why.text.clone());
            }
        }
        self.found(diagnostic);
    }

    /// Whether a value fits, with a message if not.
    pub fn fit(&mut self, value: Base, into: Base, span: Span, declared: Span, what: &str) {
        let fit = value.fits(into, self.options);
        let (from, to) = (value.show(self.model), into.show(self.model));
        let (severity, code, message) = match fit {
            Fit::Yes => return,
            Fit::Narrow => {
                let severity = self.narrowing();
                (severity, codes::NARROWING, self.cut_off(value, into, what))
            }
            Fit::Mtype => {
                let message = format!("{what} mixes symbolic names and numbers: {from} into {to}");
                (Severity::Error, codes::MTYPE_NUMBER, message)
            }
            Fit::MtypeSets => {
                let message = format!("{what} is of another set of names: {from} into {to}");
                (Severity::Error, codes::MTYPE_SETS, message)
            }
            Fit::Bool => {
                let message = format!("{what} mixes bool and numbers: {from} into {to}");
                (Severity::Error, codes::BOOL_NUMBER, message)
            }
            Fit::Pid => {
                let message = format!("{what} mixes pid and numbers: {from} into {to}");
                (Severity::Error, codes::PID_NUMBER, message)
            }
        };
        let mut diagnostic = Diagnostic::new(severity, code, span, message);
        if declared != span {
            diagnostic = diagnostic.also(declared, format!("declared as {to}"));
        }
        self.report(diagnostic);
    }

    /// How bad it is that values may be cut off.
    pub fn narrowing(&self) -> Severity {
        if self.options.strict { Severity::Error } else { Severity::Warning }
    }

    pub fn cut_off(&self, value: Base, into: Base, what: &str) -> String {
        let ((low, high), (least, most)) = (value.range(), into.range());
        let to = into.show(self.model);
        if low == high {
            return format!("{what} is cut off: {low} into {to}, which has {least} to {most}");
        }
        let from = value.show(self.model);
        format!(
            "{what} may be cut off: values from {low} to {high} ({from}) into {to}, which has \
             {least} to {most}"
        )
    }

    /// Keeps a message about a use.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.pass == Pass::Uses && !self.graph.quiet {
            self.found(diagnostic);
        }
    }

    fn found(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
        // What is behind would not be read; explaining it takes time.
        self.graph.quiet |= self.diagnostics.len() >= MAX_DIAGNOSTICS;
    }

    /// Whether a statement is complained about for the first time.
    pub fn first_report(&mut self, statement: Span) -> bool {
        self.reported.insert(statement)
    }

    pub fn name_of(&self, r: &VarRef) -> String {
        pretty::var_ref(self.model, r)
    }
}

fn fields(count: usize) -> String {
    if count == 1 { "1 field".to_owned() } else { format!("{count} fields") }
}
