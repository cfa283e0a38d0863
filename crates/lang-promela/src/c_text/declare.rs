//! What the C declarations of a model introduce.

use std::collections::BTreeMap;

use everypath_model::{Diagnostic, Severity, Span};

use super::fold::fit;
use super::syntax::*;
use super::translate::constant;
use super::{Refusal, read};
use crate::ast::*;

/// How many elements an array of C may have.
const MAX_ELEMENTS: i32 = 65_535;

/// The names that C text can use.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Behind `now.`; `None` if several variables have the name.
    pub globals: BTreeMap<String, Option<VarId>>,
    /// Behind `Pname->`, for each proctype.
    pub locals: Vec<BTreeMap<String, Option<VarId>>>,
    /// Without a prefix.
    pub plain: BTreeMap<String, Symbol>,
    /// The types of variables that are declared in C.
    pub types: BTreeMap<VarId, CType>,
}

/// A name of C.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Enumerator(i32),
    Object(CObject),
}

/// A variable of C.
#[derive(Clone, Debug)]
pub(super) struct CObject {
    pub ty: CType,
    /// Number of elements.
    pub array: Option<u32>,
    /// Initial values: one, or one for each element.
    pub values: Vec<i32>,
    pub tracking: Tracking,
    /// Its variable in the model.
    pub var: Option<VarId>,
    /// Where its declaration stands.
    pub span: Span,
}

/// What SPIN's search does with an object outside of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tracking {
    /// Nothing.
    Untracked,
    /// It is part of the state.
    Matched,
    /// It is restored, but not part of the state.
    Restored(String),
    /// Nothing, by a `c_state`.
    Hidden,
}

impl Names {
    /// Declares the objects of all units, and the variables of the model that they stand for.
    pub fn collect(model: &mut Model, units: &[CUnit], diagnostics: &mut Vec<Diagnostic>) -> Names {
        let mut names = Names::default();
        for &id in &model.globals {
            enter(&mut names.globals, model, id);
        }
        for proctype in &model.proctypes {
            let mut locals = BTreeMap::new();
            for &id in proctype.params.iter().chain(&proctype.locals) {
                enter(&mut locals, model, id);
            }
            names.locals.push(locals);
        }
        // An object may be tracked before it is declared.
        let is_track = |unit: &&CUnit| matches!(unit.kind, CUnitKind::Track { .. });
        let order = units.iter().filter(|u| !is_track(u)).chain(units.iter().filter(is_track));
        for unit in order {
            let result = match &unit.kind {
                CUnitKind::Decl(text) => names.declarations(text, unit.span, diagnostics),
                CUnitKind::Code(text) => code(text, unit.span, diagnostics),
                CUnitKind::State { decl, scope, init } => {
                    names.state(model, decl, scope.trim(), init.as_deref(), unit.span)
                }
                CUnitKind::Track { object, size, mode } => {
                    names.track(model, object, size, mode.as_deref())
                }
            };
            if let Err(refusal) = result {
                diagnostics.push(refusal.diagnostic(unit.span));
            }
        }
        names
    }

    fn plain(&mut self, name: String, symbol: Symbol, line: u32) -> Result<(), Refusal> {
        if self.plain.contains_key(&name) {
            return Err(Refusal::new(line, format!("a second declaration of `{name}`")));
        }
        self.plain.insert(name, symbol);
        Ok(())
    }

    fn declarations(
        &mut self,
        text: &str,
        span: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<(), Refusal> {
        let globals = read::globals(text)?;
        note_headers(&globals, span, diagnostics);
        let mut next = 0i32;
        for item in globals.items {
            match item {
                Global::Enumerator { name, value, first, line } => {
                    let value = match value {
                        Some(e) => constant(&e, &self.plain)?,
                        None if first => 0,
                        None => next,
                    };
                    next = value.wrapping_add(1);
                    self.plain(name, Symbol::Enumerator(value), line)?;
                }
                Global::Object(object) => {
                    let line = object.line;
                    let name = object.name.clone();
                    let object = self.object(object, Tracking::Untracked, span)?;
                    self.plain(name, Symbol::Object(object), line)?;
                }
            }
        }
        Ok(())
    }

    fn object(
        &self,
        object: GlobalObject,
        tracking: Tracking,
        span: Span,
    ) -> Result<CObject, Refusal> {
        let GlobalObject { ty, name, array, init, line } = object;
        let mut values = Vec::new();
        let given: &[CExpr] = match &init {
            None => &[],
            Some(GlobalInit::Value(e)) if array.is_none() => std::slice::from_ref(e),
            Some(GlobalInit::List(list)) if array.is_some() => list,
            Some(_) => return Err(Refusal::new(line, format!("this initial value of `{name}`"))),
        };
        for e in given {
            values.push(fit(ty, constant(e, &self.plain)?));
        }
        let count = match &array {
            None => 1,
            Some(ArraySize::FromList) => values.len() as i32,
            Some(ArraySize::Given(e)) => constant(e, &self.plain)?,
        };
        if !(1..=MAX_ELEMENTS).contains(&count) || values.len() > count as usize {
            return Err(Refusal::new(line, format!("the size of the array `{name}`")));
        }
        values.resize(count as usize, 0);
        let array = array.map(|_| count as u32);
        Ok(CObject { ty, array, values, tracking, var: None, span })
    }

    fn state(
        &mut self,
        model: &mut Model,
        decl: &str,
        scope: &str,
        init: Option<&str>,
        span: Span,
    ) -> Result<(), Refusal> {
        let mut object = read::state_object(decl)?;
        let (name, line) = (object.name.clone(), object.line);
        if let Some(text) = init.map(str::trim).filter(|text| !text.is_empty()) {
            object.init = Some(GlobalInit::Value(read::expression(text)?));
        }
        let tracking = if scope == "Hidden" { Tracking::Hidden } else { Tracking::Matched };
        let object = self.object(object, tracking, span)?;
        let owner = match scope {
            "Hidden" => return self.plain(name, Symbol::Object(object), line),
            "Global" => Owner::Model,
            _ => {
                let wanted = scope.strip_prefix("Local").map(str::trim);
                let found = model
                    .proctypes
                    .iter()
                    .position(|p| !p.is_init && Some(p.name.as_str()) == wanted);
                match found {
                    Some(index) => Owner::Proctype(ProcId(index as u32)),
                    None => {
                        return Err(Refusal::new(line, format!("the scope `{scope}` of c_state")));
                    }
                }
            }
        };
        let var = self.add(model, &name, &object, owner, false);
        let table = match owner {
            Owner::Proctype(id) => &mut self.locals[id.index()],
            _ => &mut self.globals,
        };
        if table.insert(name.clone(), Some(var)).is_some() {
            return Err(Refusal::new(line, format!("a second declaration of `{name}`")));
        }
        Ok(())
    }

    fn track(
        &mut self,
        model: &mut Model,
        object: &str,
        size: &str,
        mode: Option<&str>,
    ) -> Result<(), Refusal> {
        let (name, whole) = read::tracked_object(object)?;
        let unnamed =
            || Refusal::new(0, format!("c_track of `{object}`, which is not a named object,"));
        let Some(Symbol::Object(found)) = self.plain.get(&name) else { return Err(unnamed()) };
        let mut found = found.clone();
        if found.tracking != Tracking::Untracked {
            return Err(Refusal::new(0, format!("a second c_track of `{name}`")));
        }
        if found.array.is_none() && !whole {
            return Err(unnamed());
        }
        let bytes = found.ty.size() * found.array.unwrap_or(1);
        if self.size(&read::expression(size)?) != Some(bytes) {
            let construct = format!("c_track of `{size}` bytes of `{name}`, which has {bytes},");
            return Err(Refusal::new(0, construct));
        }
        match mode.map(str::trim) {
            None | Some("Matched") => {
                found.tracking = Tracking::Matched;
                found.var = Some(self.add(model, &name, &found, Owner::Model, false));
            }
            Some(mode @ ("UnMatched" | "StackOnly")) => {
                found.tracking = Tracking::Restored(mode.to_string());
            }
            Some(mode) => return Err(Refusal::new(0, format!("c_track as `{mode}`"))),
        }
        self.plain.insert(name, Symbol::Object(found));
        Ok(())
    }

    /// The value of a size in bytes.
    fn size(&self, e: &CExpr) -> Option<u32> {
        match &e.kind {
            CExprKind::Int(value, _) => u32::try_from(*value).ok(),
            CExprKind::SizeOfType(ty) => Some(ty.size()),
            CExprKind::SizeOfName(name) => match self.plain.get(name)? {
                Symbol::Object(object) => Some(object.ty.size() * object.array.unwrap_or(1)),
                Symbol::Enumerator(_) => Some(4),
            },
            CExprKind::Object(_) => u32::try_from(constant(e, &self.plain).ok()?).ok(),
            CExprKind::Binary(op, a, b) => {
                let (a, b) = (self.size(a)?, self.size(b)?);
                match op {
                    BinaryOp::Mul => a.checked_mul(b),
                    BinaryOp::Add => a.checked_add(b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Makes an object a variable of the model.
    pub fn add(
        &mut self,
        model: &mut Model,
        name: &str,
        object: &CObject,
        owner: Owner,
        synthetic: bool,
    ) -> VarId {
        let span = object.span;
        let init = if object.values.iter().all(|&value| value == 0) {
            Init::None
        } else if object.array.is_some() {
            Init::List(object.values.clone())
        } else {
            Init::Expr(Expr { kind: ExprKind::Const(object.values[0]), span })
        };
        let id = VarId(model.vars.len() as u32);
        model.vars.push(Var {
            name: name.to_string(),
            span,
            ty: object.ty.stored(),
            array: object.array,
            init,
            owner,
            prefix: Prefix::None,
            synthetic,
        });
        match owner {
            Owner::Proctype(proctype) => {
                let proctype = &mut model.proctypes[proctype.index()];
                proctype.locals.insert(proctype.startup, id);
                proctype.startup += 1;
            }
            _ => model.globals.push(id),
        }
        self.types.insert(id, object.ty);
        id
    }
}

fn enter(table: &mut BTreeMap<String, Option<VarId>>, model: &Model, id: VarId) {
    let var = &model.vars[id.index()];
    if !var.synthetic {
        table.entry(var.name.clone()).and_modify(|entry| *entry = None).or_insert(Some(id));
    }
}

/// C code outside of proctypes may only name headers.
fn code(text: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Result<(), Refusal> {
    let globals = read::globals(text)?;
    note_headers(&globals, span, diagnostics);
    match globals.items.first() {
        None => Ok(()),
        Some(Global::Enumerator { line, .. } | Global::Object(GlobalObject { line, .. })) => {
            Err(Refusal::new(*line, "a declaration in c_code outside of proctypes"))
        }
    }
}

fn note_headers(globals: &Globals, span: Span, diagnostics: &mut Vec<Diagnostic>) {
    for header in &globals.headers {
        let message = format!("embedded C: `#include <{header}>` is ignored");
        diagnostics.push(Diagnostic::new(Severity::Note, "EP1409", span, message));
    }
}
