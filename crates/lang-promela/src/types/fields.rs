//! What sends and receives ask of the fields of messages, checked when all channels are known.

use std::collections::{BTreeMap, HashMap};

use everypath_model::{Diagnostic, Span};

use super::base::{Base, Fit};
use super::graph::{Kind, NodeId};
use super::infer::{Inference, Pass};
use crate::codes;
use crate::flow::values::Range;

/// What is done with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A value goes in.
    Sent,
    /// Its value goes into a variable.
    Received,
    /// A constant or `eval` is compared with it.
    Compared,
}

/// One use of a field.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    pub field: NodeId,
    pub base: Base,
    pub role: Role,
    /// What the field ever holds, if that is known.
    pub content: Option<Range>,
    pub span: Span,
    /// The statement that it belongs to.
    pub statement: Span,
}

impl Inference<'_> {
    /// Checks every demand; the texts of the fields that only uses give a type.
    pub(super) fn check_fields(&mut self) -> HashMap<NodeId, String> {
        self.pass = Pass::Uses;
        let demands = std::mem::take(&mut self.demands);
        let mut open: BTreeMap<NodeId, Vec<&Demand>> = BTreeMap::new();
        for demand in &demands {
            match self.graph.kind(demand.field) {
                Kind::Var => open.entry(self.graph.find(demand.field)).or_default().push(demand),
                _ => self.check_declared(demand),
            }
        }
        let mut texts = HashMap::new();
        for (field, uses) in open {
            if let Some(base) = self.check_inferred(&uses) {
                texts.insert(field, base.show(self.model));
            }
        }
        texts
    }

    /// A use of a field that a declaration, or the use of a channel, gives a type.
    fn check_declared(&mut self, demand: &Demand) {
        if self.graph.poisoned(demand.field) {
            return;
        }
        let Some((base, declared)) = self.declared_field(demand.field) else {
            let zero = demand.base.is_zero() && !self.options.strict;
            if !zero && self.first_report(demand.statement) {
                let Some(shape) = self.graph.shape(demand.field) else { return };
                let value = demand.base.show(self.model);
                let message =
                    format!("a field of the same channel cannot be both {value} and a channel");
                let error = Diagnostic::error(codes::MESSAGE_FIELD, demand.span, message);
                let other = self.graph.origin(shape).span;
                self.report(error.label(format!("{value} here")).also(other, "a channel here"));
            }
            return;
        };
        match demand.role {
            Role::Sent => self.message_fit(demand, demand.base, base, declared, "the message"),
            Role::Received => {
                let base = match (base, demand.content) {
                    (Base::Number { .. }, Some((low, high))) => Base::Number { low, high },
                    _ => base,
                };
                self.message_fit(demand, base, demand.base, declared, "the received value");
            }
            Role::Compared => {
                if demand.base.compares(base, self.options) != Fit::Yes {
                    self.message_fit(demand, demand.base, base, declared, "the pattern");
                }
            }
        }
    }

    fn message_fit(&mut self, demand: &Demand, from: Base, to: Base, other: Span, what: &str) {
        match from.fits(to, self.options) {
            Fit::Yes => {}
            Fit::Narrow => {
                let message = self.cut_off(from, to, what);
                let severity = self.narrowing();
                let diagnostic = Diagnostic::new(severity, codes::NARROWING, demand.span, message);
                self.report(diagnostic.also(other, "the channel is declared here"));
            }
            fit => {
                let code = match fit {
                    Fit::Bool => codes::BOOL_NUMBER,
                    Fit::Pid => codes::PID_NUMBER,
                    _ => codes::MESSAGE_FIELD,
                };
                let (here, there) = (demand.base, if from == demand.base { to } else { from });
                let (here, there) = (here.show(self.model), there.show(self.model));
                let message = format!("{what} does not fit the channel: {here} and {there}");
                let error = Diagnostic::error(code, demand.span, message);
                self.report(
                    error.label(format!("{here} here")).also(other, format!("{there} here")),
                );
            }
        }
    }

    /// Uses of a field without a declaration: what is sent must fit where it is received.
    fn check_inferred(&mut self, uses: &[&Demand]) -> Option<Base> {
        let mut bound: Option<(Base, Span)> = None;
        for demand in uses.iter().filter(|d| d.role == Role::Sent) {
            bound = match bound {
                None => Some((demand.base, demand.span)),
                Some((base, span)) => match base.join(demand.base) {
                    Some(joined) => Some((joined, span)),
                    None => {
                        self.message_fit(demand, demand.base, base, span, "the message");
                        return None;
                    }
                },
            };
        }
        for demand in uses.iter().filter(|d| d.role != Role::Sent) {
            match (bound, demand.role) {
                (None, _) => bound = Some((demand.base, demand.span)),
                (Some((base, span)), Role::Compared) => {
                    if base.compares(demand.base, self.options) != Fit::Yes {
                        self.message_fit(demand, demand.base, base, span, "the pattern");
                    }
                }
                (Some((base, span)), _) => {
                    self.message_fit(demand, base, demand.base, span, "the received value");
                }
            }
        }
        bound.map(|(base, _)| base)
    }
}
