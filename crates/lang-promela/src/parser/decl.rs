//! Declarations: variables, parameters, typedefs, symbolic names.

use std::collections::HashMap;

use everypath_model::{Diagnostic, Span};

use super::names::{Class, Global};
use super::{Parse, Parser};
use crate::ast::{
    ChannelInit, Expr, ExprKind, FieldDef, Init, MtypeId, MtypeSet, Owner, Prefix, Stmt, StmtKind,
    Type, TypeDef, TypeId, VarId,
};
use crate::codes;
use crate::lexer::{Kind, Token};

/// How many typedefs may be nested.
const MAX_TYPE_DEPTH: u32 = 64;
/// How many symbolic names a set may have.
const MAX_MTYPES: usize = 255;

/// One declared name.
struct Declarator {
    name: Token,
    ty: Type,
    array: Option<u32>,
    init: Init,
    /// The place of the initial value.
    init_span: Span,
}

/// What is known about the size of a typedef.
#[derive(Clone, Copy)]
pub(super) struct TypeSize {
    /// Number of single values.
    pub width: usize,
    depth: u32,
    /// Whether it contains an array.
    pub has_array: bool,
}

impl TypeSize {
    /// For a typedef of a finished model, where sizes do not matter any more.
    pub fn of_adopted() -> TypeSize {
        TypeSize { width: 1, depth: 1, has_array: false }
    }
}

impl<'a> Parser<'a> {
    /// Whether a declaration of variables or symbolic names comes next.
    pub(super) fn starts_declaration(&mut self) -> bool {
        let token = self.peek();
        match token.kind {
            Kind::Hidden | Kind::Show | Kind::Local | Kind::Unsigned => true,
            Kind::Ident => matches!(self.class(token), Class::Type(_)),
            kind => simple_type(kind).is_some() || kind == Kind::Mtype,
        }
    }

    fn prefix(&mut self) -> (Prefix, Token) {
        let token = self.peek();
        let prefix = match token.kind {
            Kind::Hidden => Prefix::Hidden,
            Kind::Show => Prefix::Show,
            Kind::Local => Prefix::Local,
            _ => return (Prefix::None, token),
        };
        self.bump();
        (prefix, token)
    }

    /// A type; `Unsigned(0)` for an unsigned variable whose width follows its name.
    fn type_name(&mut self) -> Parse<Type> {
        let token = self.peek();
        if let Some(ty) = simple_type(token.kind) {
            self.bump();
            return Ok(ty);
        }
        match token.kind {
            Kind::Unsigned => {
                self.bump();
                Ok(Type::Unsigned(0))
            }
            Kind::Mtype => {
                self.bump();
                self.mtype_suffix()
            }
            Kind::Ident => match self.class(token) {
                Class::Type(id) => {
                    self.bump();
                    Ok(Type::Struct(id))
                }
                Class::Name => Err(self.unknown_type(token)),
                _ => Err(self.unexpected("a type")),
            },
            _ => Err(self.unexpected("a type")),
        }
    }

    fn unknown_type(&mut self, token: Token) -> super::Failed {
        let message = format!("unknown type `{}`", self.text_of(token));
        let span = self.span(token);
        self.error(codes::UNKNOWN_NAME, span, message)
    }

    /// The `: name` behind `mtype`.
    fn mtype_suffix(&mut self) -> Parse<Type> {
        if !self.eat(Kind::Colon) {
            return Ok(Type::Mtype(MtypeId(0)));
        }
        let name = self.expect_name("the name of the mtype")?;
        let text = self.text_of(name);
        if let Some(&id) = self.names.mtype_sets.get(text) {
            return Ok(Type::Mtype(id));
        }
        let id = MtypeId(self.model.mtypes.len() as u32);
        self.model.mtypes.push(MtypeSet { name: text.to_string(), ..MtypeSet::default() });
        self.names.mtype_sets.insert(text, id);
        Ok(Type::Mtype(id))
    }

    /// A declaration outside of all bodies.
    pub(super) fn global_declaration(&mut self) -> Parse<()> {
        let (prefix, prefix_token) = self.prefix();
        let ty = self.type_name()?;
        if let Type::Mtype(set) = ty
            && matches!(self.kind(), Kind::Assign | Kind::LBrace)
        {
            if prefix != Prefix::None {
                let span = self.span(prefix_token);
                self.warn(codes::PREFIX, span, "symbolic names take no prefix; it is ignored");
            }
            return self.symbolic_names(set);
        }
        for declarator in self.declarators(ty)? {
            let span = self.span(declarator.name);
            if prefix == Prefix::Hidden && matches!(declarator.ty, Type::Bit | Type::Bool) {
                self.error(codes::PREFIX, span, "a variable of type bit or bool cannot be hidden");
            }
            let id = self.declare(declarator)?;
            self.model.globals.push(id);
            self.model.vars[id.index()].prefix = prefix;
        }
        Ok(())
    }

    /// Names separated by commas; none of them is visible before the end.
    fn declarators(&mut self, ty: Type) -> Parse<Vec<Declarator>> {
        let mut declarators = vec![self.declarator(ty)?];
        while self.eat(Kind::Comma) {
            declarators.push(self.declarator(ty)?);
        }
        Ok(declarators)
    }

    /// `[=] { name, ... }`
    fn symbolic_names(&mut self, set: MtypeId) -> Parse<()> {
        self.eat(Kind::Assign);
        let open = self.expect(Kind::LBrace, "before the symbolic names")?;
        if self.process.is_some() {
            let span = self.span(open);
            let message = "symbolic names are declared outside of all bodies";
            return Err(self.error(codes::MTYPE, span, message));
        }
        let mut names: Vec<Token> = Vec::new();
        loop {
            let token = self.peek();
            match token.kind {
                Kind::Ident if matches!(self.class(token), Class::Name) => {
                    let text = self.text_of(token);
                    if names.len() > MAX_MTYPES {
                        return Err(self.too_many_mtypes(token));
                    }
                    if names.iter().any(|&t| self.text_of(t) == text) {
                        let span = self.span(token);
                        let message = format!("`{text}` stands twice in this declaration");
                        self.warn(codes::MTYPE, span, message);
                    } else {
                        names.push(token);
                    }
                    self.bump();
                }
                Kind::Ident if matches!(self.class(token), Class::Constant(..)) => {
                    let message =
                        format!("the symbolic name `{}` is declared twice", self.text_of(token));
                    let span = self.span(token);
                    self.error(codes::REDECLARED, span, message);
                    self.bump();
                }
                // Separators are free in this list; one may be implied by a line break.
                Kind::Comma if !names.is_empty() => {
                    self.bump();
                }
                Kind::Semi if self.text_of(token).is_empty() => {
                    self.bump();
                }
                Kind::RBrace if !names.is_empty() => break,
                _ => return Err(self.unexpected("a symbolic name")),
            }
        }
        self.close_brace(open)?;
        let spans: Vec<Span> = names.iter().rev().map(|&token| self.span(token)).collect();
        self.model.mtypes[set.index()].spans.extend(spans);
        let known = &mut self.model.mtypes[set.index()].names;
        let mut constants = Vec::new();
        for &token in names.iter().rev() {
            known.push(token.text(self.text).to_string());
            constants.push((token, known.len() as i32));
        }
        let too_many = known.len() > MAX_MTYPES;
        for (token, value) in constants {
            self.names.globals.insert(self.text_of(token), Global::Constant(set, value));
        }
        if too_many {
            return Err(self.too_many_mtypes(open));
        }
        Ok(())
    }

    fn too_many_mtypes(&mut self, token: Token) -> super::Failed {
        let span = self.span(token);
        let message = format!("more than {MAX_MTYPES} symbolic names");
        self.error(codes::MTYPE, span, message)
    }

    /// `name [: width | [size]] [= initial value]`
    fn declarator(&mut self, ty: Type) -> Parse<Declarator> {
        let name = self.expect_name("a name to declare")?;
        let mut declarator =
            Declarator { name, ty, array: None, init: Init::None, init_span: self.span(name) };
        if self.eat(Kind::Colon) {
            let token = self.peek();
            let value = self.literal("a number as the width")?;
            declarator.ty = self.width(ty, token, value);
        } else if self.eat(Kind::LBracket) {
            let at = self.peek();
            let size = self.constant(true)?;
            let span = self.span_from(at);
            self.expect(Kind::RBracket, "after the size of the array")?;
            declarator.array = Some(match u32::try_from(size) {
                Ok(size) if size > 0 => size,
                _ => {
                    let message = format!("an array cannot have {size} elements");
                    self.error(codes::CONSTANT, span, message);
                    1
                }
            });
        }
        if declarator.ty == Type::Unsigned(0) {
            let span = self.span(name);
            let message =
                format!("`unsigned {}` has no width; 16 bits are used", self.text_of(name));
            self.warn(codes::WIDTH, span, message);
            declarator.ty = Type::Unsigned(16);
        }
        if self.at(Kind::Assign) {
            let sign = self.bump();
            declarator.init = self.initializer(&declarator)?;
            declarator.init_span = self.span_from(sign);
        }
        Ok(declarator)
    }

    fn width(&mut self, ty: Type, token: Token, value: i32) -> Type {
        let span = self.span(token);
        if !matches!(ty, Type::Unsigned(_)) {
            let message = "only an unsigned variable has a width; it is ignored";
            self.warn(codes::WIDTH, span, message);
            return ty;
        }
        match value {
            0 => Type::Unsigned(0),
            1..=31 => Type::Unsigned(value as u8),
            _ => {
                let message = format!("a width of {value} bits; 1 to 31 are possible");
                self.error(codes::WIDTH, span, message);
                Type::Unsigned(16)
            }
        }
    }

    fn initializer(&mut self, declarator: &Declarator) -> Parse<Init> {
        let token = self.peek();
        let span = self.span(token);
        match token.kind {
            Kind::LBrace => {
                self.bump();
                let mut values = Vec::new();
                loop {
                    values.push(self.literal("a constant")?);
                    if !self.eat(Kind::Comma) {
                        break;
                    }
                }
                self.close_brace(token)?;
                if declarator.array.is_none() {
                    let message = "a list of values is only possible for an array";
                    self.error(codes::INITIALIZER, span, message);
                }
                Ok(Init::List(values))
            }
            Kind::LBracket => {
                let channel = self.channel_initializer()?;
                if declarator.ty != Type::Chan {
                    let message = "a channel as the initial value of something else";
                    let error = Diagnostic::error(codes::INITIALIZER, span, message);
                    return Err(self.report(error.help("declare it as `chan`")));
                }
                Ok(Init::Channel(channel))
            }
            _ => {
                let runs = self.runs;
                let expr = self.expr()?;
                if self.runs != runs {
                    self.error(codes::RUN, expr.span, "`run` in an initial value");
                }
                if matches!(declarator.ty, Type::Struct(_)) {
                    let message = "a structure takes no initial value; it is ignored";
                    self.warn(codes::INITIALIZER, expr.span, message);
                    return Ok(Init::None);
                }
                Ok(Init::Expr(expr))
            }
        }
    }

    /// A number, character or symbolic name.
    pub(super) fn literal(&mut self, wanted: &str) -> Parse<i32> {
        let token = self.peek();
        let value = match token.kind {
            Kind::Number => self.number(token),
            Kind::Char => self.character(token),
            Kind::True | Kind::Skip => 1,
            Kind::False => 0,
            Kind::Ident => match self.class(token) {
                Class::Constant(_, value) => value,
                _ => return Err(self.unexpected(wanted)),
            },
            _ => return Err(self.unexpected(wanted)),
        };
        self.bump();
        Ok(value)
    }

    /// `[capacity] of { types }`
    fn channel_initializer(&mut self) -> Parse<ChannelInit> {
        self.expect(Kind::LBracket, "before the capacity")?;
        let at = self.peek();
        let capacity = self.constant(false)?;
        let span = self.span_from(at);
        self.expect(Kind::RBracket, "after the capacity")?;
        self.expect(Kind::Of, "before the types of the message")?;
        let open = self.expect(Kind::LBrace, "before the types of the message")?;
        let mut fields = Vec::new();
        loop {
            let token = self.peek();
            let ty = self.type_name()?;
            if matches!(ty, Type::Unsigned(_)) {
                let span = self.span(token);
                self.error(codes::CHANNEL, span, "a message field cannot be unsigned");
            }
            fields.push(ty);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.close_brace(open)?;
        let width = fields.iter().map(|&ty| self.width_of(ty)).fold(0, usize::saturating_add);
        self.max_fields = self.max_fields.max(width);
        let Ok(capacity) = u32::try_from(capacity) else {
            let message = format!("a channel cannot hold {capacity} messages");
            return Err(self.error(codes::CONSTANT, span, message));
        };
        Ok(ChannelInit { capacity, fields })
    }

    /// Enters a variable into the current scope.
    fn declare(&mut self, declarator: Declarator) -> Parse<VarId> {
        let name = self.text_of(declarator.name);
        let span = self.span(declarator.name);
        if let Some(id) = self.lookup(name) {
            let first = self.model.vars[id.index()].span;
            let message = format!("`{name}` is declared already");
            self.report(
                Diagnostic::error(codes::REDECLARED, span, message)
                    .label("a name that is visible cannot be declared again")
                    .also(first, "first declared here"),
            );
        }
        if is_predefined(name) {
            self.error(codes::REDECLARED, span, format!("`{name}` is predefined"));
        }
        let id = match self.process.as_ref().map(|p| (p.owner, p.id)) {
            Some((_, Some(proc))) => self.new_local(name, span, proc),
            Some((owner, None)) => self.new_var(name, span, owner),
            None => self.new_var(name, span, Owner::Model),
        };
        let var = &mut self.model.vars[id.index()];
        (var.ty, var.array, var.init) = (declarator.ty, declarator.array, declarator.init);
        match &mut self.process {
            Some(process) => {
                let scope = process.scope;
                process.scopes[scope].names.insert(name, id);
            }
            None => {
                self.names.globals.insert(name, Global::Var(id));
            }
        }
        Ok(id)
    }

    /// A declaration inside a body; `out` gets the steps that it costs.
    pub(super) fn local_declaration(&mut self, out: &mut Vec<Stmt>) -> Parse<()> {
        let (prefix, prefix_token) = self.prefix();
        if prefix == Prefix::Hidden {
            let span = self.span(prefix_token);
            self.error(codes::PREFIX, span, "only a global variable can be hidden");
        }
        let start = self.peek();
        let ty = self.type_name()?;
        if let Type::Mtype(set) = ty
            && matches!(self.kind(), Kind::Assign | Kind::LBrace)
        {
            return self.symbolic_names(set);
        }
        let declarators = self.declarators(ty)?;
        let span = self.span_from(start);
        let single = declarators.len() == 1;
        let late = self.process.as_ref().is_some_and(|p| p.scope != 0 || p.startup.is_some());
        for declarator in declarators {
            // Several names share the line: each stands for its own step.
            let span = if single { span } else { self.span(declarator.name) };
            if late {
                self.check_late(&declarator);
            }
            // A channel is made when the process starts, wherever it is declared.
            let step = late && !matches!(declarator.init, Init::Channel(_));
            let id = self.declare(declarator)?;
            self.model.vars[id.index()].prefix = prefix;
            if let Some(process) = &mut self.process {
                process.locals.push(id);
                if step {
                    out.push(Stmt { kind: StmtKind::Decl(id), span, labels: Vec::new() });
                }
            }
        }
        Ok(())
    }

    /// Initial values that a declaration after a statement cannot give.
    fn check_late(&mut self, declarator: &Declarator) {
        let span = declarator.init_span;
        let name = self.text_of(declarator.name);
        match &declarator.init {
            Init::Channel(_) => {
                let message =
                    format!("channel `{name}` is declared after a statement, or inside a block");
                let warning = Diagnostic::warning(codes::LATE_DECLARATION, span, message)
                    .label("it is made when the process starts")
                    .help("move it to the start of the proctype");
                self.report(warning);
            }
            Init::List(_) => {
                let message =
                    format!("array `{name}` with a list of values is declared after a statement");
                let warning = Diagnostic::warning(codes::LATE_DECLARATION, span, message)
                    .label("the elements do not get these values in SPIN")
                    .help("move it to the start of the proctype");
                self.report(warning);
            }
            _ => {}
        }
    }

    /// The parameters of a proctype.
    pub(super) fn parameters(&mut self) -> Parse<()> {
        loop {
            let (prefix, token) = self.prefix();
            if prefix == Prefix::Hidden {
                let span = self.span(token);
                self.error(codes::PREFIX, span, "a parameter cannot be hidden");
            }
            if !self.starts_declaration() {
                return Err(self.unexpected("the type of a parameter"));
            }
            let ty = self.type_name()?;
            for declarator in self.declarators(ty)? {
                self.check_parameter(&declarator);
                let id = self.declare(declarator)?;
                if let Some(process) = &mut self.process {
                    process.params.push(id);
                }
            }
            if !self.eat(Kind::Semi) {
                return Ok(());
            }
        }
    }

    fn check_parameter(&mut self, declarator: &Declarator) {
        let span = self.span(declarator.name);
        let name = self.text_of(declarator.name);
        if declarator.array.is_some() {
            let message = format!("parameter `{name}` cannot be an array");
            self.error(codes::PARAMETER, span, message);
        }
        if !matches!(declarator.init, Init::None) {
            let message = format!("parameter `{name}` cannot have an initial value");
            self.error(codes::PARAMETER, declarator.init_span, message);
        }
        if let Type::Struct(id) = declarator.ty
            && self.type_sizes[id.index()].has_array
        {
            let message = format!("parameter `{name}` cannot contain an array");
            self.error(codes::PARAMETER, span, message);
        }
    }

    /// `typedef name { fields }`
    pub(super) fn typedef(&mut self) -> Parse<()> {
        self.bump();
        let name = self.expect_name("the name of the type")?;
        let (text, span) = (self.text_of(name), self.span(name));
        let open = self.expect(Kind::LBrace, "before the fields")?;
        let mut fields: Vec<FieldDef> = Vec::new();
        let mut names = HashMap::new();
        let mut size = TypeSize { width: 0, depth: 1, has_array: false };
        loop {
            let (prefix, token) = self.prefix();
            if prefix == Prefix::Hidden {
                let span = self.span(token);
                self.error(codes::PREFIX, span, "a field cannot be hidden");
            }
            let ty = self.type_name()?;
            if let Type::Mtype(set) = ty
                && matches!(self.kind(), Kind::Assign | Kind::LBrace)
            {
                self.symbolic_names(set)?;
            } else {
                for declarator in self.declarators(ty)? {
                    self.field(declarator, &mut fields, &mut names, &mut size);
                }
            }
            let separated = self.at(Kind::Semi);
            while self.eat(Kind::Semi) {}
            if !separated || matches!(self.kind(), Kind::RBrace | Kind::Eof) {
                break;
            }
        }
        self.close_brace(open)?;
        if size.depth > MAX_TYPE_DEPTH {
            let message = format!("typedefs are nested more than {MAX_TYPE_DEPTH} levels deep");
            return Err(self.error(codes::NESTING, span, message));
        }
        let id = TypeId(self.model.typedefs.len() as u32);
        self.model.typedefs.push(TypeDef { name: text.to_string(), span, fields });
        self.type_sizes.push(size);
        self.field_names.push(names);
        self.names.globals.insert(text, Global::Type(id));
        Ok(())
    }

    fn field(
        &mut self,
        declarator: Declarator,
        fields: &mut Vec<FieldDef>,
        names: &mut HashMap<&'a str, u32>,
        size: &mut TypeSize,
    ) {
        let name = self.text_of(declarator.name);
        let span = self.span(declarator.name);
        if let Some(&first) = names.get(name) {
            let first = &fields[first as usize];
            let error = Diagnostic::error(
                codes::REDECLARED,
                span,
                format!("field `{name}` is declared already"),
            )
            .also(first.span, "first declared here");
            self.report(error);
        }
        let count = declarator.array.unwrap_or(1) as usize;
        size.width = size.width.saturating_add(self.width_of(declarator.ty).saturating_mul(count));
        size.has_array |= declarator.array.is_some();
        if let Type::Struct(id) = declarator.ty {
            let inner = self.type_sizes[id.index()];
            size.depth = size.depth.max(inner.depth + 1);
            size.has_array |= inner.has_array;
        }
        names.insert(name, fields.len() as u32);
        fields.push(FieldDef {
            name: name.to_string(),
            span,
            ty: declarator.ty,
            array: declarator.array,
            init: declarator.init,
        });
    }

    /// A constant expression; `names` allows a single initialised variable in its place.
    pub(super) fn constant(&mut self, names: bool) -> Parse<i32> {
        let token = self.peek();
        if names && token.kind == Kind::Ident && matches!(self.class(token), Class::Name) {
            self.bump();
            return self.variable_as_constant(token);
        }
        self.constant_sum()
    }

    fn variable_as_constant(&mut self, token: Token) -> Parse<i32> {
        let name = self.text_of(token);
        let Some(id) = self.lookup(name) else {
            return Err(self.unknown_name(token));
        };
        let value = match &self.model.vars[id.index()].init {
            Init::Expr(Expr { kind: ExprKind::Const(value), .. }) if *value != 0 => *value,
            _ => 8,
        };
        let span = self.span(token);
        let message =
            format!("variable `{name}` is used as a constant; its value {value} is taken");
        self.warn(codes::CONSTANT, span, message);
        Ok(value)
    }

    fn constant_sum(&mut self) -> Parse<i32> {
        let mut value = self.constant_product()?;
        loop {
            let kind = self.kind();
            if !matches!(kind, Kind::Plus | Kind::Minus) {
                return Ok(value);
            }
            self.bump();
            let right = self.constant_product()?;
            value = match kind {
                Kind::Plus => value.wrapping_add(right),
                _ => value.wrapping_sub(right),
            };
        }
    }

    fn constant_product(&mut self) -> Parse<i32> {
        let mut value = self.constant_factor()?;
        loop {
            let token = self.peek();
            if !matches!(token.kind, Kind::Star | Kind::Slash | Kind::Percent) {
                return Ok(value);
            }
            self.bump();
            let right = self.constant_factor()?;
            if right == 0 && token.kind != Kind::Star {
                let span = self.span(token);
                return Err(self.error(codes::CONSTANT, span, "division by zero"));
            }
            value = match token.kind {
                Kind::Star => value.wrapping_mul(right),
                Kind::Slash => value.wrapping_div(right),
                _ => value.wrapping_rem(right),
            };
        }
    }

    fn constant_factor(&mut self) -> Parse<i32> {
        match self.kind() {
            Kind::LParen => self.nested(|p| {
                p.bump();
                let value = p.constant_sum()?;
                p.expect(Kind::RParen, "after the constant")?;
                Ok(value)
            }),
            Kind::Minus => self.nested(|p| {
                p.bump();
                Ok(p.constant_factor()?.wrapping_neg())
            }),
            _ => self.literal("a constant"),
        }
    }
}

/// The types that are one word.
fn simple_type(kind: Kind) -> Option<Type> {
    match kind {
        Kind::Bit => Some(Type::Bit),
        Kind::Bool => Some(Type::Bool),
        Kind::Byte => Some(Type::Byte),
        Kind::Pid => Some(Type::Pid),
        Kind::Short => Some(Type::Short),
        Kind::Int => Some(Type::Int),
        Kind::Chan => Some(Type::Chan),
        _ => None,
    }
}

/// Names that exist without a declaration.
pub(super) fn is_predefined(name: &str) -> bool {
    matches!(name, "_" | "_p" | "_pid" | "_last" | "_nr_pr" | "_priority")
}
