//! From the tree of C to Promela.
//!
//! Values of expressions are 32 bits. Whether they are signed is part of the translation: `+`, `-`,
//! `*`, `<<`, `==` and the bit operators do the same to both, comparisons of unsigned values flip the
//! top bits, and the other operators refuse them.

use std::collections::BTreeMap;

use everypath_model::Span;

use super::declare::{CObject, Names, Symbol, Tracking};
use super::fold::{binary, cast, flip, unary};
use super::syntax::*;
use super::{Refusal, read};
use crate::ast::*;

type Done<T> = Result<T, Refusal>;

/// Translates fragments.
pub(super) struct Translator<'m> {
    pub model: &'m mut Model,
    /// Where the fragment stands; `None` in claims, formulas and declarations of globals.
    pub proctype: Option<ProcId>,
    names: Names,
    /// Of the fragment.
    span: Span,
    /// The variables of the enclosing blocks of the fragment.
    scopes: Vec<Vec<(String, VarId, CType)>>,
    /// All variables of the fragment.
    temporaries: Vec<VarId>,
    /// Variables for those of fragments, by proctype.
    pool: BTreeMap<u32, Vec<VarId>>,
}

/// A translated expression, and whether it is unsigned.
struct Value {
    expr: Expr,
    unsigned: bool,
}

/// What an object is.
enum Reached {
    /// A constant and its type.
    Value(i32, CType),
    /// `_pid`
    Pid,
    Var(VarRef, CType),
}

impl<'m> Translator<'m> {
    pub fn new(model: &'m mut Model, names: Names) -> Translator<'m> {
        let span = Span::new(everypath_model::FileId(0), 0, 0);
        Translator {
            model,
            proctype: None,
            names,
            span,
            scopes: Vec::new(),
            temporaries: Vec::new(),
            pool: BTreeMap::new(),
        }
    }

    /// The meaning of a `c_expr`.
    pub fn condition(&mut self, precondition: Option<&str>, text: &str, span: Span) -> Done<Expr> {
        self.start(span);
        if precondition.is_some() {
            return Err(Refusal::new(0, "a precondition of c_expr"));
        }
        let e = read::expression(text)?;
        Ok(self.value(&e)?.expr)
    }

    /// The meaning of a `c_code` that is a statement.
    pub fn fragment(
        &mut self,
        precondition: Option<&str>,
        text: &str,
        span: Span,
    ) -> Done<StmtKind> {
        self.start(span);
        let precondition = match precondition {
            Some(text) => {
                let e = read::expression(text)?;
                Some(self.value(&e)?.expr)
            }
            None => None,
        };
        let statements = read::statements(text)?;
        let mut body = Vec::new();
        self.block(&statements, &mut body)?;
        // States must not differ in variables that no longer exist.
        for var in std::mem::take(&mut self.temporaries) {
            let zero = self.constant(0);
            body.push(self.assign(self.reference(var), zero));
        }
        let text = text.split_whitespace().fold(" ".to_string(), |line, word| line + word + " ");
        Ok(StmtKind::CStep { precondition, text, body })
    }

    fn start(&mut self, span: Span) {
        self.span = span;
        self.scopes.clear();
        self.temporaries.clear();
    }

    // Statements.

    fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.span, labels: Vec::new() }
    }

    fn assign(&self, to: VarRef, e: Expr) -> Stmt {
        self.stmt(StmtKind::Assign(Target::Var(to), e))
    }

    fn reference(&self, var: VarId) -> VarRef {
        VarRef { var, index: None, fields: Vec::new(), span: self.span }
    }

    fn block(&mut self, statements: &[CStmt], out: &mut Vec<Stmt>) -> Done<()> {
        self.scopes.push(Vec::new());
        let result = statements.iter().try_for_each(|s| self.statement(s, out));
        self.scopes.pop();
        result
    }

    fn statement(&mut self, s: &CStmt, out: &mut Vec<Stmt>) -> Done<()> {
        match s {
            CStmt::Declare { ty, name, init, line } => {
                let value = match init {
                    Some(e) => self.value(e)?.expr,
                    None => self.constant(0),
                };
                let var = self.temporary(*ty, name, *line)?;
                let value = self.stored(*ty, value);
                out.push(self.assign(self.reference(var), value));
            }
            CStmt::Assign(object, op, e) => {
                let (to, ty) = self.target(object)?;
                let mut value = self.value(e)?;
                if let Some(op) = op {
                    let old = self.read(to.clone(), ty);
                    value = self.binary(*op, old, value, object.line)?;
                }
                let value = self.stored(ty, value.expr);
                out.push(self.assign(to, value));
            }
            CStmt::Assert(e) => {
                let e = self.value(e)?.expr;
                out.push(self.stmt(StmtKind::Assert(e)));
            }
            CStmt::If(condition, yes, no) => {
                let condition = self.value(condition)?.expr;
                let mut first = vec![self.stmt(StmtKind::Expr(condition))];
                self.block(yes, &mut first)?;
                let mut second = vec![self.stmt(StmtKind::Else)];
                self.block(no, &mut second)?;
                out.push(self.stmt(StmtKind::If(vec![first, second])));
            }
            CStmt::While(condition, body) => {
                let condition = self.value(condition)?.expr;
                let mut round = vec![self.stmt(StmtKind::Expr(condition))];
                self.block(body, &mut round)?;
                let leave = vec![self.stmt(StmtKind::Else), self.stmt(StmtKind::Break)];
                out.push(self.stmt(StmtKind::Do(vec![round, leave])));
            }
            CStmt::DoWhile(body, condition) => {
                let one = self.constant(1);
                let mut round = vec![self.stmt(StmtKind::Expr(one))];
                self.block(body, &mut round)?;
                let condition = self.value(condition)?.expr;
                let again = vec![self.stmt(StmtKind::Expr(condition))];
                let leave = vec![self.stmt(StmtKind::Else), self.stmt(StmtKind::Break)];
                round.push(self.stmt(StmtKind::If(vec![again, leave])));
                out.push(self.stmt(StmtKind::Do(vec![round])));
            }
            CStmt::Block(body) => self.block(body, out)?,
            CStmt::Break => out.push(self.stmt(StmtKind::Break)),
        }
        Ok(())
    }

    /// A variable of the process for one of the fragment. It is 0 between fragments, so they share.
    fn temporary(&mut self, ty: CType, name: &str, line: u32) -> Done<VarId> {
        let Some(proctype) = self.proctype else {
            return Err(Refusal::new(line, format!("the local variable `{name}` in a claim")));
        };
        let taken = |scope: &Vec<(String, VarId, CType)>| scope.iter().any(|(n, ..)| n == name);
        if self.scopes.last().is_some_and(taken) {
            return Err(Refusal::new(line, format!("a second declaration of `{name}`")));
        }
        let pool = self.pool.entry(proctype.0).or_default();
        let vars = &self.model.vars;
        let used = |id: &VarId| self.temporaries.contains(id);
        let fits = |id: &VarId| {
            let var = &vars[id.index()];
            var.ty == ty.stored() && var.name == name && !used(id)
        };
        let id = match pool.iter().copied().find(fits) {
            Some(id) => id,
            None => {
                let id = VarId(vars.len() as u32);
                pool.push(id);
                self.model.vars.push(Var {
                    name: name.to_string(),
                    span: self.span,
                    ty: ty.stored(),
                    array: None,
                    init: Init::None,
                    owner: Owner::Proctype(proctype),
                    prefix: Prefix::None,
                    synthetic: true,
                });
                self.model.proctypes[proctype.index()].locals.push(id);
                id
            }
        };
        self.temporaries.push(id);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name.to_string(), id, ty));
        }
        Ok(id)
    }

    /// What is stored for a value: variables cut to their width, but they may be wider than in C.
    fn stored(&self, ty: CType, value: Expr) -> Expr {
        match ty {
            CType::Char | CType::Bool => cast(ty, value),
            _ => value,
        }
    }

    // Objects.

    fn target(&mut self, object: &Object) -> Done<(VarRef, CType)> {
        let refuse = |why: String| Err(Refusal::new(object.line, why));
        if object.root == Root::Plain
            && let name = &object.path[0].name
            && self.local(name).is_none()
            && let Some(Symbol::Object(found)) = self.names.plain.get(name)
        {
            match &found.tracking {
                Tracking::Matched => {}
                Tracking::Untracked => {
                    return refuse(format!(
                        "a write to `{name}`, which no c_track names and so is not restored on \
                         backtracking,"
                    ));
                }
                Tracking::Hidden => {
                    return refuse(format!(
                        "a write to `{name}`, which is hidden and so not restored on backtracking,"
                    ));
                }
                Tracking::Restored(mode) => {
                    return refuse(format!("a write to `{name}`, which is tracked as {mode},"));
                }
            }
        }
        match self.reach(object)? {
            Reached::Var(r, ty) => Ok((r, ty)),
            Reached::Value(..) => {
                refuse(format!("a write to the constant `{}`", object.path[0].name))
            }
            Reached::Pid => refuse("a write to `_pid`".into()),
        }
    }

    fn local(&self, name: &str) -> Option<(VarId, CType)> {
        let scopes = self.scopes.iter().rev();
        let found = scopes.flat_map(|scope| scope.iter()).find(|(n, ..)| n == name)?;
        Some((found.1, found.2))
    }

    fn reach(&mut self, object: &Object) -> Done<Reached> {
        let line = object.line;
        let name = &object.path[0].name;
        let refuse = |why: String| Err(Refusal::new(line, why));
        match &object.root {
            Root::Plain => self.reach_plain(object),
            Root::Now => match self.names.globals.get(name) {
                Some(Some(id)) => {
                    let id = *id;
                    if self.model.vars[id.index()].prefix == Prefix::Hidden {
                        return refuse(format!("the hidden variable `{name}`"));
                    }
                    self.reach_var(id, object)
                }
                _ => refuse(format!("`now.{name}`, which is not a variable of the model,")),
            },
            Root::Process(process) => {
                let here =
                    self.proctype.filter(|id| self.model.proctypes[id.index()].name == *process);
                let Some(here) = here else {
                    return refuse(format!("`P{process}->{name}` outside of `{process}`"));
                };
                if name == "_pid" && object.path.len() == 1 && object.path[0].index.is_none() {
                    return Ok(Reached::Pid);
                }
                match self.names.locals[here.index()].get(name) {
                    Some(Some(id)) => self.reach_var(*id, object),
                    Some(None) => refuse(format!("`P{process}->{name}`, of which there are two,")),
                    None => refuse(format!(
                        "`P{process}->{name}`, which is not a variable of `{process}`,"
                    )),
                }
            }
        }
    }

    fn reach_plain(&mut self, object: &Object) -> Done<Reached> {
        let line = object.line;
        let part = &object.path[0];
        let name = &part.name;
        if object.path.len() > 1 {
            return Err(Refusal::new(line, "a structure of C"));
        }
        if let Some((var, ty)) = self.local(name) {
            if part.index.is_some() {
                return Err(Refusal::new(line, format!("an index on `{name}`")));
            }
            return Ok(Reached::Var(self.reference(var), ty));
        }
        let mut found = match self.names.plain.get(name) {
            Some(Symbol::Enumerator(value)) if part.index.is_none() => {
                return Ok(Reached::Value(*value, CType::Int));
            }
            Some(Symbol::Object(found)) => found.clone(),
            _ => {
                let hint = match self.names.globals.contains_key(name) {
                    true => format!(" (a variable of the model is `now.{name}`)"),
                    false => String::new(),
                };
                let why = format!("the name `{name}`{hint}, which has no C declaration,");
                return Err(Refusal::new(line, why));
            }
        };
        if found.var.is_none() {
            match (found.array, &part.index) {
                // What is never written keeps its value.
                (None, None) => return Ok(Reached::Value(found.values[0], found.ty)),
                (Some(_), Some(_)) => self.table(name, &mut found),
                _ => {}
            }
        }
        match found.var {
            Some(var) => self.reach_var(var, object),
            None => Err(Refusal::new(line, format!("this use of `{name}`"))),
        }
    }

    /// Gives a constant array a variable.
    fn table(&mut self, name: &str, found: &mut CObject) {
        found.var = Some(self.names.add(self.model, name, found, Owner::Model, true));
        self.names.plain.insert(name.to_string(), Symbol::Object(found.clone()));
    }

    /// The part of a variable that the path of an object leads to.
    fn reach_var(&mut self, id: VarId, object: &Object) -> Done<Reached> {
        let var = &self.model.vars[id.index()];
        let (mut ty, mut array) = (var.ty, var.array);
        let mut reference = self.reference(id);
        for (i, part) in object.path.iter().enumerate() {
            let name = &part.name;
            let refuse = |why: &str| Err(Refusal::new(object.line, format!("{why} `{name}`")));
            let mut field = None;
            if i > 0 {
                let Type::Struct(id) = ty else { return refuse("the field") };
                let fields = &self.model.typedefs[id.index()].fields;
                let Some(at) = fields.iter().position(|f| f.name == *name) else {
                    return refuse("the field");
                };
                (ty, array) = (fields[at].ty, fields[at].array);
                field = Some(at as u32);
            }
            let index = match (array, &part.index) {
                (Some(_), Some(e)) => Some(Box::new(self.value(e)?.expr)),
                (None, None) => None,
                (Some(_), None) => return refuse("the whole array"),
                (None, Some(_)) => return refuse("an index on"),
            };
            match field {
                Some(field) => reference.fields.push(FieldRef { field, index }),
                None => reference.index = index,
            }
        }
        let declared = self.names.types.get(&id).copied();
        let last = &object.path[object.path.len() - 1].name;
        match declared.or(CType::of(ty)) {
            Some(seen) => Ok(Reached::Var(reference, seen)),
            None if ty == Type::Chan => {
                Err(Refusal::new(object.line, format!("the channel `{last}`")))
            }
            None => Err(Refusal::new(object.line, format!("the whole structure `{last}`"))),
        }
    }

    // Expressions.

    fn constant(&self, value: i32) -> Expr {
        Expr { kind: ExprKind::Const(value), span: self.span }
    }

    fn read(&self, r: VarRef, ty: CType) -> Value {
        let expr = Expr { kind: ExprKind::Var(r), span: self.span };
        Value { expr, unsigned: ty == CType::UInt }
    }

    fn value(&mut self, e: &CExpr) -> Done<Value> {
        match &e.kind {
            CExprKind::Int(value, unsigned) => {
                Ok(Value { expr: self.constant(*value), unsigned: *unsigned })
            }
            CExprKind::Object(object) => Ok(match self.reach(object)? {
                Reached::Value(value, ty) => {
                    Value { expr: self.constant(value), unsigned: ty == CType::UInt }
                }
                Reached::Pid => {
                    let expr = Expr { kind: ExprKind::Pid, span: self.span };
                    Value { expr, unsigned: false }
                }
                Reached::Var(r, ty) => self.read(r, ty),
            }),
            CExprKind::Unary(op, a) => {
                let a = self.value(a)?;
                let unsigned = a.unsigned && *op != UnaryOp::Not;
                Ok(Value { expr: unary(*op, a.expr), unsigned })
            }
            CExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.binary(*op, a, b, e.line)
            }
            CExprKind::Cond(condition, a, b) => {
                let condition = Box::new(self.value(condition)?.expr);
                let (a, b) = (self.value(a)?, self.value(b)?);
                let kind = ExprKind::Cond(condition, Box::new(a.expr), Box::new(b.expr));
                let expr = Expr { kind, span: self.span };
                Ok(Value { expr, unsigned: a.unsigned || b.unsigned })
            }
            CExprKind::Cast(ty, a) => {
                let a = self.value(a)?;
                Ok(Value { expr: cast(*ty, a.expr), unsigned: *ty == CType::UInt })
            }
            CExprKind::SizeOfType(_) | CExprKind::SizeOfName(_) => {
                Err(Refusal::new(e.line, "`sizeof` in an expression"))
            }
        }
    }

    fn binary(&self, op: BinaryOp, a: Value, b: Value, line: u32) -> Done<Value> {
        let unsigned = a.unsigned || b.unsigned;
        let refuse =
            |sign: &str| Err(Refusal::new(line, format!("`{sign}` on an unsigned 32-bit number")));
        match op {
            BinaryOp::Div if unsigned => refuse("/"),
            BinaryOp::Rem if unsigned => refuse("%"),
            BinaryOp::Shr if a.unsigned => refuse(">>"),
            BinaryOp::Shl | BinaryOp::Shr => {
                Ok(Value { expr: binary(op, a.expr, b.expr), unsigned: a.unsigned })
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge if unsigned => {
                let (a, b) = (flip(a.expr), flip(b.expr));
                Ok(Value { expr: binary(op, a, b), unsigned: false })
            }
            BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::And
            | BinaryOp::Or => Ok(Value { expr: binary(op, a.expr, b.expr), unsigned: false }),
            _ => Ok(Value { expr: binary(op, a.expr, b.expr), unsigned }),
        }
    }
}

/// The value of a constant expression over the enumerators among some names.
pub(super) fn constant(e: &CExpr, names: &BTreeMap<String, Symbol>) -> Done<i32> {
    let mut empty = Model::default();
    let mut translator = Translator::new(&mut empty, Names::default());
    for (name, symbol) in names {
        if let Symbol::Enumerator(_) = symbol {
            translator.names.plain.insert(name.clone(), symbol.clone());
        }
    }
    match translator.value(e)?.expr.kind {
        ExprKind::Const(value) => Ok(value),
        _ => Err(Refusal::new(e.line, "an initial value that is not constant")),
    }
}
