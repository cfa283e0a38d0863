//! What names mean.

use std::collections::HashMap;

use everypath_model::{Diagnostic, Span, most_similar};

use super::decl::TypeSize;
use super::{Failed, Parser};
use crate::ast::{LabelDef, LabelId, Model, MtypeId, Owner, ProcId, TypeId, VarId};
use crate::codes;
use crate::lexer::{KEYWORDS, Kind, Token};

/// What a word outside of all bodies stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Global {
    Var(VarId),
    Type(TypeId),
    Proctype(ProcId),
    Inline(usize),
    Constant(MtypeId, i32),
}

/// How the grammar sees a word.
#[derive(Clone, Copy, Debug)]
pub(super) enum Class {
    /// A variable, a label, or something new.
    Name,
    Type(TypeId),
    Proctype(ProcId),
    Inline(usize),
    Constant(MtypeId, i32),
}

/// Something of a proctype that was mentioned or defined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mention<T> {
    pub id: T,
    pub defined: bool,
    pub span: Span,
}

/// What is known of a proctype, possibly before it is read.
#[derive(Debug)]
pub(super) struct ProcInfo<'a> {
    pub name: &'a str,
    /// The parser has passed its name.
    pub declared: bool,
    /// Number of values it takes, once it is known.
    pub arity: Option<usize>,
    pub labels: Vec<LabelDef>,
    pub label_ids: HashMap<&'a str, Mention<LabelId>>,
    pub vars: HashMap<&'a str, Mention<VarId>>,
}

/// The tables of names.
#[derive(Default)]
pub(super) struct Names<'a> {
    pub globals: HashMap<&'a str, Global>,
    pub procs: Vec<ProcInfo<'a>>,
    pub proc_names: HashMap<&'a str, ProcId>,
    /// Proctypes by the offset of their name (of the word, for `init`).
    pub proc_places: HashMap<u32, ProcId>,
    pub mtype_sets: HashMap<&'a str, MtypeId>,
    /// Stands for variables that do not exist, after the error was reported.
    pub unknown: Option<VarId>,
}

impl<'a> Names<'a> {
    /// A new entry for a proctype.
    pub fn add_proc(&mut self, name: &'a str) -> ProcId {
        let id = ProcId(self.procs.len() as u32);
        self.procs.push(ProcInfo {
            name,
            declared: false,
            arity: None,
            labels: Vec::new(),
            label_ids: HashMap::new(),
            vars: HashMap::new(),
        });
        id
    }
}

impl<'a> Parser<'a> {
    /// Finds the proctypes, so that they can be mentioned before they are read.
    pub(super) fn prescan(&mut self, tokens: &[Token]) {
        let mut depth = 0usize;
        for (i, &token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::LBrace => depth += 1,
                Kind::RBrace => depth = depth.saturating_sub(1),
                Kind::Proctype | Kind::DProctype if depth == 0 => {
                    if let Some(&name) = tokens.get(i + 1).filter(|t| t.kind == Kind::Ident) {
                        let id = self.names.add_proc(self.text_of(name));
                        self.names.proc_names.entry(self.text_of(name)).or_insert(id);
                        self.names.proc_places.insert(name.start, id);
                    }
                }
                Kind::Init if depth == 0 => {
                    let id = self.names.add_proc("init");
                    self.names.proc_places.insert(token.start, id);
                }
                _ => {}
            }
        }
    }

    /// Takes over the names of a finished model.
    pub(super) fn adopt(&mut self, model: &'a Model) {
        self.model.vars.clone_from(&model.vars);
        self.model.typedefs.clone_from(&model.typedefs);
        self.model.mtypes.clone_from(&model.mtypes);
        for &id in &model.globals {
            let name = model.vars[id.index()].name.as_str();
            self.names.globals.insert(name, Global::Var(id));
        }
        for def in &model.typedefs {
            let names = def.fields.iter().enumerate().map(|(i, f)| (f.name.as_str(), i as u32));
            self.field_names.push(names.collect());
            self.type_sizes.push(TypeSize::of_adopted());
        }
        for (set, mtype) in model.mtypes.iter().enumerate() {
            for (i, name) in mtype.names.iter().enumerate() {
                let constant = Global::Constant(MtypeId(set as u32), i as i32 + 1);
                self.names.globals.insert(name, constant);
            }
        }
        for proctype in &model.proctypes {
            let id = self.names.add_proc(&proctype.name);
            if !proctype.is_init {
                self.names.proc_names.entry(&proctype.name).or_insert(id);
                self.names.globals.insert(&proctype.name, Global::Proctype(id));
            }
            let info = &mut self.names.procs[id.index()];
            info.declared = true;
            info.labels.clone_from(&proctype.labels);
            for (i, label) in proctype.labels.iter().enumerate() {
                let mention = Mention { id: LabelId(i as u32), defined: true, span: label.span };
                info.label_ids.entry(&label.name).or_insert(mention);
            }
            for &var in proctype.params.iter().chain(&proctype.locals) {
                let declared = &model.vars[var.index()];
                let mention = Mention { id: var, defined: true, span: declared.span };
                info.vars.entry(&declared.name).or_insert(mention);
            }
        }
    }

    /// How the grammar sees a word.
    pub(super) fn class(&self, token: Token) -> Class {
        match self.names.globals.get(self.text_of(token)) {
            Some(&Global::Type(id)) => Class::Type(id),
            Some(&Global::Proctype(id)) => Class::Proctype(id),
            Some(&Global::Inline(i)) => Class::Inline(i),
            Some(&Global::Constant(set, value)) => Class::Constant(set, value),
            Some(Global::Var(_)) | None => Class::Name,
        }
    }

    /// Whether a line break after this word does not end a statement.
    pub(super) fn continues_line(&self, token: Token) -> bool {
        matches!(self.class(token), Class::Type(_) | Class::Proctype(_) | Class::Inline(_))
    }

    /// For messages: what kind of name a word is, if it is a special one.
    pub(super) fn class_prefix(&self, token: Token) -> &'static str {
        if token.kind != Kind::Ident {
            return "";
        }
        match self.class(token) {
            Class::Name => "",
            Class::Type(_) => "the type ",
            Class::Proctype(_) => "the proctype ",
            Class::Inline(_) => "the inline ",
            Class::Constant(..) => "the symbolic name ",
        }
    }

    /// Takes a word that can be the name of something new or of a variable.
    pub(super) fn expect_name(&mut self, wanted: &str) -> Result<Token, Failed> {
        let token = self.peek();
        if token.kind == Kind::Ident && matches!(self.class(token), Class::Name) {
            return Ok(self.bump());
        }
        Err(self.unexpected(wanted))
    }

    /// The variable that a name means here.
    pub(super) fn lookup(&self, name: &str) -> Option<VarId> {
        if let Some(process) = &self.process
            && let Some(id) = process.lookup(name)
        {
            return Some(id);
        }
        match self.names.globals.get(name) {
            Some(&Global::Var(id)) => Some(id),
            _ => None,
        }
    }

    /// Reports a name that means nothing, once for each name.
    pub(super) fn unknown_name(&mut self, token: Token) -> Failed {
        let name = self.text_of(token);
        if !self.reported_names.insert(name) {
            // Reported at its first place; counts as an error, so that there is no model.
            self.errors += usize::from(self.errors == 0);
            return Failed;
        }
        let mut diagnostic = Diagnostic::error(
            codes::UNKNOWN_NAME,
            self.span(token),
            format!("unknown name `{name}`"),
        )
        .label("not a variable, label, channel or keyword here");
        if self.follows_number_range(token) {
            diagnostic = diagnostic.help(format!(
                "`..{name}` belongs to the number before it, so that a macro is not expanded: \
                 write ` .. {name}`"
            ));
        } else if let Some(similar) = self.similar_name(name) {
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
        } else if self.names.proc_names.contains_key(name) {
            diagnostic = diagnostic.help(format!("`{name}` is a proctype"));
        }
        self.report(diagnostic)
    }

    /// Whether the word is the end of a preprocessing number like `0..N`.
    fn follows_number_range(&self, token: Token) -> bool {
        let before = self.text.get(..token.start as usize).unwrap_or("");
        before.strip_suffix("..").is_some_and(|s| s.ends_with(|c: char| c.is_ascii_digit()))
    }

    /// A keyword or visible name that differs by little.
    fn similar_name(&self, name: &str) -> Option<String> {
        let locals = self.process.iter().flat_map(|process| process.visible_names());
        let all = KEYWORDS.iter().copied().chain(self.names.globals.keys().copied()).chain(locals);
        most_similar(name, all).map(str::to_owned)
    }

    /// A variable of a proctype, mentioned from outside.
    pub(super) fn remote_var(&mut self, proc: ProcId, name: Token) -> VarId {
        let text = self.text_of(name);
        if let Some(mention) = self.names.procs[proc.index()].vars.get(text) {
            return mention.id;
        }
        let span = self.span(name);
        let id = self.new_var(text, span, Owner::Proctype(proc));
        let mention = Mention { id, defined: false, span };
        self.names.procs[proc.index()].vars.insert(text, mention);
        id
    }

    /// A label of a proctype, mentioned from outside.
    pub(super) fn remote_label(&mut self, proc: ProcId, name: Token) -> LabelId {
        let text = self.text_of(name);
        let span = self.span(name);
        let info = &mut self.names.procs[proc.index()];
        if let Some(mention) = info.label_ids.get(text) {
            return mention.id;
        }
        let id = LabelId(info.labels.len() as u32);
        info.labels.push(LabelDef { name: text.to_string(), span });
        info.label_ids.insert(text, Mention { id, defined: false, span });
        id
    }
}
