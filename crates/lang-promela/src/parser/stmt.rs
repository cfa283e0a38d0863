//! Statements.

use everypath_model::{Diagnostic, Severity, Span};

use super::expr::Operand;
use super::habits;
use super::names::Class;
use super::varref::Use;
use super::{Parse, Parser, ends_sequence, starts_unit};
use crate::ast::{
    BinaryOp, Expr, ExprKind, ForRange, Init, LabelId, Stmt, StmtKind, Target, Type, VarId, VarRef,
};
use crate::codes;
use crate::lexer::{Kind, Token};

/// Ranges up to this size become a choice.
const MAX_CHOICE: i64 = 32;

impl<'a> Parser<'a> {
    /// Steps up to the end of the block or option; at least one.
    pub(super) fn sequence(&mut self, out: &mut Vec<Stmt>) -> Parse<()> {
        self.guarded(out).map(|_| ())
    }

    /// The same, and whether `->` stands behind the first of them.
    fn guarded(&mut self, out: &mut Vec<Stmt>) -> Parse<bool> {
        let mut arrow = None;
        loop {
            let step = self.step(out);
            if step.is_err() {
                self.synchronize();
            }
            let separated = matches!(self.kind(), Kind::Semi | Kind::Arrow);
            let arrow = *arrow.get_or_insert(self.at(Kind::Arrow));
            while matches!(self.kind(), Kind::Semi | Kind::Arrow) {
                self.bump();
            }
            let kind = self.kind();
            if ends_sequence(kind) {
                return Ok(arrow);
            }
            if !separated && step.is_ok() {
                self.unexpected("`;` or `->` between two statements");
                self.synchronize();
                while matches!(self.kind(), Kind::Semi | Kind::Arrow) {
                    self.bump();
                }
                if ends_sequence(self.kind()) {
                    return Ok(arrow);
                }
            }
        }
    }

    /// A declaration or a statement, possibly with an escape.
    fn step(&mut self, out: &mut Vec<Stmt>) -> Parse<()> {
        if self.starts_declaration() {
            return self.local_declaration(out);
        }
        if let Some(process) = &mut self.process
            && process.startup.is_none()
            && !matches!(self.peeked.map(|t| t.kind), Some(Kind::Xr | Kind::Xs))
        {
            process.startup = Some(process.locals.len());
        }
        if matches!(self.kind(), Kind::Xr | Kind::Xs) {
            let stmt = self.exclusive()?;
            out.push(stmt);
            return Ok(());
        }
        let start = self.peek();
        let stmt = self.nested(|p| p.statement())?;
        if !self.at(Kind::Unless) {
            out.push(stmt);
            return Ok(());
        }
        let word = self.bump();
        let escape = self.nested(|p| p.statement())?;
        let span = self.span_from(start);
        let block =
            matches!(stmt.kind, StmtKind::Block { .. } | StmtKind::Atomic(_) | StmtKind::DStep(_));
        if !escape.labels.is_empty() {
            let message = "a label on the escape of `unless`";
            self.error(codes::LABEL_PLACE, escape.span, message);
        }
        if !stmt.labels.is_empty() && !block && !is_loop(&stmt.kind) {
            let span = self.span(word);
            let message = "`unless` behind a labelled statement that is not a block";
            self.error(codes::LABEL_PLACE, span, message);
        }
        if self.in_d_step {
            let message = "`unless` inside a d_step has no effect";
            self.warn(codes::D_STEP, span, message);
        }
        let kind = StmtKind::Unless(Box::new(stmt), Box::new(escape));
        out.push(Stmt { kind, span, labels: Vec::new() });
        Ok(())
    }

    /// `xr q, ...` or `xs q, ...`
    fn exclusive(&mut self) -> Parse<Stmt> {
        let word = self.bump();
        let mut channels = Vec::new();
        loop {
            let token = self.peek();
            let channel = self.varref(Use::InlineArgument)?;
            self.check_channel(&channel);
            if self.model.vars[channel.var.index()].array.is_some() {
                let span = self.span(token);
                let message = "exclusive access to an element of an array of channels";
                self.error(codes::CHANNEL, span, message);
            }
            channels.push(channel);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        let kind = StmtKind::Exclusive { send: word.kind == Kind::Xs, channels };
        Ok(Stmt { kind, span: self.span_from(word), labels: Vec::new() })
    }

    /// A statement with its labels.
    fn statement(&mut self) -> Parse<Stmt> {
        let mut labels: Vec<LabelId> = Vec::new();
        let mut last = None;
        while self.at_label() {
            let token = self.bump();
            self.bump();
            labels.push(self.define_label(token));
            last = Some(token);
        }
        let start = self.peek();
        if let Some(failed) = self.foreign_statement() {
            return Err(failed);
        }
        if let Some(label) = last {
            if ends_sequence(start.kind) || matches!(start.kind, Kind::Semi | Kind::Arrow) {
                let span = self.span(label);
                let kind = StmtKind::Expr(Expr { kind: ExprKind::Const(1), span });
                return Ok(Stmt { kind, span, labels });
            }
            if self.starts_declaration() {
                let span = self.span(label);
                let message = "a label before a declaration";
                let error = Diagnostic::error(codes::LABEL_PLACE, span, message);
                return Err(self.report(error.help("move the label to the next statement")));
            }
        }
        let (kind, span) = self.statement_kind(start)?;
        Ok(Stmt { kind, span, labels })
    }

    fn at_label(&mut self) -> bool {
        let token = self.peek();
        token.kind == Kind::Ident
            && matches!(self.class(token), Class::Name)
            && self.behind() == Kind::Colon
    }

    fn statement_kind(&mut self, start: Token) -> Parse<(StmtKind, Span)> {
        let kind = match start.kind {
            Kind::LBrace => {
                let body = self.block("{")?;
                StmtKind::Block { body, inline: None }
            }
            Kind::Atomic => {
                self.bump();
                StmtKind::Atomic(self.block("atomic {")?)
            }
            Kind::DStep => {
                self.bump();
                StmtKind::DStep(self.d_step_block()?)
            }
            Kind::If => StmtKind::If(self.options(Kind::Fi)?),
            Kind::Do => {
                if let Some(process) = &mut self.process {
                    process.loops.push(process.d_step);
                }
                let options = self.options(Kind::Od);
                if let Some(process) = &mut self.process {
                    process.loops.pop();
                }
                StmtKind::Do(options?)
            }
            Kind::For => self.for_loop()?,
            Kind::Select => self.select()?,
            Kind::Goto => {
                self.bump();
                let name = self.expect_name("the name of a label")?;
                StmtKind::Goto(self.note_jump(name))
            }
            Kind::Break => self.break_statement()?,
            Kind::Else => {
                self.bump();
                StmtKind::Else
            }
            Kind::Assert => {
                self.bump();
                StmtKind::Assert(self.full_expr()?)
            }
            Kind::Printf => self.printf()?,
            Kind::Printm => self.printm()?,
            Kind::SetPriority => {
                self.bump();
                self.expect(Kind::LParen, "after `set_priority`")?;
                let process = self.expr()?;
                self.expect(Kind::Comma, "between the process and its priority")?;
                let priority = self.expr()?;
                self.expect(Kind::RParen, "after the priority")?;
                StmtKind::SetPriority(process, priority)
            }
            Kind::CCode => {
                self.bump();
                let (precondition, text) = self.c_fragment()?;
                StmtKind::CCode { precondition, text }
            }
            Kind::Return => self.return_statement()?,
            Kind::Ident => match self.class(start) {
                Class::Inline(index) => return self.call_inline(index, None),
                Class::Name => self.starts_with_name(start)?,
                _ => self.condition(start)?,
            },
            Kind::Fi | Kind::Od | Kind::RBrace | Kind::Option | Kind::Semi | Kind::Arrow => {
                return Err(self.unexpected("a statement"));
            }
            kind if starts_unit(kind) || kind == Kind::Eof => {
                return Err(self.unexpected("a statement"));
            }
            _ => self.condition(start)?,
        };
        // The call of an inline as the right-hand side is a block with its own place.
        Ok((kind, self.span_from(start)))
    }

    /// An expression as a statement.
    fn condition(&mut self, start: Token) -> Parse<StmtKind> {
        let runs = self.runs;
        let first = self.operand(0)?;
        self.finish_condition(start, runs, first.expr)
    }

    fn finish_condition(&mut self, start: Token, runs: usize, expr: Expr) -> Parse<StmtKind> {
        if self.runs != runs && !matches!(expr.kind, ExprKind::Run { .. }) {
            let span = self.span_from(start);
            let message = "`run` can only be a whole statement or the whole right-hand side";
            self.error(codes::RUN, span, message);
        }
        Ok(StmtKind::Expr(expr))
    }

    pub(super) fn no_run_since(&mut self, runs: usize, span: Span) {
        if self.runs != runs {
            self.error(codes::RUN, span, "`run` in a place where only a value is needed");
        }
    }

    /// Assignment, channel operation or condition that starts with a name.
    fn starts_with_name(&mut self, start: Token) -> Parse<StmtKind> {
        if let Some(target) = self.special_target(start)? {
            return self.special_assignment(target);
        }
        let name = self.text_of(start);
        let assigns = matches!(
            self.behind(),
            Kind::Assign | Kind::Inc | Kind::Dec | Kind::Bang | Kind::BangBang | Kind::Query
        );
        if self.lookup(name).is_none() && !assigns {
            // A predefined name, a remote reference, or unknown.
            return self.condition(start);
        }
        self.bump();
        let reference = self.varref_after(start, Use::Value)?;
        match self.kind() {
            Kind::Assign => self.assignment(Target::Var(reference)),
            Kind::Inc => {
                self.bump();
                self.check_assignable(&reference);
                Ok(StmtKind::Increment(reference))
            }
            Kind::Dec => {
                self.bump();
                self.check_assignable(&reference);
                Ok(StmtKind::Decrement(reference))
            }
            Kind::Bang | Kind::BangBang => self.send(reference),
            Kind::Query | Kind::QueryQuery => {
                let poll = self.stream.raw_peek(0).is_some_and(|t| t.kind == Kind::LBracket);
                if !poll {
                    return self.receive(reference);
                }
                let first = self.poll(start, reference)?;
                self.rest_of_condition(start, first)
            }
            _ => {
                let span = reference.span;
                let first = Operand::leaf(ExprKind::Var(reference), span);
                self.rest_of_condition(start, first)
            }
        }
    }

    fn rest_of_condition(&mut self, start: Token, first: Operand) -> Parse<StmtKind> {
        let runs = self.runs;
        let expr = self.full_expr_after(start, first)?;
        self.finish_condition(start, runs, expr)
    }

    /// `_` or `_priority` before `=`; an error for the other predefined names.
    fn special_target(&mut self, token: Token) -> Parse<Option<Target>> {
        let name = self.text_of(token);
        let behind = self.behind();
        if !matches!(behind, Kind::Assign | Kind::Inc | Kind::Dec) || self.lookup(name).is_some() {
            return Ok(None);
        }
        let span = self.span(token);
        match name {
            "_" if behind == Kind::Assign => {
                self.bump();
                Ok(Some(Target::Discard(span)))
            }
            "_priority" => {
                self.bump();
                Ok(Some(Target::Priority(span)))
            }
            "_" | "_pid" | "_last" | "_nr_pr" => {
                let message = format!("`{name}` cannot be changed");
                Err(self.error(codes::READ_ONLY, span, message))
            }
            _ => Ok(None),
        }
    }

    /// `=`, `++` or `--` behind a predefined name.
    fn special_assignment(&mut self, target: Target) -> Parse<StmtKind> {
        let op = match self.kind() {
            Kind::Inc => BinaryOp::Add,
            Kind::Dec => BinaryOp::Sub,
            _ => return self.assignment(target),
        };
        let token = self.bump();
        let span = self.span(token);
        let left = Box::new(Expr { kind: ExprKind::Priority, span });
        let right = Box::new(Expr { kind: ExprKind::Const(1), span });
        let value = Expr { kind: ExprKind::Binary(op, left, right), span };
        Ok(StmtKind::Assign(target, value))
    }

    /// `= expression` or `= inline(arguments)`
    fn assignment(&mut self, target: Target) -> Parse<StmtKind> {
        self.expect(Kind::Assign, "in the assignment")?;
        let token = self.peek();
        if token.kind == Kind::Ident
            && let Class::Inline(index) = self.class(token)
        {
            return Ok(self.call_inline(index, Some(target))?.0);
        }
        let operands = self.channel_operands;
        let expr = self.full_expr()?;
        if self.channel_operands != operands {
            let message = "an operator is applied to a channel";
            self.error(codes::CHANNEL, expr.span, message);
        }
        if let Target::Var(reference) = &target {
            self.check_assignment(reference, &expr);
        }
        Ok(StmtKind::Assign(target, expr))
    }

    fn check_assignable(&mut self, reference: &VarRef) {
        if !self.is_unknown(reference.var) && self.type_of(reference) == Type::Chan {
            self.error(codes::CHANNEL, reference.span, "arithmetic on a channel");
        }
    }

    /// Channels take no constants.
    fn check_assignment(&mut self, reference: &VarRef, value: &Expr) {
        let value_set = match &value.kind {
            ExprKind::Mtype(set, _) => Some(*set),
            ExprKind::Var(var) if !self.is_unknown(var.var) => match self.type_of(var) {
                Type::Mtype(set) => Some(set),
                _ => None,
            },
            _ => None,
        };
        if let (Type::Mtype(set), Some(other)) = (self.type_of(reference), value_set)
            && set.0 != 0
            && set != other
        {
            let message = "the value is of another mtype than the variable";
            self.warn(codes::MTYPE, value.span, message);
        }
        let constant = matches!(value.kind, ExprKind::Const(_) | ExprKind::Mtype(..));
        let plain = reference.fields.is_empty() && !self.is_unknown(reference.var);
        if constant && plain && self.type_of(reference) == Type::Chan {
            self.error(codes::CHANNEL, value.span, "a constant is not a channel");
        }
    }

    fn break_statement(&mut self) -> Parse<StmtKind> {
        let token = self.bump();
        let span = self.span(token);
        let (loop_step, d_step) = match &self.process {
            Some(process) => (process.loops.last().copied(), process.d_step),
            None => (None, 0),
        };
        match loop_step {
            None => Err(self.error(codes::BREAK, span, "`break` outside of a loop")),
            Some(step) if step != d_step => {
                Err(self.error(codes::D_STEP, span, "`break` leaves a d_step"))
            }
            Some(_) => Ok(StmtKind::Break),
        }
    }

    /// `{ sequence }` with a scope of its own; `form` is how messages show its start.
    pub(super) fn block(&mut self, form: &str) -> Parse<Vec<Stmt>> {
        let body = self.block_body()?;
        // The label of a loop lies behind something hidden, so it may come first.
        let labelled = body.first().filter(|s| !s.labels.is_empty() && !is_loop(&s.kind));
        if let Some(first) = labelled {
            let message = "a label on the first statement of a block";
            let help = format!("write `label: {form} ...` instead");
            let error = Diagnostic::error(codes::LABEL_PLACE, first.span, message).help(help);
            self.report(error);
        }
        Ok(body)
    }

    fn block_body(&mut self) -> Parse<Vec<Stmt>> {
        let open = self.expect(Kind::LBrace, "before the block")?;
        let mut body = Vec::new();
        if let Some(process) = &mut self.process {
            process.enter();
        }
        let result = self.sequence(&mut body);
        if let Some(process) = &mut self.process {
            process.leave();
        }
        result?;
        let close = self.close_brace(open)?;
        let end = self.span(close);
        self.need_step(&body, end);
        Ok(body)
    }

    /// Declarations that cost no step do not make a block or an option.
    fn need_step(&mut self, body: &[Stmt], end: Span) {
        let empty = body.iter().all(|s| matches!(s.kind, StmtKind::Exclusive { .. }));
        if empty && self.errors == 0 {
            let message = "expected at least one statement";
            self.error(codes::SYNTAX, end, message);
        }
    }

    fn d_step_block(&mut self) -> Parse<Vec<Stmt>> {
        let outer = self.in_d_step;
        let mut number = 0;
        if let Some(process) = &mut self.process {
            number = process.d_step;
            process.d_steps += 1;
            process.d_step = process.d_steps;
        }
        self.in_d_step = true;
        let body = self.block("d_step {");
        self.in_d_step = outer;
        if let Some(process) = &mut self.process {
            process.d_step = number;
        }
        body
    }

    /// `:: sequence` ... up to `fi` or `od`, at the word that starts it.
    fn options(&mut self, end: Kind) -> Parse<Vec<Vec<Stmt>>> {
        let word = self.bump();
        let mut options = Vec::new();
        let mut arrows = Vec::new();
        loop {
            match self.kind() {
                Kind::Option => {
                    self.bump();
                    let mut body = Vec::new();
                    arrows.push(self.guarded(&mut body)?);
                    let end = self.next_span();
                    self.need_step(&body, end);
                    options.push(body);
                }
                kind if kind == end && !options.is_empty() => {
                    self.bump();
                    self.check_guards(&options, &arrows);
                    return Ok(options);
                }
                Kind::Fi | Kind::Od | Kind::RBrace | Kind::Eof if !options.is_empty() => {
                    return Err(self.missing_end(word, end));
                }
                kind if starts_unit(kind) => return Err(self.missing_end(word, end)),
                _ => {
                    let cure = options.is_empty().then(|| self.selection_cure(end));
                    let failed = self.unexpected_but("`::`", cure);
                    self.skip_to_option();
                    if self.at(end) {
                        self.bump();
                        return Err(failed);
                    }
                    if !self.at(Kind::Option) {
                        return Err(failed);
                    }
                }
            }
        }
    }

    /// What is odd about the first statements of options.
    fn check_guards(&mut self, options: &[Vec<Stmt>], arrows: &[bool]) {
        let firsts = || options.iter().filter_map(|option| option.first());
        let mut warnings = self.assigning_guards(options, arrows);
        for first in firsts() {
            if !first.labels.is_empty() {
                let message = "a label on the guard of an option";
                warnings.push(
                    Diagnostic::warning(codes::LABEL_PLACE, first.span, message)
                        .label("it marks the state behind the guard")
                        .help("put the label before the `if` or `do`"),
                );
            }
            if matches!(first.kind, StmtKind::Unless(..)) {
                let message = "`unless` on the guard of an option";
                warnings.push(Diagnostic::warning(codes::LABEL_PLACE, first.span, message));
            }
        }
        let mut elses = firsts().filter(|s| matches!(s.kind, StmtKind::Else)).map(|s| s.span);
        if let Some(first) = elses.next() {
            if let Some(second) = elses.next() {
                let error = Diagnostic::error(codes::ELSE, second, "a second `else`");
                warnings.push(error.also(first, "the first one"));
            }
            let io = |s: &&Stmt| matches!(s.kind, StmtKind::Send { .. } | StmtKind::Receive { .. });
            if let Some(guard) = firsts().find(io) {
                let message = "`else` next to a channel operation";
                let warning = Diagnostic::warning(codes::ELSE, first, message);
                warnings.push(warning.also(guard.span, "whether this can be executed decides"));
            }
        }
        for warning in warnings {
            self.report(warning);
        }
    }

    fn missing_end(&mut self, word: Token, end: Kind) -> super::Failed {
        let token = self.peek();
        let message = format!("expected {}, found {}", end.describe(), token.kind.describe());
        let (at, opened) = (self.span(token), self.span(word));
        let error = Diagnostic::error(codes::MISSING_BRACE, at, message)
            .also(opened, format!("{} is not closed", word.kind.describe()));
        let failed = self.report(error);
        if matches!(token.kind, Kind::Fi | Kind::Od) {
            self.bump();
        }
        failed
    }

    /// Skips to the next option or the end of the selection.
    fn skip_to_option(&mut self) {
        loop {
            self.synchronize();
            if !matches!(self.kind(), Kind::Semi | Kind::Arrow) {
                return;
            }
            self.bump();
        }
    }

    /// `for (v : from .. to) { }`, `for (v in array) { }`, `for (v in channel) { }`
    fn for_loop(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(Kind::LParen, "after `for`")?;
        let var = self.varref(Use::Message)?;
        let over = if self.eat(Kind::Colon) {
            let (from, to) = self.bounds(&var, false)?;
            ForRange::Values(from, to)
        } else if self.at_word("in") {
            self.bump();
            self.for_in(&var)?
        } else {
            let failed = self.unexpected(habits::FOR);
            self.skip_parenthesis();
            return Err(failed);
        };
        self.expect(Kind::RParen, "after the range")?;
        if self.at(Kind::Semi) {
            self.bump();
        }
        if let Some(process) = &mut self.process {
            process.loops.push(process.d_step);
        }
        let body = self.block_body();
        if let Some(process) = &mut self.process {
            process.loops.pop();
        }
        Ok(StmtKind::For { var, over, body: body? })
    }

    /// `from .. to`; for a choice it cannot be empty.
    fn bounds(&mut self, var: &VarRef, choice: bool) -> Parse<(Expr, Expr)> {
        let runs = self.runs;
        let from = self.expr()?;
        self.expect(Kind::DotDot, "between the bounds")?;
        let to = self.expr()?;
        self.need_counter(var);
        let span = from.span.to(to.span);
        self.no_run_since(runs, span);
        if let (ExprKind::Const(a), ExprKind::Const(b)) = (&from.kind, &to.kind)
            && a > b
        {
            let message = format!("an empty range: {a} is more than {b}");
            let severity = if choice { Severity::Error } else { Severity::Warning };
            self.report(Diagnostic::new(severity, codes::SELECT, span, message));
        }
        Ok((from, to))
    }

    /// Loops and choices need a plain variable.
    fn need_counter(&mut self, var: &VarRef) {
        if self.is_unknown(var.var) {
            return;
        }
        let plain = var.index.is_none() && var.fields.is_empty();
        if !plain || matches!(self.type_of(var), Type::Struct(_) | Type::Chan) {
            let message = "the counter has to be a plain variable that holds a number";
            self.error(codes::SELECT, var.span, message);
        }
    }

    fn for_in(&mut self, var: &VarRef) -> Parse<ForRange> {
        let element = self.behind() == Kind::LBracket;
        let over = self.varref(Use::InlineArgument)?;
        if self.is_unknown(over.var) || self.is_unknown(var.var) {
            return Ok(ForRange::Array(1));
        }
        let declared = &self.model.vars[over.var.index()];
        if let (Some(size), true) = (declared.array, over.fields.is_empty() && !element) {
            self.need_counter(var);
            return Ok(ForRange::Array(size));
        }
        let Init::Channel(channel) = &declared.init else {
            let message = "`for ... in` needs an array or a channel with its declaration";
            return Err(self.error(codes::SELECT, over.span, message));
        };
        let fields = channel.fields.clone();
        let rendezvous = channel.capacity == 0;
        if rendezvous || fields != [self.type_of(var)] || !matches!(fields[0], Type::Struct(_)) {
            let message = "`for ... in` needs a buffered channel whose one field is the typedef \
                           of the variable";
            return Err(self.error(codes::SELECT, over.span, message));
        }
        let counter = self.hidden_counter(over.span);
        Ok(ForRange::Channel { channel: over, counter })
    }

    fn hidden_counter(&mut self, span: Span) -> VarId {
        let shared = self.process.as_ref().and_then(|p| p.counters.get(&p.scope));
        if let Some(&id) = shared {
            return id;
        }
        let owner = self.process.as_ref().map_or(crate::ast::Owner::Model, |p| p.owner);
        let id = self.new_var("_counter", span, owner);
        let var = &mut self.model.vars[id.index()];
        (var.ty, var.synthetic) = (Type::Int, true);
        if let Some(process) = &mut self.process {
            process.locals.push(id);
            process.counters.insert(process.scope, id);
        }
        id
    }

    /// `select (v : from .. to)`
    fn select(&mut self) -> Parse<StmtKind> {
        self.bump();
        let choice = self.is_choice();
        self.expect(Kind::LParen, "after `select`")?;
        let var = self.varref(Use::Value)?;
        self.expect(Kind::Colon, "after the variable")?;
        let (from, to) = self.bounds(&var, choice)?;
        self.expect(Kind::RParen, "after the range")?;
        Ok(StmtKind::Select { var, from, to, choice })
    }

    /// Whether a `select` becomes a choice of assignments, decided by its text: outside of
    /// inlines, on one line, a plain name without underscore, and two numbers not far apart.
    fn is_choice(&mut self) -> bool {
        if self.stream.depth() > 1 || self.peeked.is_some() {
            return false;
        }
        let kinds =
            [Kind::LParen, Kind::Ident, Kind::Colon, Kind::Number, Kind::DotDot, Kind::Number];
        let mut numbers = Vec::new();
        for (i, &kind) in kinds.iter().chain(&[Kind::RParen]).enumerate() {
            let Some(token) = self.stream.raw_peek(i) else {
                return false;
            };
            if token.kind != kind || (token.newline && i > 0) {
                return false;
            }
            match kind {
                Kind::Ident if self.text_of(token).contains('_') => return false,
                Kind::Number => {
                    numbers.push(self.text_of(token).parse::<i64>().unwrap_or(i64::MAX))
                }
                _ => {}
            }
        }
        let small = |a: i64, b: i64| b <= i64::from(i32::MAX) && b.saturating_sub(a) <= MAX_CHOICE;
        // A number beyond 32 bits is cut, so that the range would be another one.
        matches!(numbers[..], [a, b] if a <= i64::from(i32::MAX) && small(a, b))
    }

    fn printf(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(Kind::LParen, "after `printf`")?;
        let token = self.expect(Kind::Str, "as the format")?;
        let format = self.unquoted(token).to_string();
        let mut args = Vec::new();
        let runs = self.runs;
        while self.eat(Kind::Comma) {
            args.push(self.expr()?);
        }
        self.expect(Kind::RParen, "after the arguments")?;
        let span = self.span(token);
        self.no_run_since(runs, span);
        self.check_format(token, &format);
        Ok(StmtKind::Printf(format, args))
    }

    /// Reports conversions that do not exist.
    fn check_format(&mut self, token: Token, format: &str) {
        let mut rest = format.chars();
        while let Some(c) = rest.next() {
            if c != '%' {
                continue;
            }
            match rest.next() {
                Some('d' | 'c' | 'o' | 'x' | 'u' | 'e' | '%') => {}
                other => {
                    let span = self.span(token);
                    let shown = other.map(String::from).unwrap_or_default();
                    let message = format!("`%{shown}` is not a conversion that printf knows");
                    self.warn(codes::PRINT, span, message);
                }
            }
        }
    }

    fn printm(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(Kind::LParen, "after `printm`")?;
        let token = self.peek();
        let expr = match token.kind {
            Kind::Ident if matches!(self.class(token), Class::Name) => {
                self.name_operand(Use::Value)?.expr
            }
            Kind::Ident => match self.class(token) {
                Class::Constant(set, value) => {
                    self.bump();
                    Expr { kind: ExprKind::Mtype(set, value), span: self.span(token) }
                }
                _ => return Err(self.unexpected("a variable or a symbolic name")),
            },
            _ => {
                return Err(self.unexpected("a variable or a symbolic name"));
            }
        };
        self.expect(Kind::RParen, "after the name")?;
        Ok(StmtKind::Printm(expr))
    }

    /// `return e` in an inline that was called as `v = name(...)`.
    fn return_statement(&mut self) -> Parse<StmtKind> {
        let word = self.bump();
        let target = self.process.as_ref().and_then(|p| p.returns.last().cloned()).flatten();
        let expr = self.full_expr()?;
        match target {
            Some(target) => Ok(StmtKind::Assign(target, expr)),
            None => {
                let span = self.span(word);
                let message = "`return` outside of an inline called as `variable = name(...)`";
                Err(self.error(codes::INLINE, span, message))
            }
        }
    }
}

fn is_loop(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Do(_) | StmtKind::For { .. })
}
