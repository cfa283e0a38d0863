//! Expressions.

use everypath_model::{Diagnostic, Span};

use super::names::Class;
use super::varref::Use;
use super::{MAX_HEIGHT, Parse, Parser};
use crate::ast::{
    BinaryOp, Expr, ExprKind, MtypeId, Owner, Probe, ProcId, TemporalOp, Type, UnaryOp, VarRef,
};
use crate::codes;
use crate::lexer::{Kind, Token};

/// An expression while it is read.
pub(super) struct Operand {
    pub expr: Expr,
    /// Contains a channel probe.
    pub probe: bool,
    /// Contains a temporal operator.
    pub temporal: bool,
    /// Height of the tree.
    height: u32,
}

impl Operand {
    pub(super) fn leaf(kind: ExprKind, span: Span) -> Operand {
        Operand { expr: Expr { kind, span }, probe: false, temporal: false, height: 1 }
    }
}

/// A `run` whose proctype may come later.
pub(crate) struct RunCheck {
    proctype: ProcId,
    arguments: usize,
    /// The set of each argument that is a symbolic name.
    constants: Vec<(usize, MtypeId, Span)>,
    span: Span,
}

/// An infix operator.
#[derive(Clone, Copy)]
enum Infix {
    Plain(BinaryOp),
    Temporal(TemporalOp),
}

impl<'a> Parser<'a> {
    /// An expression up to the end of the text.
    pub(super) fn whole_expression(&mut self) -> Parse<Expr> {
        let runs = self.runs;
        let expr = if self.in_ltl { self.expr()? } else { self.full_expr()? };
        if !self.at(Kind::Eof) {
            return Err(self.unexpected("an operator or the end of the expression"));
        }
        self.no_run_since(runs, expr.span);
        self.check_mentions();
        Ok(expr)
    }

    /// An expression that may contain channel probes.
    pub(super) fn full_expr(&mut self) -> Parse<Expr> {
        Ok(self.operand(0)?.expr)
    }

    /// An expression without channel probes.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        let operand = self.operand(0)?;
        self.no_probe(&operand)?;
        Ok(operand.expr)
    }

    /// The rest of an expression that starts with this operand.
    pub(super) fn full_expr_after(&mut self, start: Token, first: Operand) -> Parse<Expr> {
        Ok(self.infix(start, first, 0)?.expr)
    }

    /// Reports a probe in a place where it cannot stand.
    pub(super) fn no_probe(&mut self, operand: &Operand) -> Parse<()> {
        if !operand.probe {
            return Ok(());
        }
        let message = "full, empty, nfull and nempty can only be combined with && and ||";
        let error = Diagnostic::error(codes::PROBE, operand.expr.span, message).help(
            "use the opposite probe (full and nfull, empty and nempty), or compare len() with a number",
        );
        Err(self.report(error))
    }

    /// Operators of at least this precedence.
    pub(super) fn operand(&mut self, min: u8) -> Parse<Operand> {
        let start = self.peek();
        let first = self.prefixed()?;
        self.infix(start, first, min)
    }

    fn infix(&mut self, start: Token, mut left: Operand, min: u8) -> Parse<Operand> {
        while let Some((op, precedence)) = self.infix_operator() {
            if precedence < min {
                break;
            }
            let token = self.bump_operator(op);
            let right = self.operand(precedence + 1)?;
            left = self.combine(start, token, op, left, right)?;
        }
        Ok(left)
    }

    fn infix_operator(&mut self) -> Option<(Infix, u8)> {
        use BinaryOp::*;
        let (op, precedence) = match self.kind() {
            Kind::OrOr => (Or, 2),
            Kind::AndAnd => (And, 3),
            Kind::Pipe => (BitOr, 5),
            Kind::Caret => (BitXor, 6),
            Kind::Amp => (BitAnd, 7),
            Kind::Eq => (Eq, 8),
            Kind::Ne => (Ne, 8),
            Kind::Lt if self.in_ltl && self.joined(Kind::Arrow) => {
                return Some((Infix::Temporal(TemporalOp::Equivalent), 1));
            }
            Kind::Lt => (Lt, 9),
            Kind::Le => (Le, 9),
            Kind::Gt => (Gt, 9),
            Kind::Ge => (Ge, 9),
            Kind::Shl => (Shl, 10),
            Kind::Shr => (Shr, 10),
            Kind::Plus => (Add, 11),
            Kind::Minus => (Sub, 11),
            Kind::Star => (Mul, 12),
            Kind::Slash if self.in_ltl && self.joined(Kind::Backslash) => (And, 3),
            Kind::Slash => (Div, 12),
            Kind::Percent => (Rem, 12),
            Kind::Backslash if self.in_ltl && self.joined(Kind::Slash) => (Or, 2),
            Kind::Arrow if self.in_ltl => return Some((Infix::Temporal(TemporalOp::Implies), 1)),
            Kind::Ident if self.in_ltl => return self.temporal_word(),
            _ => return None,
        };
        Some((Infix::Plain(op), precedence))
    }

    /// Takes an operator, which may be two tokens in a formula.
    fn bump_operator(&mut self, op: Infix) -> Token {
        let token = self.bump();
        let two = matches!(
            (token.kind, op),
            (Kind::Lt, Infix::Temporal(_))
                | (Kind::Backslash, _)
                | (Kind::Slash, Infix::Plain(BinaryOp::And))
        );
        if two {
            self.bump();
        }
        token
    }

    fn temporal_word(&mut self) -> Option<(Infix, u8)> {
        let token = self.peek();
        let (op, precedence) = match self.text_of(token) {
            "U" | "until" | "stronguntil" => (TemporalOp::Until, 4),
            "W" | "weakuntil" => (TemporalOp::WeakUntil, 4),
            "V" | "release" => (TemporalOp::Release, 4),
            "implies" => (TemporalOp::Implies, 1),
            "equivalent" => (TemporalOp::Equivalent, 1),
            _ => return None,
        };
        Some((Infix::Temporal(op), precedence))
    }

    fn combine(
        &mut self,
        start: Token,
        operator: Token,
        op: Infix,
        left: Operand,
        right: Operand,
    ) -> Parse<Operand> {
        let connective = matches!(op, Infix::Plain(BinaryOp::And | BinaryOp::Or));
        if !connective {
            self.no_probe(&left)?;
            self.no_probe(&right)?;
        }
        self.note_channel_operand(&left.expr);
        self.note_channel_operand(&right.expr);
        let height = left.height.max(right.height) + 1;
        if height > MAX_HEIGHT {
            let span = self.span(operator);
            let message = format!("an expression of more than {MAX_HEIGHT} operators in a row");
            let failed = self.error(codes::NESTING, span, message);
            self.stopped = true;
            return Err(failed);
        }
        let temporal = left.temporal || right.temporal;
        if temporal && (left.probe || right.probe) {
            let message = "a channel probe next to a temporal formula";
            let span = self.span_from(start);
            let error = Diagnostic::error(codes::PROBE, span, message);
            return Err(self.report(error.help("compare len() with a number")));
        }
        let probe = left.probe || right.probe;
        let span = self.span_from(start);
        let (left, right) = (left.expr, right.expr);
        let (kind, temporal) = match op {
            Infix::Temporal(op) => (ExprKind::Temporal(op, vec![left, right]), true),
            Infix::Plain(op) if temporal => {
                let op = match op {
                    BinaryOp::And => TemporalOp::And,
                    BinaryOp::Or => TemporalOp::Or,
                    _ => return Err(self.temporal_operand(operator)),
                };
                (ExprKind::Temporal(op, vec![left, right]), true)
            }
            Infix::Plain(op) => (ExprKind::Binary(op, Box::new(left), Box::new(right)), false),
        };
        Ok(Operand { expr: Expr { kind, span }, probe, temporal, height })
    }

    /// The defect of SPIN that we refuse: `[] x == 0` would compare a formula with a number.
    fn temporal_operand(&mut self, operator: Token) -> super::Failed {
        let span = self.span(operator);
        let message = format!("{} is applied to a temporal formula", operator.kind.describe());
        self.report(
            Diagnostic::error(codes::LTL_PARENTHESES, span, message)
                .label("temporal operators bind tighter than this one")
                .help("put the proposition in parentheses, as in `[] (x == 0)`"),
        )
    }

    /// Prefix operators and what they apply to.
    fn prefixed(&mut self) -> Parse<Operand> {
        let start = self.peek();
        let op = match start.kind {
            Kind::Bang => UnaryOp::Not,
            Kind::Minus => UnaryOp::Neg,
            Kind::Tilde => UnaryOp::Complement,
            _ if self.in_ltl => {
                if let Some(op) = self.temporal_prefix() {
                    return self.temporal_unary(start, op);
                }
                return self.primary();
            }
            _ => return self.primary(),
        };
        self.bump();
        let operand = self.nested(|p| p.prefixed())?;
        self.no_probe(&operand)?;
        self.note_channel_operand(&operand.expr);
        let span = self.span_from(start);
        let height = operand.height + 1;
        if operand.temporal {
            if op != UnaryOp::Not {
                return Err(self.temporal_operand(start));
            }
            let kind = ExprKind::Temporal(TemporalOp::Not, vec![operand.expr]);
            return Ok(Operand { expr: Expr { kind, span }, height, probe: false, temporal: true });
        }
        let kind = ExprKind::Unary(op, Box::new(operand.expr));
        Ok(Operand { expr: Expr { kind, span }, height, probe: false, temporal: false })
    }

    /// Takes a temporal prefix operator if there is one.
    fn temporal_prefix(&mut self) -> Option<TemporalOp> {
        let token = self.peek();
        let op = match token.kind {
            Kind::LBracket if self.joined(Kind::RBracket) => TemporalOp::Always,
            Kind::Lt if self.joined(Kind::Gt) => TemporalOp::Eventually,
            Kind::Ident => match self.text_of(token) {
                "X" | "next" => TemporalOp::Next,
                "always" => TemporalOp::Always,
                "eventually" => TemporalOp::Eventually,
                _ => return None,
            },
            _ => return None,
        };
        self.bump();
        if token.kind != Kind::Ident {
            self.bump();
        }
        Some(op)
    }

    fn temporal_unary(&mut self, start: Token, op: TemporalOp) -> Parse<Operand> {
        let operand = self.nested(|p| p.prefixed())?;
        self.no_probe(&operand)?;
        let kind = ExprKind::Temporal(op, vec![operand.expr]);
        let expr = Expr { kind, span: self.span_from(start) };
        Ok(Operand { expr, probe: false, temporal: true, height: operand.height + 1 })
    }

    fn primary(&mut self) -> Parse<Operand> {
        let token = self.peek();
        let kind = match token.kind {
            Kind::LParen => return self.nested(|p| p.parenthesized()),
            Kind::Number => {
                self.bump();
                let value = self.number(token);
                self.note_written(token, value);
                ExprKind::Const(value)
            }
            Kind::Char => {
                self.bump();
                ExprKind::Const(self.character(token))
            }
            Kind::True | Kind::Skip | Kind::False => {
                self.bump();
                let value = i32::from(token.kind != Kind::False);
                self.note_written(token, value);
                ExprKind::Const(value)
            }
            Kind::Timeout => {
                self.bump();
                ExprKind::Timeout
            }
            Kind::Np => {
                self.bump();
                let claim = self.process.as_ref().is_some_and(|p| p.owner == Owner::Claim);
                if self.process.is_some() && !claim {
                    let span = self.span(token);
                    self.error(codes::CLAIM, span, "`np_` outside of a claim");
                }
                ExprKind::NonProgress
            }
            Kind::Ident => return self.name_operand(Use::Value),
            Kind::Len => {
                self.bump();
                ExprKind::Len(self.channel_in_parentheses()?)
            }
            Kind::Full | Kind::Empty | Kind::Nfull | Kind::Nempty => {
                self.bump();
                let probe = match token.kind {
                    Kind::Full => Probe::Full,
                    Kind::Empty => Probe::Empty,
                    Kind::Nfull => Probe::NotFull,
                    _ => Probe::NotEmpty,
                };
                let channel = self.channel_in_parentheses()?;
                let span = self.span_from(token);
                let operand = Operand::leaf(ExprKind::Probe(probe, channel), span);
                return Ok(Operand { probe: true, ..operand });
            }
            Kind::Enabled => ExprKind::Enabled(self.one_argument()?),
            Kind::PcValue => ExprKind::PcValue(self.one_argument()?),
            Kind::GetPriority => ExprKind::GetPriority(self.one_argument()?),
            Kind::Run => self.run()?,
            Kind::CExpr => {
                self.bump();
                let (precondition, text) = self.c_fragment()?;
                ExprKind::C { precondition, text }
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Operand::leaf(kind, self.span_from(token)))
    }

    /// Counts operators on channels: an assignment may not contain any.
    fn note_channel_operand(&mut self, operand: &Expr) {
        if let ExprKind::Var(reference) = &operand.kind {
            let plain = reference.fields.is_empty() && !self.is_unknown(reference.var);
            self.channel_operands += usize::from(plain && self.type_of(reference) == Type::Chan);
        }
    }

    /// `(e)` or `(c -> a : b)`
    fn parenthesized(&mut self) -> Parse<Operand> {
        let open = self.bump();
        let first = self.operand(0)?;
        if self.at(Kind::Arrow) && !self.in_ltl {
            self.no_probe(&first)?;
            self.bump();
            let then = self.operand(0)?;
            self.no_probe(&then)?;
            self.expect(Kind::Colon, "in the conditional expression")?;
            let other = self.operand(0)?;
            self.no_probe(&other)?;
            self.expect(Kind::RParen, "after the conditional expression")?;
            for operand in [&first, &then, &other] {
                self.note_channel_operand(&operand.expr);
            }
            let height = first.height.max(then.height).max(other.height) + 1;
            let (c, a, b) = (Box::new(first.expr), Box::new(then.expr), Box::new(other.expr));
            let expr = Expr { kind: ExprKind::Cond(c, a, b), span: self.span_from(open) };
            return Ok(Operand { expr, probe: false, temporal: false, height });
        }
        self.expect(Kind::RParen, "after the expression")?;
        Ok(first)
    }

    fn one_argument(&mut self) -> Parse<Box<Expr>> {
        let word = self.bump();
        self.expect(Kind::LParen, &format!("after {}", word.kind.describe()))?;
        let expr = self.nested(|p| p.expr())?;
        self.expect(Kind::RParen, "after the argument")?;
        Ok(Box::new(expr))
    }

    fn channel_in_parentheses(&mut self) -> Parse<VarRef> {
        self.expect(Kind::LParen, "before the channel")?;
        let channel = self.varref(Use::Value)?;
        self.expect(Kind::RParen, "after the channel")?;
        self.check_channel(&channel);
        Ok(channel)
    }

    /// Something that starts with a word: a variable, a symbolic name, a remote reference.
    pub(super) fn name_operand(&mut self, usage: Use) -> Parse<Operand> {
        let token = self.peek();
        match self.class(token) {
            Class::Name => {}
            Class::Constant(set, value) => {
                self.bump();
                return Ok(Operand::leaf(ExprKind::Mtype(set, value), self.span(token)));
            }
            Class::Proctype(id) => {
                self.bump();
                return self.remote(token, id);
            }
            Class::Inline(_) => {
                let name = self.text_of(token);
                let message = format!("inline `{name}` is called inside an expression");
                let span = self.span(token);
                let error = Diagnostic::error(codes::INLINE, span, message)
                    .help("call it as a statement, or as `variable = name(arguments)`");
                return Err(self.report(error));
            }
            Class::Type(_) => return Err(self.unexpected("an expression")),
        }
        let name = self.text_of(token);
        if self.in_ltl
            && matches!(
                name,
                "U" | "V"
                    | "W"
                    | "until"
                    | "stronguntil"
                    | "weakuntil"
                    | "release"
                    | "implies"
                    | "equivalent"
            )
        {
            return Err(self.unexpected("a formula before the operator"));
        }
        let known = self.lookup(name).is_some();
        if !known {
            if let Some(kind) = self.predefined(token)? {
                self.bump();
                return Ok(Operand::leaf(kind, self.span(token)));
            }
            if let Some(&id) = self.names.proc_names.get(name)
                && matches!(self.behind(), Kind::At | Kind::LBracket | Kind::Colon)
            {
                self.bump();
                return self.remote(token, id);
            }
        }
        self.bump();
        let reference = self.varref_after(token, usage)?;
        self.after_varref(token, reference)
    }

    /// A reference that may be the channel of a poll.
    pub(super) fn after_varref(&mut self, token: Token, reference: VarRef) -> Parse<Operand> {
        if matches!(self.kind(), Kind::Query | Kind::QueryQuery)
            && self.stream.raw_peek(0).is_some_and(|t| t.kind == Kind::LBracket)
        {
            return self.poll(token, reference);
        }
        let span = reference.span;
        Ok(Operand::leaf(ExprKind::Var(reference), span))
    }

    fn predefined(&mut self, token: Token) -> Parse<Option<ExprKind>> {
        Ok(Some(match self.text_of(token) {
            "_pid" => ExprKind::Pid,
            "_last" => ExprKind::Last,
            "_nr_pr" => ExprKind::ProcessCount,
            "_priority" => ExprKind::Priority,
            "_p" => {
                let span = self.span(token);
                ExprKind::PcValue(Box::new(Expr { kind: ExprKind::Pid, span }))
            }
            "_" if self.process.as_ref().is_some_and(|p| p.is_trace) => ExprKind::Any,
            "_" => {
                let span = self.span(token);
                let error = Diagnostic::error(codes::READ_ONLY, span, "`_` has no value to read");
                return Err(self.report(error.label("it can only be written")));
            }
            _ => return Ok(None),
        }))
    }

    /// What follows the name of a proctype: `[e]@label`, `@label`, `[e]:v`, `:v`.
    fn remote(&mut self, token: Token, proctype: ProcId) -> Parse<Operand> {
        let mut index = None;
        if self.eat(Kind::LBracket) {
            index = Some(Box::new(self.nested(|p| p.expr())?));
            self.expect(Kind::RBracket, "after the process number")?;
        }
        match self.kind() {
            Kind::At => {
                self.bump();
                let name = self.expect_ident("the name of a label")?;
                let label = self.remote_label(proctype, name);
                let kind = ExprKind::RemoteLabel { proctype, index, label };
                Ok(Operand::leaf(kind, self.span_from(token)))
            }
            Kind::Colon => {
                self.bump();
                let name = self.expect_ident("the name of a variable")?;
                let var = self.remote_var(proctype, name);
                let mut element = None;
                if self.eat(Kind::LBracket) {
                    element = Some(Box::new(self.nested(|p| p.expr())?));
                    self.expect(Kind::RBracket, "after the index")?;
                }
                let span = self.span_from(token);
                self.remote_uses.push((var, element.is_some(), span));
                let kind = ExprKind::RemoteVar { proctype, index, var, element };
                Ok(Operand::leaf(kind, span))
            }
            Kind::LParen => Err(self.call_without_run(token)),
            _ => Err(self.unexpected("`@label` or `:variable` of the proctype")),
        }
    }

    fn expect_ident(&mut self, wanted: &str) -> Parse<Token> {
        if self.at(Kind::Ident) {
            return Ok(self.bump());
        }
        Err(self.unexpected(wanted))
    }

    /// `run name (arguments) [priority n]`
    fn run(&mut self) -> Parse<ExprKind> {
        let word = self.bump();
        self.runs += 1;
        let name = self.peek();
        if name.kind != Kind::Ident {
            return Err(self.unexpected("the name of a proctype"));
        }
        self.bump();
        let text = self.text_of(name);
        let Some(&proctype) = self.names.proc_names.get(text) else {
            let span = self.span(name);
            let mut error = Diagnostic::error(
                codes::UNKNOWN_PROCTYPE,
                span,
                format!("unknown proctype `{text}`"),
            );
            let names = self.names.proc_names.keys().copied();
            if let Some(similar) = everypath_model::most_similar(text, names) {
                error = error.help(format!("did you mean `{similar}`?"));
            }
            return Err(self.report(error));
        };
        self.expect(Kind::LParen, "before the arguments")?;
        let runs = self.runs;
        let args = self.nested(|p| p.arguments())?;
        if self.runs != runs {
            let span = self.span_from(word);
            self.error(codes::RUN, span, "`run` inside the arguments of `run`");
        }
        self.expect(Kind::RParen, "after the arguments")?;
        let span = self.span_from(word);
        let arguments = args.iter().map(|arg| self.width_of_argument(arg)).sum();
        let constants = args.iter().enumerate().filter_map(|(i, arg)| match arg.kind {
            ExprKind::Mtype(set, _) => Some((i, set, arg.span)),
            _ => None,
        });
        let constants = constants.collect();
        self.run_checks.push(RunCheck { proctype, arguments, constants, span });
        let priority = if self.eat(Kind::Priority) { Some(self.priority_value()?) } else { None };
        if self.in_d_step {
            self.error(codes::D_STEP, span, "`run` inside a d_step");
        }
        Ok(ExprKind::Run { proctype, args, priority })
    }

    /// Expressions up to the closing parenthesis.
    pub(super) fn arguments(&mut self) -> Parse<Vec<Expr>> {
        let mut args = Vec::new();
        if self.at(Kind::RParen) {
            return Ok(args);
        }
        loop {
            args.push(self.message_expr()?);
            if !self.eat(Kind::Comma) {
                return Ok(args);
            }
        }
    }

    /// An expression, or a structure that stands for its fields.
    pub(super) fn message_expr(&mut self) -> Parse<Expr> {
        let token = self.peek();
        let operand = if token.kind == Kind::Ident {
            let first = self.name_operand(Use::Message)?;
            let structure = self.is_structure(&first.expr);
            let operand = self.infix(token, first, 0)?;
            if structure && !matches!(operand.expr.kind, ExprKind::Var(_)) {
                let message = "a structure is used as an operand";
                self.error(codes::STRUCTURE, operand.expr.span, message);
            }
            operand
        } else {
            self.operand(0)?
        };
        self.no_probe(&operand)?;
        Ok(operand.expr)
    }

    fn is_structure(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(reference) if !self.is_unknown(reference.var) => {
                matches!(self.type_of(reference), Type::Struct(_))
            }
            _ => false,
        }
    }

    /// How many values an argument is.
    pub(super) fn width_of_argument(&self, arg: &Expr) -> usize {
        match &arg.kind {
            ExprKind::Var(reference) => self.width_of(self.type_of(reference)),
            _ => 1,
        }
    }

    /// Compares the arguments of each `run` with its proctype.
    pub(super) fn check_runs(&mut self) {
        for check in std::mem::take(&mut self.run_checks) {
            let info = &self.names.procs[check.proctype.index()];
            let Some(arity) = info.arity.filter(|&n| n != check.arguments) else {
                self.check_run_types(&check);
                continue;
            };
            let message = format!(
                "proctype `{}` takes {arity} {}, not {}",
                info.name,
                if arity == 1 { "argument" } else { "arguments" },
                check.arguments
            );
            self.error(codes::ARITY, check.span, message);
        }
    }

    /// A symbolic name has to be of the set that the parameter has.
    fn check_run_types(&mut self, check: &RunCheck) {
        let Some(proctype) = self.model.proctypes.get(check.proctype.index()) else { return };
        let types: Vec<Type> =
            proctype.params.iter().map(|p| self.model.vars[p.index()].ty).collect();
        if types.iter().any(|ty| matches!(ty, Type::Struct(_))) {
            return;
        }
        for &(position, set, span) in &check.constants {
            if let Some(Type::Mtype(wanted)) = types.get(position)
                && *wanted != set
            {
                let message = "the symbolic name is not of the mtype of the parameter";
                self.error(codes::MTYPE, span, message);
            }
        }
    }

    /// Labels and variables that were mentioned but never defined.
    pub(super) fn check_mentions(&mut self) {
        let mut errors = Vec::new();
        for info in &self.names.procs {
            let labels = info.label_ids.iter().filter(|(_, m)| !m.defined).map(|(name, m)| {
                let message = format!("proctype `{}` has no label `{name}`", info.name);
                (m.span, codes::UNKNOWN_LABEL, message)
            });
            let vars = info.vars.iter().filter(|(_, m)| !m.defined).map(|(name, m)| {
                let message = format!("proctype `{}` has no variable `{name}`", info.name);
                (m.span, codes::UNKNOWN_NAME, message)
            });
            errors.extend(labels.chain(vars));
        }
        if errors.is_empty() {
            for (id, indexed, span) in std::mem::take(&mut self.remote_uses) {
                let var = &self.model.vars[id.index()];
                let name = &var.name;
                if matches!(var.ty, Type::Struct(_)) {
                    let message = format!("the fields of `{name}` cannot be seen from outside");
                    errors.push((span, codes::STRUCTURE, message));
                } else if indexed && var.array.is_none() {
                    let message = format!("`{name}` is not an array");
                    errors.push((span, codes::INDEX_ON_SCALAR, message));
                } else if !indexed && var.array.is_some() {
                    let message = format!("array `{name}` needs an index here");
                    errors.push((span, codes::MISSING_INDEX, message));
                }
            }
        }
        errors.sort();
        for (span, code, message) in errors {
            self.error(code, span, message);
        }
    }

    /// Notes where a constant is written, if it is all that stands there: a macro may have more in it.
    pub(super) fn note_written(&mut self, token: Token, value: i32) {
        let (start, end) = (token.start as usize, token.end as usize);
        let at = (self.places)(start, end);
        let before = self.text.get(..start).unwrap_or("");
        let before = before.trim_end_matches(|c: char| c.is_whitespace() || c == '(');
        let behind = self.text.get(end..).unwrap_or("");
        let rest = behind.trim_start_matches(|c: char| c.is_whitespace() || c == ')');
        let next = end + behind.len() - rest.len();
        let alone = |from: usize, to: usize| (self.places)(from, to) != at;
        let last = before.char_indices().next_back().map_or(0, |(index, _)| index);
        let first = before.is_empty() || alone(last, before.len());
        let width = rest.chars().next().map_or(0, char::len_utf8);
        if first && (rest.is_empty() || alone(next, next + width)) {
            let place = self.span(token);
            self.written.push((place, value, at));
        }
    }

    /// The value of a number, cut to 32 bits.
    pub(super) fn number(&mut self, token: Token) -> i32 {
        let text = self.text_of(token);
        let value = text.parse::<i64>().unwrap_or(i64::MAX);
        let cut = value as i32;
        if i64::from(cut) != value {
            let span = self.span(token);
            let message = format!("`{text}` does not fit into 32 bits; it is read as {cut}");
            self.warn(codes::NUMBER, span, message);
        }
        cut
    }

    /// The value of a character literal.
    pub(super) fn character(&mut self, token: Token) -> i32 {
        let bytes = self.text_of(token).as_bytes();
        let value = match bytes {
            [b'\'', b'\\', escape, b'\''] => match escape {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'f' => 0x0c,
                other => *other,
            },
            [_, byte, ..] => *byte,
            _ => 0,
        };
        i32::from(value)
    }

    /// `[condition] { text }` of embedded C.
    pub(super) fn c_fragment(&mut self) -> Parse<(Option<String>, String)> {
        let mut precondition = None;
        if self.at(Kind::CCondition) {
            let token = self.bump();
            precondition = Some(self.text_of(token).to_string());
        }
        let token = self.expect(Kind::CText, "in braces")?;
        Ok((precondition, self.text_of(token).to_string()))
    }
}
