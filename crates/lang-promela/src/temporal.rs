//! Formulas over a model: the temporal operators go to the formula, what is between them becomes
//! its propositions.

use everypath_property::ltl::{Formula, Formulas, Node};

use crate::ast::{BinaryOp, Expr, ExprKind, Model, TemporalOp, UnaryOp};
use crate::pretty;

/// Formulas with the expressions that their propositions stand for.
#[derive(Clone, Debug, Default)]
pub struct Propositions {
    /// The formulas.
    pub formulas: Formulas,
    /// What each of their atoms is.
    pub conditions: Vec<Expr>,
}

impl Propositions {
    /// The formula of an expression with or without temporal operators.
    pub fn formula(&mut self, model: &Model, e: &Expr) -> Formula {
        match &e.kind {
            ExprKind::Temporal(op, args) => {
                let parts: Vec<Formula> =
                    args.iter().map(|part| self.formula(model, part)).collect();
                self.temporal(*op, &parts)
            }
            ExprKind::Const(value) if *value == 0 => Formulas::FALSE,
            ExprKind::Const(_) => Formulas::TRUE,
            ExprKind::Unary(UnaryOp::Not, a) => {
                let a = self.formula(model, a);
                self.formulas.not(a)
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let parts = [self.formula(model, a), self.formula(model, b)];
                self.formulas.and(parts)
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                let parts = [self.formula(model, a), self.formula(model, b)];
                self.formulas.or(parts)
            }
            _ => {
                let atom = self.formulas.atom(&pretty::expr(model, e));
                if self.formulas.atoms().len() > self.conditions.len() {
                    self.conditions.push(e.clone());
                }
                atom
            }
        }
    }

    fn temporal(&mut self, op: TemporalOp, parts: &[Formula]) -> Formula {
        let formulas = &mut self.formulas;
        let (a, b) = match *parts {
            [a, b, ..] => (a, b),
            [a] => (a, a),
            [] => return Formulas::TRUE,
        };
        match op {
            TemporalOp::Always => formulas.always(a),
            TemporalOp::Eventually => formulas.eventually(a),
            TemporalOp::Next => formulas.next(a),
            TemporalOp::Until => formulas.until(a, b),
            TemporalOp::WeakUntil => formulas.weak(a, b),
            TemporalOp::Release => formulas.release(a, b),
            TemporalOp::Not => formulas.not(a),
            TemporalOp::And => formulas.and(parts.iter().copied()),
            TemporalOp::Or => formulas.or(parts.iter().copied()),
            TemporalOp::Implies => formulas.implies(a, b),
            TemporalOp::Equivalent => formulas.iff(a, b),
        }
    }

    /// A formula of another table, whose atoms are these expressions.
    pub fn import(
        &mut self,
        model: &Model,
        other: &Formulas,
        formula: Formula,
        atoms: &[Expr],
    ) -> Formula {
        let mut made: Vec<(Formula, Formula)> = Vec::new();
        for part in other.subformulas(formula) {
            let of = |f: Formula| made.iter().find(|(old, _)| *old == f).map_or(f, |(_, new)| *new);
            let new = match other.node(part) {
                Node::True => Formulas::TRUE,
                Node::False => Formulas::FALSE,
                Node::Atom(atom) => self.formula(model, &atoms[atom.index()]),
                &Node::Not(a) => self.formulas.not(of(a)),
                Node::And(parts) => self.formulas.and(parts.iter().map(|&part| of(part))),
                Node::Or(parts) => self.formulas.or(parts.iter().map(|&part| of(part))),
                &Node::Xor(a, b) => self.formulas.xor(of(a), of(b)),
                &Node::Implies(a, b) => self.formulas.implies(of(a), of(b)),
                &Node::Iff(a, b) => self.formulas.iff(of(a), of(b)),
                &Node::Next(a) => self.formulas.next(of(a)),
                &Node::Until(a, b) => self.formulas.until(of(a), of(b)),
                &Node::Weak(a, b) => self.formulas.weak(of(a), of(b)),
                &Node::Release(a, b) => self.formulas.release(of(a), of(b)),
                &Node::Strong(a, b) => self.formulas.strong(of(a), of(b)),
            };
            made.push((part, new));
        }
        made.last().map_or(formula, |(_, new)| *new)
    }
}
