//! The units of a model: proctypes, claims, embedded C.

use everypath_model::{Diagnostic, Span};

use super::habits;
use super::names::{Class, Global};
use super::process::Process;
use super::{Parse, Parser, starts_unit};
use crate::ast::{CUnit, CUnitKind, Expr, Owner, ProcId, Proctype, TraceAssertion, Type, VarId};
use crate::codes;
use crate::lexer::{Kind, Token};

/// The parts of a proctype before its body.
struct Header {
    name: String,
    span: Span,
    active: u32,
    is_init: bool,
    deterministic: bool,
    priority: Option<u32>,
    provided: Option<Expr>,
}

impl Header {
    fn new(name: &str, span: Span) -> Header {
        Header {
            name: name.to_string(),
            span,
            active: 0,
            is_init: false,
            deterministic: false,
            priority: None,
            provided: None,
        }
    }
}

impl<'a> Parser<'a> {
    /// All units up to the end.
    pub(super) fn units(&mut self) {
        while !self.at(Kind::Eof) {
            if self.unit().is_err() {
                self.next_unit();
            }
        }
    }

    /// Skips to a place where a unit can start.
    fn next_unit(&mut self) {
        self.process = None;
        self.expanding.clear();
        self.stream.pop_to(1, 0);
        self.stream.resynchronize(0);
        let mut depth = 0usize;
        loop {
            let token = self.peek();
            match token.kind {
                Kind::Eof => return,
                Kind::Semi if depth == 0 => return,
                kind if starts_unit(kind) => return,
                _ if depth == 0 && token.newline && self.starts_declaration() => return,
                Kind::LBrace => depth += 1,
                Kind::RBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    fn unit(&mut self) -> Parse<()> {
        if self.starts_declaration() {
            return self.global_declaration();
        }
        match self.kind() {
            Kind::Semi | Kind::Arrow => {
                self.bump();
                Ok(())
            }
            Kind::Active | Kind::Proctype | Kind::DProctype => self.proctype(),
            Kind::Init => self.init(),
            Kind::Never => self.never(),
            Kind::Trace | Kind::Notrace => self.trace(),
            Kind::Ltl => self.cut_ltl(),
            Kind::Typedef => self.typedef(),
            Kind::Inline => self.define_inline(),
            Kind::CDecl | Kind::CCode | Kind::CState | Kind::CTrack => self.c_unit(),
            _ => {
                let failed = self.unexpected(habits::UNIT);
                self.bump();
                Err(failed)
            }
        }
    }

    fn proctype(&mut self) -> Parse<()> {
        let mut active = 0;
        if self.eat(Kind::Active) {
            active = 1;
            if self.at(Kind::LBracket) {
                let open = self.bump();
                let count = self.constant(true)?;
                self.expect(Kind::RBracket, "after the number of processes")?;
                let span = self.span_from(open);
                active = match u32::try_from(count) {
                    Ok(n) if n <= 255 => n,
                    Ok(_) => {
                        let message = "at most 255 processes are possible";
                        self.warn(codes::PROCESSES, span, message);
                        255
                    }
                    Err(_) => {
                        let message = "a negative number of processes means none";
                        self.warn(codes::PROCESSES, span, message);
                        0
                    }
                };
            }
        }
        let deterministic = self.at(Kind::DProctype);
        if !deterministic && !self.at(Kind::Proctype) {
            return Err(self.unexpected("`proctype`"));
        }
        self.bump();
        let name = self.peek();
        if name.kind == Kind::Ident && matches!(self.class(name), Class::Proctype(_)) {
            let message = format!("proctype `{}` is defined twice", self.text_of(name));
            let span = self.span(name);
            self.error(codes::REDECLARED, span, message);
            self.bump();
        } else {
            self.expect_name("the name of the proctype")?;
        }
        let text = self.text_of(name);
        if let Some(var) = self.lookup(text) {
            let (at, first) = (self.span(name), self.model.vars[var.index()].span);
            let message = format!("`{text}` is declared already");
            let error = Diagnostic::error(codes::REDECLARED, at, message);
            self.report(error.also(first, "first declared here"));
        }
        let id = self.enter_proctype(name, text);
        self.names.globals.entry(text).or_insert(Global::Proctype(id));
        let header = Header { active, deterministic, ..Header::new(text, self.span(name)) };
        self.process = Some(Process::new(Owner::Proctype(id), Some(id)));
        let proctype = self.process_after_name(header, Some(id))?;
        self.model.proctypes.push(proctype);
        Ok(())
    }

    /// The entry of a proctype that is read now.
    fn enter_proctype(&mut self, token: Token, name: &'a str) -> ProcId {
        let id = match self.names.proc_places.get(&token.start) {
            Some(&id) => id,
            None => self.names.add_proc(name),
        };
        self.names.procs[id.index()].declared = true;
        id
    }

    fn process_after_name(&mut self, mut header: Header, id: Option<ProcId>) -> Parse<Proctype> {
        if !header.is_init {
            self.expect(Kind::LParen, "before the parameters")?;
            if !self.at(Kind::RParen) {
                self.parameters()?;
            }
            self.expect(Kind::RParen, "after the parameters")?;
        }
        if let Some(id) = id {
            let params = self.process.as_ref().map(|p| p.params.clone()).unwrap_or_default();
            let arity = params.iter().map(|&v| self.width_of(self.var_type(v))).sum();
            self.names.procs[id.index()].arity = Some(arity);
        }
        if self.eat(Kind::Priority) {
            header.priority = Some(self.priority_value()?);
        }
        if !header.is_init && self.eat(Kind::Provided) {
            self.expect(Kind::LParen, "after `provided`")?;
            self.globals_only = true;
            let runs = self.runs;
            let condition = self.full_expr();
            self.globals_only = false;
            let condition = condition?;
            self.no_run_since(runs, condition.span);
            header.provided = Some(condition);
            self.expect(Kind::RParen, "after the condition")?;
        }
        self.process_body(header)
    }

    fn var_type(&self, var: VarId) -> Type {
        self.model.vars[var.index()].ty
    }

    /// The number behind `priority`.
    pub(super) fn priority_value(&mut self) -> Parse<u32> {
        let token = self.expect(Kind::Number, "as a priority")?;
        let value = self.number(token);
        match u32::try_from(value) {
            Ok(value @ 1..=255) => Ok(value),
            _ => {
                let span = self.span(token);
                self.warn(codes::CONSTANT, span, "a priority lies between 1 and 255; 1 is used");
                Ok(1)
            }
        }
    }

    fn init(&mut self) -> Parse<()> {
        let token = self.bump();
        let id = self.enter_proctype(token, "init");
        let header = Header { active: 1, is_init: true, ..Header::new("init", self.span(token)) };
        self.process = Some(Process::new(Owner::Proctype(id), Some(id)));
        let proctype = self.process_after_name(header, Some(id))?;
        self.model.proctypes.push(proctype);
        Ok(())
    }

    fn never(&mut self) -> Parse<()> {
        let token = self.bump();
        let mut header = Header::new("never", self.span(token));
        if self.at(Kind::Ident) {
            let name = self.bump();
            header = Header::new(self.text_of(name), self.span(name));
        }
        self.process = Some(Process::new(Owner::Claim, None));
        let claim = self.process_body(header)?;
        self.model.never.push(claim);
        Ok(())
    }

    fn trace(&mut self) -> Parse<()> {
        let token = self.bump();
        let negated = token.kind == Kind::Notrace;
        let header = Header::new(self.text_of(token), self.span(token));
        let mut process = Process::new(Owner::Claim, None);
        process.is_trace = true;
        self.process = Some(process);
        let body = self.process_body(header)?;
        self.model.traces.push(TraceAssertion { negated, body });
        Ok(())
    }

    /// `{ sequence }` of the process set up in `self.process`.
    fn process_body(&mut self, header: Header) -> Parse<Proctype> {
        let open = self.expect(Kind::LBrace, "before the body")?;
        let mut body = Vec::new();
        self.sequence(&mut body)?;
        let close = self.close_brace(open)?;
        let end = self.span(close);
        let Some(process) = self.process.take() else {
            return Err(super::Failed);
        };
        self.resolve_jumps(&process, &mut body);
        self.check_goto_cycles(&process, &body);
        if process.owner == Owner::Claim {
            self.check_claim(&process, &body);
        }
        let startup = process.startup.unwrap_or(process.locals.len());
        // The labels of a proctype are moved in at the end: others may mention more of them.
        Ok(Proctype {
            name: header.name,
            span: header.span,
            active: header.active,
            is_init: header.is_init,
            deterministic: header.deterministic,
            params: process.params,
            locals: process.locals,
            startup,
            priority: header.priority,
            provided: header.provided,
            labels: process.labels,
            body,
            end,
            position: self.model.proctypes.len() + self.model.never.len() + self.model.traces.len(),
        })
    }

    /// The brace that closes a block.
    pub(super) fn close_brace(&mut self, open: Token) -> Parse<Token> {
        if self.at(Kind::RBrace) {
            return Ok(self.bump());
        }
        let token = self.peek();
        let (at, opened) = (self.span(token), self.span(open));
        let message = format!("expected `}}`, found {}", token.kind.describe());
        let error = Diagnostic::error(codes::MISSING_BRACE, at, message)
            .also(opened, "this brace is not closed");
        Err(self.report(error))
    }

    fn c_unit(&mut self) -> Parse<()> {
        let word = self.bump();
        let kind = match word.kind {
            Kind::CState | Kind::CTrack => {
                let first = self.c_string()?;
                let second = self.c_string()?;
                let third = if self.at(Kind::Str) { Some(self.c_string()?) } else { None };
                if word.kind == Kind::CState {
                    CUnitKind::State { decl: first, scope: second, init: third }
                } else {
                    CUnitKind::Track { object: first, size: second, mode: third }
                }
            }
            _ => {
                let token = self.expect(Kind::CText, "in braces")?;
                let text = self.text_of(token).to_string();
                if word.kind == Kind::CDecl { CUnitKind::Decl(text) } else { CUnitKind::Code(text) }
            }
        };
        let span = self.span_from(word);
        self.model.c_units.push(CUnit { kind, span });
        Ok(())
    }

    fn c_string(&mut self) -> Parse<String> {
        let token = self.expect(Kind::Str, "in quotes")?;
        Ok(self.unquoted(token).to_string())
    }

    /// A string without its quotes.
    pub(super) fn unquoted(&self, token: Token) -> &'a str {
        let text = self.text_of(token);
        text.get(1..text.len().saturating_sub(1)).unwrap_or("")
    }

    /// What can only be done when everything has been read.
    pub(super) fn finish(&mut self) {
        self.read_ltl();
        self.check_runs();
        self.check_sends();
        self.check_mentions();
        // Without errors the proctypes are complete and in the order of their entries.
        for (proctype, info) in self.model.proctypes.iter_mut().zip(&mut self.names.procs) {
            proctype.labels = std::mem::take(&mut info.labels);
        }
        if self.errors == 0 && self.model.proctypes.iter().all(|p| p.active == 0) {
            let help = self.first_process();
            self.report(Diagnostic {
                primary: None,
                help: Some(help),
                ..Diagnostic::error(
                    codes::PROCESSES,
                    (self.places)(0, 0),
                    "the model has no process: neither `init` nor an `active proctype`",
                )
            });
        }
    }
}
