//! From C text to the tree of what is understood; anything else is refused by name.

mod expr;
mod stmt;

use super::Refusal;
use super::syntax::*;
use super::token::{Token, TokenKind, tokenize};

/// How deep statements and parentheses may nest.
const MAX_NESTING: u32 = 100;
/// Headers whose declarations are known or not needed.
const HEADERS: [&str; 3] = ["stdio.h", "string.h", "assert.h"];

type Read<T> = Result<T, Refusal>;

/// Reads the text of a `c_expr`, or a precondition.
pub(super) fn expression(text: &str) -> Read<CExpr> {
    let mut reader = Reader::new(text)?;
    let e = reader.expr()?;
    reader.end()?;
    Ok(e)
}

/// Reads the text of a `c_code` that is a statement.
pub(super) fn statements(text: &str) -> Read<Vec<CStmt>> {
    let mut reader = Reader::new(text)?;
    let mut out = Vec::new();
    while *reader.peek() != TokenKind::End {
        reader.statement(&mut out)?;
    }
    Ok(out)
}

/// Reads the text of a `c_decl`.
pub(super) fn globals(text: &str) -> Read<Globals> {
    let mut reader = Reader::new(text)?;
    let mut out = Globals::default();
    loop {
        match reader.peek().clone() {
            TokenKind::End => return Ok(out),
            TokenKind::Directive(line) => {
                out.headers.push(reader.header(&line)?);
                reader.at += 1;
            }
            TokenKind::Sign(";") => reader.at += 1,
            _ => reader.global(&mut out.items)?,
        }
    }
}

/// Reads the declaration of a `c_state`.
pub(super) fn state_object(text: &str) -> Read<GlobalObject> {
    let mut reader = Reader::new(text)?;
    let ty = reader.type_name()?;
    let object = reader.declarator(ty)?;
    reader.end()?;
    Ok(object)
}

/// The object that a `c_track` names: `&x`, `&a[0]`, or `a` for an array. The name, and whether an
/// address was taken of it.
pub(super) fn tracked_object(text: &str) -> Read<(String, bool)> {
    let mut reader = Reader::new(text)?;
    let address = reader.eat("&");
    let object = match reader.peek().clone() {
        TokenKind::Word(name) => {
            reader.at += 1;
            let element = reader.eat("[");
            let first = !element
                || matches!(reader.next(), TokenKind::Int(0, _)) && reader.eat("]") && address;
            (first && *reader.peek() == TokenKind::End).then_some((name, address && !element))
        }
        _ => None,
    };
    let refusal = || Refusal::new(0, format!("c_track of `{text}`, which is not a named object,"));
    object.ok_or_else(refusal)
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    nesting: u32,
    /// Loops around the place.
    loops: u32,
}

impl Reader {
    fn new(text: &str) -> Read<Reader> {
        Ok(Reader { tokens: tokenize(text)?, at: 0, nesting: 0, loops: 0 })
    }

    fn token(&self, ahead: usize) -> &Token {
        // The last token is the end, and it is never passed.
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn peek(&self) -> &TokenKind {
        &self.token(0).kind
    }

    fn line(&self) -> u32 {
        self.token(0).line
    }

    fn next(&mut self) -> TokenKind {
        let kind = self.peek().clone();
        self.at += 1;
        kind
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), TokenKind::Sign(s) if *s == sign)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), TokenKind::Word(w) if w == word);
        self.at += usize::from(found);
        found
    }

    fn refuse<T>(&self, construct: impl Into<String>) -> Read<T> {
        Err(Refusal::new(self.line(), construct))
    }

    /// Refuses the next token.
    fn unexpected<T>(&self) -> Read<T> {
        let construct = match self.peek() {
            TokenKind::Word(word) => match word.as_str() {
                "long" | "float" | "double" | "void" | "ulong" | "size_t" => {
                    format!("the type `{word}`")
                }
                "struct" | "union" => format!("a `{word}`"),
                "goto" | "return" | "continue" | "switch" | "case" | "default" | "break"
                | "typedef" | "extern" | "enum" | "asm" | "__asm__" => format!("`{word}`"),
                _ => format!("the text at `{word}`"),
            },
            TokenKind::Int(..) => "the text at this number".into(),
            TokenKind::Str => "a string".into(),
            TokenKind::Sign("++" | "--") => "`++` or `--` inside an expression".into(),
            TokenKind::Sign(
                "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=",
            ) => "an assignment inside an expression".into(),
            TokenKind::Sign(",") => "the comma operator".into(),
            TokenKind::Sign(sign) => format!("the text at `{sign}`"),
            TokenKind::Directive(_) => "a line for the C preprocessor".into(),
            TokenKind::End => "text that ends too early".into(),
        };
        self.refuse(construct)
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        if self.eat(sign) { Ok(()) } else { self.unexpected() }
    }

    fn end(&self) -> Read<()> {
        if *self.peek() == TokenKind::End { Ok(()) } else { self.unexpected() }
    }

    fn name(&mut self) -> Read<String> {
        match self.peek() {
            TokenKind::Sign("*") => self.refuse("a pointer"),
            TokenKind::Sign("(") => self.refuse("a function pointer"),
            TokenKind::Word(word) if !is_reserved(word) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            _ => self.unexpected(),
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Reader) -> Read<T>) -> Read<T> {
        if self.nesting >= MAX_NESTING {
            return self.refuse(format!("more than {MAX_NESTING} levels of nesting"));
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    // Declarations.

    fn header(&self, line: &str) -> Read<String> {
        let name = line
            .strip_prefix("include")
            .map(|rest| rest.trim().trim_matches(['<', '>', '"']).to_string());
        match name {
            Some(name) if HEADERS.contains(&name.as_str()) => Ok(name),
            Some(name) => self.refuse(format!("the header `{name}`")),
            None => {
                let word = line.split_whitespace().next().unwrap_or("").to_string();
                self.refuse(format!("the line `#{word}`"))
            }
        }
    }

    /// The words of a type.
    fn type_name(&mut self) -> Read<CType> {
        let mut words: Vec<String> = Vec::new();
        let start = self.at;
        while let TokenKind::Word(word) = self.peek() {
            match word.as_str() {
                "const" | "static" => {}
                word if is_type(word) => words.push(word.to_string()),
                _ => break,
            }
            self.at += 1;
        }
        words.sort();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ty = match words[..] {
            ["_Bool"] | ["bool"] => CType::Bool,
            // As gcc has it on the machines that SPIN is used on.
            ["char"] | ["char", "signed"] => CType::Char,
            ["uchar"] | ["char", "unsigned"] => CType::UChar,
            ["short"] | ["int", "short"] | ["short", "signed"] | ["int", "short", "signed"] => {
                CType::Short
            }
            ["ushort"] | ["short", "unsigned"] | ["int", "short", "unsigned"] => CType::UShort,
            ["int"] | ["signed"] | ["int", "signed"] => CType::Int,
            ["uint"] | ["unsigned"] | ["int", "unsigned"] => CType::UInt,
            [] => return self.unexpected(),
            _ => {
                let text = words.join(" ");
                self.at = start;
                return self.refuse(format!("the type `{text}`"));
            }
        };
        Ok(ty)
    }

    fn global(&mut self, out: &mut Vec<Global>) -> Read<()> {
        if self.eat_word("enum") {
            return self.enumeration(out);
        }
        let function = self.is_function();
        let ty = match self.type_name() {
            Ok(ty) => ty,
            Err(refusal) => {
                return match function {
                    Some(name) => self.refuse(format!("the function `{name}`")),
                    None => Err(refusal),
                };
            }
        };
        loop {
            out.push(Global::Object(self.declarator(ty)?));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")
    }

    /// The name of the function if a declaration of one starts here.
    fn is_function(&self) -> Option<String> {
        let mut name = None;
        for token in &self.tokens[self.at.min(self.tokens.len())..] {
            match &token.kind {
                TokenKind::Word(word) => name = Some(word),
                TokenKind::Sign("*") => {}
                TokenKind::Sign("(") => return name.cloned(),
                _ => return None,
            }
        }
        None
    }

    /// `[tag] { names };` behind `enum`
    fn enumeration(&mut self, out: &mut Vec<Global>) -> Read<()> {
        if matches!(self.peek(), TokenKind::Word(_)) {
            self.name()?;
        }
        self.expect("{")?;
        let mut first = true;
        while !self.is("}") {
            let line = self.line();
            let name = self.name()?;
            let value = if self.eat("=") { Some(self.expr()?) } else { None };
            out.push(Global::Enumerator { name, value, first, line });
            first = false;
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        if !self.is(";") {
            return self.refuse("a variable of an enumeration type");
        }
        self.expect(";")
    }

    fn declarator(&mut self, ty: CType) -> Read<GlobalObject> {
        let line = self.line();
        let name = self.name()?;
        if self.is("(") {
            return self.refuse(format!("the function `{name}`"));
        }
        let mut array = None;
        if self.eat("[") {
            if self.eat("]") {
                array = Some(ArraySize::FromList);
            } else {
                array = Some(ArraySize::Given(self.expr()?));
                self.expect("]")?;
            }
            if self.is("[") {
                return self.refuse("an array of several dimensions");
            }
        }
        let mut init = None;
        if self.eat("=") {
            init = Some(if self.eat("{") {
                let mut values = Vec::new();
                while !self.is("}") {
                    values.push(self.expr()?);
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect("}")?;
                GlobalInit::List(values)
            } else {
                GlobalInit::Value(self.expr()?)
            });
        }
        Ok(GlobalObject { ty, name, array, init, line })
    }
}

/// Words of types, also those that are not understood.
fn is_type(word: &str) -> bool {
    const WORDS: [&str; 17] = [
        "char", "short", "int", "long", "signed", "unsigned", "uchar", "ushort", "uint", "ulong",
        "bool", "_Bool", "float", "double", "void", "size_t", "volatile",
    ];
    WORDS.contains(&word)
}

/// Words that cannot be names.
fn is_reserved(word: &str) -> bool {
    const WORDS: [&str; 22] = [
        "struct", "union", "enum", "typedef", "extern", "static", "const", "register", "auto",
        "inline", "goto", "return", "continue", "break", "switch", "case", "default", "sizeof",
        "if", "else", "while", "for",
    ];
    WORDS.contains(&word) || is_type(word) || matches!(word, "do" | "now" | "asm" | "__asm__")
}
