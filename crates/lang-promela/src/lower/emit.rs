//! Code for expressions and single statements.

use everypath_machine::code::{self, Op, Pattern, REGISTERS, Reg, Space};
use everypath_machine::{Conversion, Field, Format, Kind, Operand, Site};
use everypath_model::{Diagnostic, Severity, Span};

use super::Lowering;
use super::layout::{kind, scalar};
use crate::ast::*;
use crate::pretty;

/// A place to jump to that is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(usize);

/// The position that stands for "no place yet" in a jump.
const OPEN: u32 = u32::MAX;

/// Collects the code of one statement.
///
/// Registers are used as a stack: the code of an expression leaves its value in the register it is
/// given and may use all above it.
pub(super) struct Emitter {
    pub start: usize,
    labels: Vec<Option<u32>>,
    /// Instructions that jump to a label.
    jumps: Vec<(usize, Label)>,
}

/// An address: a field, and a register with a distance in bits to add.
struct Address {
    space: Space,
    field: Field,
    at: Option<Reg>,
}

impl Emitter {
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }
}

impl Lowering<'_> {
    /// Starts the code of a statement.
    pub(super) fn begin(&mut self) -> Emitter {
        Emitter { start: self.machine.code.len(), labels: Vec::new(), jumps: Vec::new() }
    }

    /// Ends it: the position of its first instruction.
    pub(super) fn finish(&mut self, emitter: Emitter) -> u32 {
        for (at, label) in emitter.jumps {
            let to = emitter.labels[label.0].unwrap_or(OPEN);
            debug_assert_ne!(to, OPEN, "label was bound");
            match &mut self.machine.code[at] {
                Op::Jump { to: place }
                | Op::JumpIfZero { to: place, .. }
                | Op::JumpIfNotZero { to: place, .. }
                | Op::SendGuard { or: place, .. }
                | Op::ReceiveGuard { or: place, .. } => *place = to,
                other => unreachable!("{other:?} does not jump"),
            }
        }
        emitter.start as u32
    }

    pub(super) fn op(&mut self, op: Op) {
        self.machine.code.push(op);
    }

    pub(super) fn jump(&mut self, emitter: &mut Emitter, label: Label, op: Op) {
        emitter.jumps.push((self.machine.code.len(), label));
        self.machine.code.push(op);
    }

    pub(super) fn bind(&mut self, emitter: &mut Emitter, label: Label) {
        emitter.labels[label.0] = Some(self.machine.code.len() as u32);
    }

    /// Everything from here on happens on the target.
    pub(super) fn commit(&mut self) {
        self.op(Op::Commit);
    }

    pub(super) fn site(&mut self, span: Span, text: String, operands: Vec<Operand>) -> u32 {
        self.machine.sites.push(Site { span, text, operands });
        self.machine.sites.len() as u32 - 1
    }

    /// The next register, or an error if the expression needs too many.
    fn above(&mut self, d: Reg, n: usize, span: Span) -> Reg {
        let next = usize::from(d) + n;
        if next >= REGISTERS {
            self.error("EP1401", span, "this expression is too complex");
            return d;
        }
        next as Reg
    }

    pub(super) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        if self.diagnostics.len() < 100 {
            self.diagnostics.push(Diagnostic::error(code, span, message));
        }
    }

    pub(super) fn unsupported(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(Severity::Unsupported, "EP1402", span, message));
    }

    /// The value of an expression in register `d`.
    pub(super) fn expr(&mut self, em: &mut Emitter, e: &Expr, d: Reg) {
        match &e.kind {
            ExprKind::Const(value) | ExprKind::Mtype(_, value) => {
                self.op(Op::Const { d, value: *value });
            }
            ExprKind::Var(r) => self.load(em, r, d),
            ExprKind::Unary(op, a) => {
                self.expr(em, a, d);
                let op = match op {
                    UnaryOp::Neg => code::Unary::Neg,
                    UnaryOp::Not => code::Unary::Not,
                    UnaryOp::Complement => code::Unary::Complement,
                };
                self.op(Op::Unary { op, d, a: d });
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let end = em.label();
                self.expr(em, a, d);
                self.op(Op::Unary { op: code::Unary::Truth, d, a: d });
                self.jump(em, end, Op::JumpIfZero { a: d, to: OPEN });
                self.expr(em, b, d);
                self.op(Op::Unary { op: code::Unary::Truth, d, a: d });
                self.bind(em, end);
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                let end = em.label();
                self.expr(em, a, d);
                self.op(Op::Unary { op: code::Unary::Truth, d, a: d });
                self.jump(em, end, Op::JumpIfNotZero { a: d, to: OPEN });
                self.expr(em, b, d);
                self.op(Op::Unary { op: code::Unary::Truth, d, a: d });
                self.bind(em, end);
            }
            ExprKind::Binary(op, a, b) => self.binary(em, *op, a, b, e.span, d),
            ExprKind::Cond(c, a, b) => {
                let (otherwise, end) = (em.label(), em.label());
                self.expr(em, c, d);
                self.jump(em, otherwise, Op::JumpIfZero { a: d, to: OPEN });
                self.expr(em, a, d);
                self.jump(em, end, Op::Jump { to: OPEN });
                self.bind(em, otherwise);
                self.expr(em, b, d);
                self.bind(em, end);
            }
            ExprKind::Run { proctype, args, priority } => {
                let count = self.args(em, args, d);
                let site = self.site(e.span, pretty::written_expr(self.model, e), Vec::new());
                self.op(Op::Run {
                    d,
                    proctype: proctype.0 as u16,
                    first: d,
                    count,
                    // The clause of the proctype is for its active instances only.
                    priority: priority.unwrap_or(1).clamp(1, 255) as u8,
                    site,
                });
            }
            ExprKind::Len(q) => self.probe(em, q, code::Probe::Len, d),
            ExprKind::Probe(probe, q) => {
                let probe = match probe {
                    Probe::Full => code::Probe::Full,
                    Probe::Empty => code::Probe::Empty,
                    Probe::NotFull => code::Probe::NotFull,
                    Probe::NotEmpty => code::Probe::NotEmpty,
                };
                self.probe(em, q, probe, d);
            }
            ExprKind::Poll { channel, args, random } => {
                self.load(em, channel, d);
                let first = self.above(d, 1, e.span);
                let pattern = self.pattern(em, args, *random, first);
                let site = self.channel_site(channel);
                self.op(Op::Poll { d, c: d, first, pattern, site });
            }
            ExprKind::Enabled(p) => {
                self.expr(em, p, d);
                let site = self.site(e.span, pretty::written_expr(self.model, e), Vec::new());
                self.op(Op::Enabled { d, a: d, site });
            }
            ExprKind::PcValue(p) => {
                self.expr(em, p, d);
                self.op(Op::PcValue { d, a: d });
            }
            ExprKind::GetPriority(p) => {
                self.expr(em, p, d);
                self.op(Op::GetPriority { d, a: d });
            }
            ExprKind::Timeout => {
                self.machine.uses_timeout = true;
                self.op(Op::Timeout { d });
            }
            ExprKind::Pid => self.op(Op::Pid { d }),
            ExprKind::ProcessCount => self.op(Op::ProcessCount { d }),
            ExprKind::Last => match self.machine.last {
                Some(field) => self.op(Op::Load { d, space: Space::Global, field }),
                None => self.op(Op::Const { d, value: 0 }),
            },
            ExprKind::Priority => {
                self.op(Op::Pid { d });
                self.op(Op::GetPriority { d, a: d });
            }
            ExprKind::RemoteLabel { proctype, index, label } => {
                self.remote_process(em, *proctype, index.as_deref(), d);
                // Where the label is becomes known when its proctype is translated.
                self.remote_labels.push((self.machine.code.len(), *proctype, *label));
                self.op(Op::AtState { d, pid: d, number: 0 });
            }
            ExprKind::RemoteVar { proctype, index, var, element } => {
                self.remote_var(
                    em,
                    e.span,
                    *proctype,
                    index.as_deref(),
                    *var,
                    element.as_deref(),
                    d,
                );
            }
            ExprKind::NonProgress => {
                self.unsupported(e.span, "`np_` has a meaning only in a never claim");
                self.op(Op::Const { d, value: 0 });
            }
            ExprKind::C { .. } => {
                self.unsupported(e.span, "embedded C: this `c_expr` is not supported");
                self.op(Op::Const { d, value: 0 });
            }
            ExprKind::Any => {
                self.error("EP1403", e.span, "`_` has a value only in a trace assertion");
                self.op(Op::Const { d, value: 0 });
            }
            ExprKind::Temporal(..) => {
                self.error("EP1403", e.span, "a temporal operator is not a state expression");
                self.op(Op::Const { d, value: 0 });
            }
        }
    }

    fn binary(&mut self, em: &mut Emitter, op: BinaryOp, a: &Expr, b: &Expr, span: Span, d: Reg) {
        use code::Binary;
        let op = match op {
            BinaryOp::Mul => Binary::Mul,
            BinaryOp::Div => Binary::Div,
            BinaryOp::Rem => Binary::Rem,
            BinaryOp::Add => Binary::Add,
            BinaryOp::Sub => Binary::Sub,
            BinaryOp::Shl => Binary::Shl,
            BinaryOp::Shr => Binary::Shr,
            BinaryOp::Lt => Binary::Lt,
            BinaryOp::Le => Binary::Le,
            BinaryOp::Gt => Binary::Gt,
            BinaryOp::Ge => Binary::Ge,
            BinaryOp::Eq => Binary::Eq,
            BinaryOp::Ne => Binary::Ne,
            BinaryOp::BitAnd => Binary::And,
            BinaryOp::BitXor => Binary::Xor,
            BinaryOp::BitOr => Binary::Or,
            BinaryOp::And | BinaryOp::Or => unreachable!("short-circuit operators"),
        };
        self.expr(em, a, d);
        let right = self.above(d, 1, span);
        self.expr(em, b, right);
        if matches!(op, Binary::Div | Binary::Rem)
            && !matches!(b.kind, ExprKind::Const(value) if value != 0)
        {
            let operands = self.operands(b);
            let text = format!("{} is the divisor", pretty::written_expr(self.model, b));
            let site = self.site(span, text, operands);
            self.op(Op::NonZero { a: right, site });
        }
        self.op(Op::Binary { op, d, a: d, b: right });
    }

    fn remote_process(&mut self, em: &mut Emitter, proc: ProcId, index: Option<&Expr>, d: Reg) {
        match index {
            Some(index) => self.expr(em, index, d),
            None => self.op(Op::FirstOf { d, proctype: proc.0 as u16 }),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn remote_var(
        &mut self,
        em: &mut Emitter,
        span: Span,
        proctype: ProcId,
        index: Option<&Expr>,
        var: VarId,
        element: Option<&Expr>,
        d: Reg,
    ) {
        self.remote_process(em, proctype, index, d);
        let at = self.above(d, 1, span);
        self.op(Op::Const { d: at, value: 0 });
        let place = self.places[var.index()];
        let variable = &self.model.vars[var.index()];
        let (ty, array) = (variable.ty, variable.array);
        if let (Some(element), Some(count)) = (element, array) {
            let i = self.above(at, 1, span);
            self.expr(em, element, i);
            self.bound(i, count, span, element, pretty::written_expr(self.model, element));
            self.op(Op::Scale { d: at, a: i, by: place.stride });
        }
        let (width, signed) = scalar(ty, array.is_none());
        let field = Field { bit: place.bit, width, signed };
        self.op(Op::LoadRemote { d, pid: d, at, proctype: proctype.0 as u16, field });
    }

    fn bound(&mut self, a: Reg, count: u32, span: Span, index: &Expr, text: String) {
        let operands = self.operands(index);
        let text = format!("{text} is not in 0 .. {}", count - 1);
        let site = self.site(span, text, operands);
        self.op(Op::Bound { a, count, site });
    }

    /// Where a reference points to; may use registers from `d` on.
    fn address(&mut self, em: &mut Emitter, r: &VarRef, d: Reg) -> Address {
        let place = self.places[r.var.index()];
        let var = &self.model.vars[r.var.index()];
        let mut bit = place.bit;
        let mut at = None;
        let (mut ty, mut array, mut step) = (var.ty, var.array, place.stride);
        let mut packed = array.is_none();
        self.index(em, r.span, r, array, step, r.index.as_deref(), d, &mut bit, &mut at);
        for field in &r.fields {
            let Type::Struct(id) = ty else { break };
            let def = &self.model.typedefs[id.index()].fields[field.field as usize];
            let (offset, stride) = self.structs[id.index()].fields[field.field as usize];
            bit += offset;
            (ty, array, step) = (def.ty, def.array, stride);
            packed = array.is_none();
            self.index(em, r.span, r, array, step, field.index.as_deref(), d, &mut bit, &mut at);
        }
        let (width, signed) = scalar(ty, packed);
        Address { space: place.space, field: Field { bit, width, signed }, at }
    }

    #[allow(clippy::too_many_arguments)]
    fn index(
        &mut self,
        em: &mut Emitter,
        span: Span,
        r: &VarRef,
        array: Option<u32>,
        step: u32,
        index: Option<&Expr>,
        d: Reg,
        bit: &mut u32,
        at: &mut Option<Reg>,
    ) {
        let (Some(count), Some(index)) = (array, index) else { return };
        if let ExprKind::Const(i) = index.kind
            && (0..i64::from(count)).contains(&i64::from(i))
        {
            *bit += i as u32 * step;
            return;
        }
        let sum = match *at {
            Some(sum) => sum,
            None => {
                self.op(Op::Const { d, value: 0 });
                *at = Some(d);
                d
            }
        };
        let i = self.above(sum, 1, span);
        self.expr(em, index, i);
        let text =
            format!("{}: {}", pretty::var_ref(self.model, r), pretty::expr(self.model, index));
        self.bound(i, count, span, index, text);
        self.op(Op::Scale { d: sum, a: i, by: step });
    }

    pub(super) fn load(&mut self, em: &mut Emitter, r: &VarRef, d: Reg) {
        let address = self.address(em, r, d);
        let Address { space, field, at } = address;
        match at {
            None => self.op(Op::Load { d, space, field }),
            Some(at) => self.op(Op::LoadAt { d, at, space, field }),
        }
    }

    /// Stores register `s`; may use the registers above it.
    pub(super) fn store(&mut self, em: &mut Emitter, r: &VarRef, s: Reg) {
        let d = self.above(s, 1, r.span);
        let Address { space, field, at } = self.address(em, r, d);
        match at {
            None => self.op(Op::Store { s, space, field }),
            Some(at) => self.op(Op::StoreAt { s, at, space, field }),
        }
    }

    fn channel_site(&mut self, q: &VarRef) -> u32 {
        self.site(q.span, pretty::var_ref(self.model, q), Vec::new())
    }

    pub(super) fn probe(&mut self, em: &mut Emitter, q: &VarRef, probe: code::Probe, d: Reg) {
        self.load(em, q, d);
        let site = self.channel_site(q);
        self.op(Op::Probe { d, c: d, probe, site });
    }

    /// The type of a variable reference, and its length if it is a whole array.
    pub(super) fn type_of(&self, r: &VarRef) -> (Type, Option<u32>) {
        let var = &self.model.vars[r.var.index()];
        let mut ty = var.ty;
        let mut array = if r.index.is_some() { None } else { var.array };
        for field in &r.fields {
            let Type::Struct(id) = ty else { break };
            let def = &self.model.typedefs[id.index()].fields[field.field as usize];
            ty = def.ty;
            array = if field.index.is_some() { None } else { def.array };
        }
        (ty, array)
    }

    /// The references to the scalars that a reference to a structure stands for.
    pub(super) fn expand(&self, r: &VarRef) -> Vec<VarRef> {
        let (ty, array) = self.type_of(r);
        let mut out = Vec::new();
        match ty {
            Type::Struct(_) => self.expand_into(r, ty, array, &mut out),
            _ => out.push(r.clone()),
        }
        out
    }

    fn expand_into(&self, r: &VarRef, ty: Type, array: Option<u32>, out: &mut Vec<VarRef>) {
        if let Some(count) = array {
            for i in 0..count {
                let mut element = r.clone();
                let index = Some(Box::new(Expr { kind: ExprKind::Const(i as i32), span: r.span }));
                match element.fields.last_mut() {
                    Some(last) => last.index = index,
                    None => element.index = index,
                }
                self.expand_into(&element, ty, None, out);
            }
            return;
        }
        let Type::Struct(id) = ty else {
            out.push(r.clone());
            return;
        };
        for (i, field) in self.model.typedefs[id.index()].fields.iter().enumerate() {
            let mut part = r.clone();
            part.fields.push(FieldRef { field: i as u32, index: None });
            self.expand_into(&part, field.ty, field.array, out);
        }
    }

    /// Puts arguments into registers from `first` on; how many.
    fn args(&mut self, em: &mut Emitter, args: &[Expr], first: Reg) -> u8 {
        let mut next = first;
        let mut count = 0u8;
        for arg in args {
            match &arg.kind {
                ExprKind::Var(r) if matches!(self.type_of(r).0, Type::Struct(_)) => {
                    for part in self.expand(r) {
                        self.load(em, &part, next);
                        next = self.above(next, 1, arg.span);
                        count = count.saturating_add(1);
                    }
                }
                _ => {
                    self.expr(em, arg, next);
                    next = self.above(next, 1, arg.span);
                    count = count.saturating_add(1);
                }
            }
        }
        count
    }

    /// Puts the compared values of a pattern into registers from `first` on.
    fn pattern(&mut self, em: &mut Emitter, args: &[RecvArg], random: bool, first: Reg) -> u16 {
        let mut places = 0u8;
        let mut compared = 0u64;
        for arg in args {
            match arg {
                RecvArg::Var(r) => {
                    places = places.saturating_add(self.expand(r).len().min(255) as u8);
                }
                RecvArg::Any(_) => places = places.saturating_add(1),
                RecvArg::Const(e) | RecvArg::Eval(e) => {
                    let d = self.above(first, usize::from(places), e.span);
                    self.expr(em, e, d);
                    if places < 64 {
                        compared |= 1 << places;
                    } else {
                        self.error("EP1401", e.span, "too many message fields are compared here");
                    }
                    places = places.saturating_add(1);
                }
            }
        }
        let pattern = Pattern { places, random, compared };
        let found = self.machine.patterns.iter().position(|&p| p == pattern);
        let index = found.unwrap_or_else(|| {
            self.machine.patterns.push(pattern);
            self.machine.patterns.len() - 1
        });
        index as u16
    }

    /// The parts of an expression whose values explain it: its variables and the like, once each.
    pub(super) fn operands(&mut self, e: &Expr) -> Vec<Operand> {
        let mut parts: Vec<Expr> = Vec::new();
        collect(e, &mut parts);
        let mut operands: Vec<Operand> = Vec::new();
        for part in parts {
            let text = pretty::expr(self.model, &part);
            if operands.iter().any(|o| o.text == text) {
                continue;
            }
            let shown = match &part.kind {
                ExprKind::Var(r) => kind(self.type_of(r).0),
                ExprKind::RemoteLabel { .. } => Kind::Bool,
                _ => Kind::Int,
            };
            self.pending_operands.push((part, text.clone()));
            operands.push(Operand { text, code: OPEN, kind: shown });
        }
        operands
    }

    /// Emits the code of operands that were asked for since the last call. Texts are unique among
    /// them, since they come from one statement.
    pub(super) fn flush_operands(&mut self) {
        while let Some((part, text)) = self.pending_operands.pop() {
            let mut em = self.begin();
            self.expr(&mut em, &part, 0);
            self.op(Op::Done);
            let code = self.finish(em);
            for site in &mut self.machine.sites[self.flushed_sites..] {
                for operand in &mut site.operands {
                    if operand.code == OPEN && operand.text == text {
                        operand.code = code;
                    }
                }
            }
        }
        self.flushed_sites = self.machine.sites.len();
    }

    /// The code of a basic statement. If it cannot be executed, control goes to `blocked`.
    pub(super) fn basic(
        &mut self,
        em: &mut Emitter,
        proctype: &Proctype,
        s: &Stmt,
        blocked: Label,
    ) {
        match &s.kind {
            StmtKind::Decl(var) => {
                self.commit();
                self.declaration(em, *var, s.span);
            }
            StmtKind::Exclusive { .. } => self.commit(),
            StmtKind::Send { channel, args, sorted } => {
                self.load(em, channel, 0);
                let count = self.args(em, args, 1);
                let site = self.channel_site(channel);
                self.jump(em, blocked, Op::SendGuard { c: 0, first: 1, count, or: OPEN, site });
                self.commit();
                self.op(Op::Send { c: 0, first: 1, count, sorted: *sorted, site });
            }
            StmtKind::Receive { channel, args, random, copy } => {
                self.receive(em, channel, args, *random, *copy, blocked);
            }
            StmtKind::Assign(target, e) => {
                self.commit();
                self.expr(em, e, 0);
                match target {
                    Target::Var(r) => self.store(em, r, 0),
                    Target::Discard(_) => {}
                    Target::Priority(_) => {
                        self.op(Op::Pid { d: 1 });
                        self.op(Op::SetPriority { a: 1, value: 0 });
                    }
                }
            }
            StmtKind::Increment(r) => self.step_by(em, r, 1),
            StmtKind::Decrement(r) => self.step_by(em, r, -1),
            StmtKind::Assert(e) => {
                self.commit();
                self.expr(em, e, 0);
                let operands = self.operands(e);
                let site = self.site(s.span, pretty::written_expr(self.model, e), operands);
                self.op(Op::Assert { a: 0, site });
            }
            StmtKind::Expr(Expr { kind: ExprKind::Const(1), .. }) => self.commit(),
            StmtKind::Expr(e) => {
                if has_run(e) {
                    self.commit();
                    self.expr(em, e, 0);
                } else {
                    self.expr(em, e, 0);
                    self.jump(em, blocked, Op::JumpIfZero { a: 0, to: OPEN });
                    self.commit();
                }
            }
            StmtKind::Printf(format, args) => {
                self.commit();
                let format = self.format(format);
                let count = self.args(em, args, 0);
                self.op(Op::Print { format, first: 0, count });
            }
            StmtKind::Printm(e) => {
                self.commit();
                let set = self.name_set(e);
                let format = Format {
                    pieces: vec![String::new(), String::new()],
                    conversions: vec![Conversion::Name(set)],
                };
                self.machine.formats.push(format);
                let format = self.machine.formats.len() as u32 - 1;
                self.expr(em, e, 0);
                self.op(Op::Print { format, first: 0, count: 1 });
            }
            StmtKind::SetPriority(p, n) => {
                self.commit();
                self.expr(em, p, 0);
                self.expr(em, n, 1);
                self.op(Op::SetPriority { a: 0, value: 1 });
            }
            StmtKind::CCode { .. } => {
                self.unsupported(s.span, "embedded C: this `c_code` is not supported");
                self.commit();
            }
            _ => unreachable!("{} is not basic", pretty::written_stmt(self.model, proctype, s)),
        }
    }

    fn step_by(&mut self, em: &mut Emitter, r: &VarRef, by: i32) {
        self.commit();
        self.load(em, r, 0);
        self.op(Op::Const { d: 1, value: by });
        self.op(Op::Binary { op: code::Binary::Add, d: 0, a: 0, b: 1 });
        self.store(em, r, 0);
    }

    /// A declaration in the middle of a body is an assignment of its initial value; of an array
    /// only the first element is set, and the fields of a structure keep their values.
    fn declaration(&mut self, em: &mut Emitter, var: VarId, span: Span) {
        let variable = &self.model.vars[var.index()];
        if matches!(variable.ty, Type::Struct(_)) || matches!(variable.init, Init::Channel(_)) {
            // Not the same as no statement at all: a D_proctype may have one such choice only.
            self.op(Op::Const { d: 0, value: 0 });
            return;
        }
        match &variable.init {
            Init::Expr(e) => self.expr(em, e, 0),
            Init::List(values) => {
                self.op(Op::Const { d: 0, value: values.first().copied().unwrap_or(0) });
            }
            _ => self.op(Op::Const { d: 0, value: 0 }),
        }
        let index = variable.array.map(|_| Box::new(Expr { kind: ExprKind::Const(0), span }));
        self.store(em, &VarRef { var, index, fields: Vec::new(), span }, 0);
    }

    fn receive(
        &mut self,
        em: &mut Emitter,
        channel: &VarRef,
        args: &[RecvArg],
        random: bool,
        copy: bool,
        blocked: Label,
    ) {
        self.load(em, channel, 0);
        let pattern = self.pattern(em, args, random, 1);
        let site = self.channel_site(channel);
        let guard = Op::ReceiveGuard { c: 0, first: 1, pattern, copy, or: OPEN, site };
        self.jump(em, blocked, guard);
        self.commit();
        let mut field = 0u8;
        for arg in args {
            match arg {
                RecvArg::Var(r) => {
                    for part in self.expand(r) {
                        self.op(Op::ReceiveField { d: 1, c: 0, field });
                        self.store(em, &part, 1);
                        field = field.saturating_add(1);
                    }
                }
                _ => field = field.saturating_add(1),
            }
        }
        if !copy {
            self.op(Op::ReceiveTake { c: 0 });
        }
    }

    /// The set of names that an expression's value belongs to.
    fn name_set(&self, e: &Expr) -> u16 {
        match &e.kind {
            ExprKind::Mtype(set, _) => set.0 as u16,
            ExprKind::Var(r) => match self.type_of(r).0 {
                Type::Mtype(set) => set.0 as u16,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// A format with its escapes resolved.
    fn format(&mut self, text: &str) -> u32 {
        let mut pieces = vec![String::new()];
        let mut conversions = Vec::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            let piece = pieces.last_mut().expect("never empty");
            match c {
                '\\' => match chars.next() {
                    Some('n') => piece.push('\n'),
                    Some('t') => piece.push('\t'),
                    Some(other) => piece.push(other),
                    None => {}
                },
                '"' => {}
                '%' => {
                    let conversion = match chars.next() {
                        Some('d') => Some(Conversion::Decimal),
                        Some('u') => Some(Conversion::Unsigned),
                        Some('c') => Some(Conversion::Char),
                        Some('o') => Some(Conversion::Octal),
                        Some('x') => Some(Conversion::Hex),
                        Some('e') => Some(Conversion::Name(0)),
                        Some('%') | None => {
                            piece.push('%');
                            None
                        }
                        Some(other) => {
                            piece.push('%');
                            piece.push(other);
                            None
                        }
                    };
                    if let Some(conversion) = conversion {
                        conversions.push(conversion);
                        pieces.push(String::new());
                    }
                }
                other => piece.push(other),
            }
        }
        self.machine.formats.push(Format { pieces, conversions });
        self.machine.formats.len() as u32 - 1
    }

    /// Number of scalars that a parameter list takes.
    pub(super) fn parameter_fields(&self, params: &[VarId]) -> Vec<Field> {
        let mut fields = Vec::new();
        for &param in params {
            let var = &self.model.vars[param.index()];
            let place = self.places[param.index()];
            let mut leaves = Vec::new();
            super::layout::leaves(
                self.model,
                &self.structs,
                &var.name,
                var.ty,
                var.array,
                &Init::None,
                place.bit,
                place.stride,
                &mut leaves,
            );
            fields.extend(leaves.iter().map(super::layout::Leaf::field));
        }
        fields
    }
}

/// Whether an expression makes a process.
pub(super) fn has_run(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Run { .. } => true,
        ExprKind::Unary(_, a) => has_run(a),
        ExprKind::Binary(_, a, b) => has_run(a) || has_run(b),
        ExprKind::Cond(c, a, b) => has_run(c) || has_run(a) || has_run(b),
        _ => false,
    }
}

/// The variable parts of an expression.
fn collect(e: &Expr, out: &mut Vec<Expr>) {
    match &e.kind {
        ExprKind::Unary(_, a) => collect(a, out),
        ExprKind::Binary(_, a, b) => {
            collect(a, out);
            collect(b, out);
        }
        ExprKind::Cond(c, a, b) => {
            collect(c, out);
            collect(a, out);
            collect(b, out);
        }
        ExprKind::Const(_) | ExprKind::Mtype(..) | ExprKind::Run { .. } | ExprKind::C { .. } => {}
        ExprKind::Temporal(..) => {}
        _ => out.push(e.clone()),
    }
}
