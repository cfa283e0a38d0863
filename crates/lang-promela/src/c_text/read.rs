//! From C text to the tree of what is understood; anything else is refused by name.

use super::Refusal;
use super::syntax::*;
use super::token::{Token, TokenKind, tokenize};
use crate::ast::{BinaryOp, UnaryOp};

/// How deep statements and parentheses may nest.
const MAX_NESTING: u32 = 100;
/// How high the tree of an expression may get.
const MAX_HEIGHT: u32 = 200;
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

    // Statements.

    fn statement(&mut self, out: &mut Vec<CStmt>) -> Read<()> {
        self.nested(|reader| reader.statement_inside(out))
    }

    /// A statement in a scope of its own.
    fn body(&mut self) -> Read<Vec<CStmt>> {
        let mut body = Vec::new();
        self.statement(&mut body)?;
        Ok(body)
    }

    fn loop_body(&mut self) -> Read<Vec<CStmt>> {
        self.loops += 1;
        let body = self.body();
        self.loops -= 1;
        body
    }

    fn condition(&mut self) -> Read<CExpr> {
        self.expect("(")?;
        let e = self.expr()?;
        self.expect(")")?;
        Ok(e)
    }

    fn statement_inside(&mut self, out: &mut Vec<CStmt>) -> Read<()> {
        let word = match self.peek() {
            TokenKind::Word(word) => word.clone(),
            TokenKind::Sign(";") => {
                self.at += 1;
                return Ok(());
            }
            TokenKind::Sign("{") => {
                self.at += 1;
                let mut body = Vec::new();
                while !self.eat("}") {
                    if *self.peek() == TokenKind::End {
                        return self.unexpected();
                    }
                    self.statement(&mut body)?;
                }
                out.push(CStmt::Block(body));
                return Ok(());
            }
            _ => String::new(),
        };
        match word.as_str() {
            "if" => {
                self.at += 1;
                let condition = self.condition()?;
                let yes = self.body()?;
                let no = if self.eat_word("else") { self.body()? } else { Vec::new() };
                out.push(CStmt::If(condition, yes, no));
                Ok(())
            }
            "while" => {
                self.at += 1;
                let condition = self.condition()?;
                let body = self.loop_body()?;
                out.push(CStmt::While(condition, body));
                Ok(())
            }
            "do" => {
                self.at += 1;
                let body = self.loop_body()?;
                if !self.eat_word("while") {
                    return self.unexpected();
                }
                let condition = self.condition()?;
                out.push(CStmt::DoWhile(body, condition));
                self.expect(";")
            }
            "for" => {
                self.at += 1;
                out.push(self.for_loop()?);
                Ok(())
            }
            "break" if self.loops > 0 => {
                self.at += 1;
                out.push(CStmt::Break);
                self.expect(";")
            }
            word if is_type(word) || word == "const" => self.local_declaration(out),
            "static" => self.refuse("a `static` variable of a fragment"),
            _ => {
                self.simple(out)?;
                self.expect(";")
            }
        }
    }

    fn for_loop(&mut self) -> Read<CStmt> {
        let mut out = Vec::new();
        self.expect("(")?;
        match self.peek() {
            TokenKind::Word(word) if is_type(word) => self.local_declaration(&mut out)?,
            _ => {
                self.simple_list(";", &mut out)?;
                self.expect(";")?;
            }
        }
        let line = self.line();
        let condition = if self.is(";") {
            CExpr { kind: CExprKind::Int(1, false), line, height: 1 }
        } else {
            self.expr()?
        };
        self.expect(";")?;
        let mut step = Vec::new();
        self.simple_list(")", &mut step)?;
        self.expect(")")?;
        // Its names are not those of the step.
        let mut body = vec![CStmt::Block(self.loop_body()?)];
        body.extend(step);
        out.push(CStmt::While(condition, body));
        Ok(CStmt::Block(out))
    }

    fn simple_list(&mut self, end: &str, out: &mut Vec<CStmt>) -> Read<()> {
        if self.is(end) {
            return Ok(());
        }
        self.simple(out)?;
        while self.eat(",") {
            self.simple(out)?;
        }
        Ok(())
    }

    fn local_declaration(&mut self, out: &mut Vec<CStmt>) -> Read<()> {
        let ty = self.type_name()?;
        loop {
            let line = self.line();
            let name = self.name()?;
            if self.is("[") {
                return self.refuse("an array that is local to a fragment");
            }
            if self.is("(") {
                return self.refuse(format!("the function `{name}`"));
            }
            let init = if self.eat("=") { Some(self.expr()?) } else { None };
            out.push(CStmt::Declare { ty, name, init, line });
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")
    }

    /// A statement that is an expression of C: an assignment or a call.
    fn simple(&mut self, out: &mut Vec<CStmt>) -> Read<()> {
        for (sign, op) in [("++", BinaryOp::Add), ("--", BinaryOp::Sub)] {
            if self.eat(sign) {
                let object = self.object()?;
                out.push(step_by_one(object, op));
                return Ok(());
            }
        }
        if let (TokenKind::Word(word), TokenKind::Sign("(")) = (self.peek(), &self.token(1).kind) {
            let word = word.clone();
            return self.call(&word, out);
        }
        if self.is("*") {
            return self.refuse("a pointer");
        }
        if !matches!(self.peek(), TokenKind::Word(_)) {
            // It has a value, which nobody uses.
            self.expr()?;
            return Ok(());
        }
        let start = self.at;
        let object = self.object()?;
        match self.peek() {
            TokenKind::Sign("++") => {
                self.at += 1;
                out.push(step_by_one(object, BinaryOp::Add));
            }
            TokenKind::Sign("--") => {
                self.at += 1;
                out.push(step_by_one(object, BinaryOp::Sub));
            }
            TokenKind::Sign("=") => {
                self.at += 1;
                let e = self.expr()?;
                out.push(CStmt::Assign(object, None, e));
            }
            TokenKind::Sign(sign) if assignment_operator(sign).is_some() => {
                let op = assignment_operator(sign);
                self.at += 1;
                let e = self.expr()?;
                out.push(CStmt::Assign(object, op, e));
            }
            _ => {
                self.at = start;
                self.expr()?;
            }
        }
        Ok(())
    }

    /// `printf` is passed over, `assert` is kept, and nothing else can be called.
    fn call(&mut self, word: &str, out: &mut Vec<CStmt>) -> Read<()> {
        match word {
            "assert" => {
                self.at += 1;
                out.push(CStmt::Assert(self.condition()?));
                Ok(())
            }
            "printf" | "Printf" => {
                self.at += 2;
                while !self.eat(")") {
                    if *self.peek() == TokenKind::Str {
                        self.at += 1;
                    } else {
                        self.expr()?;
                    }
                    if !self.is(")") && *self.peek() != TokenKind::Str {
                        self.expect(",")?;
                    }
                }
                Ok(())
            }
            _ => self.refuse(format!("the call of `{word}`")),
        }
    }

    // Expressions.

    fn node(&self, kind: CExprKind, line: u32, below: u32) -> Read<CExpr> {
        if below >= MAX_HEIGHT {
            return Err(Refusal::new(line, "an expression this large"));
        }
        Ok(CExpr { kind, line, height: below + 1 })
    }

    fn expr(&mut self) -> Read<CExpr> {
        self.nested(|reader| {
            let condition = reader.binary(0)?;
            if !reader.eat("?") {
                return Ok(condition);
            }
            let yes = reader.expr()?;
            reader.expect(":")?;
            let no = reader.expr()?;
            let below = condition.height.max(yes.height).max(no.height);
            let line = condition.line;
            let kind = CExprKind::Cond(Box::new(condition), Box::new(yes), Box::new(no));
            reader.node(kind, line, below)
        })
    }

    fn binary(&mut self, lowest: u8) -> Read<CExpr> {
        let mut left = self.unary()?;
        while let TokenKind::Sign(sign) = self.peek()
            && let Some((op, level)) = binary_operator(sign)
            && level >= lowest
        {
            self.at += 1;
            let right = self.binary(level + 1)?;
            let (line, below) = (left.line, left.height.max(right.height));
            let kind = CExprKind::Binary(op, Box::new(left), Box::new(right));
            left = self.node(kind, line, below)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Read<CExpr> {
        self.nested(Reader::unary_inside)
    }

    fn unary_inside(&mut self) -> Read<CExpr> {
        let line = self.line();
        let op = match self.peek() {
            TokenKind::Sign("-") => UnaryOp::Neg,
            TokenKind::Sign("!") => UnaryOp::Not,
            TokenKind::Sign("~") => UnaryOp::Complement,
            TokenKind::Sign("+") => {
                self.at += 1;
                return self.unary();
            }
            TokenKind::Sign("*") => return self.refuse("a pointer"),
            TokenKind::Sign("&") => return self.refuse("the address of an object"),
            _ => return self.primary(),
        };
        self.at += 1;
        let operand = self.unary()?;
        let below = operand.height;
        self.node(CExprKind::Unary(op, Box::new(operand)), line, below)
    }

    fn primary(&mut self) -> Read<CExpr> {
        let line = self.line();
        match self.peek().clone() {
            TokenKind::Int(value, unsigned) => {
                self.at += 1;
                self.node(CExprKind::Int(value, unsigned), line, 0)
            }
            TokenKind::Sign("(") => {
                self.at += 1;
                if !self.at_type() {
                    let e = self.expr()?;
                    self.expect(")")?;
                    return Ok(e);
                }
                let ty = self.type_name()?;
                if self.is("*") {
                    return self.refuse("a pointer");
                }
                self.expect(")")?;
                let operand = self.unary()?;
                let below = operand.height;
                self.node(CExprKind::Cast(ty, Box::new(operand)), line, below)
            }
            TokenKind::Word(word) if word == "sizeof" => {
                self.at += 1;
                let parentheses = self.eat("(");
                let kind = if self.at_type() {
                    CExprKind::SizeOfType(self.type_name()?)
                } else {
                    CExprKind::SizeOfName(self.name()?)
                };
                if parentheses {
                    self.expect(")")?;
                }
                self.node(kind, line, 0)
            }
            TokenKind::Word(word) => {
                if matches!(self.token(1).kind, TokenKind::Sign("(")) && !is_reserved(&word) {
                    return self.refuse(format!("the call of `{word}`"));
                }
                let object = self.object()?;
                let index = |part: &Part| part.index.as_ref().map_or(0, |e| e.height);
                let below = object.path.iter().map(index).max().unwrap_or(0);
                self.node(CExprKind::Object(object), line, below)
            }
            _ => self.unexpected(),
        }
    }

    /// Whether a type follows.
    fn at_type(&self) -> bool {
        match self.peek() {
            TokenKind::Word(word) => is_type(word) || matches!(word.as_str(), "struct" | "const"),
            _ => false,
        }
    }

    fn object(&mut self) -> Read<Object> {
        let line = self.line();
        let parentheses = self.eat("(");
        let mut root = Root::Plain;
        let (word, behind) = (self.peek().clone(), self.token(1).kind.clone());
        match (word, behind) {
            (TokenKind::Word(word), TokenKind::Sign(".")) if word == "now" => {
                root = Root::Now;
                self.at += 2;
            }
            (TokenKind::Word(word), TokenKind::Sign("->")) => match word.strip_prefix('P') {
                Some(name) if !name.is_empty() => {
                    root = Root::Process(name.to_string());
                    self.at += 2;
                }
                _ => return self.refuse("a pointer"),
            },
            _ => {}
        }
        let mut path = vec![self.part()?];
        while self.eat(".") {
            path.push(self.part()?);
        }
        if self.is("->") {
            return self.refuse("a pointer");
        }
        if parentheses {
            self.expect(")")?;
        }
        Ok(Object { root, path, line })
    }

    fn part(&mut self) -> Read<Part> {
        let name = self.name()?;
        let mut index = None;
        if self.eat("[") {
            index = Some(Box::new(self.expr()?));
            self.expect("]")?;
            if self.is("[") {
                return self.refuse("an array of several dimensions");
            }
        }
        Ok(Part { name, index })
    }
}

fn step_by_one(object: Object, op: BinaryOp) -> CStmt {
    let one = CExpr { kind: CExprKind::Int(1, false), line: object.line, height: 1 };
    CStmt::Assign(object, Some(op), one)
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

/// The operator inside `+=` and its like.
fn assignment_operator(sign: &str) -> Option<BinaryOp> {
    let op = match sign {
        "+=" => BinaryOp::Add,
        "-=" => BinaryOp::Sub,
        "*=" => BinaryOp::Mul,
        "/=" => BinaryOp::Div,
        "%=" => BinaryOp::Rem,
        "&=" => BinaryOp::BitAnd,
        "|=" => BinaryOp::BitOr,
        "^=" => BinaryOp::BitXor,
        "<<=" => BinaryOp::Shl,
        ">>=" => BinaryOp::Shr,
        _ => return None,
    };
    Some(op)
}

/// An infix operator and how strongly it binds.
fn binary_operator(sign: &str) -> Option<(BinaryOp, u8)> {
    let found = match sign {
        "||" => (BinaryOp::Or, 0),
        "&&" => (BinaryOp::And, 1),
        "|" => (BinaryOp::BitOr, 2),
        "^" => (BinaryOp::BitXor, 3),
        "&" => (BinaryOp::BitAnd, 4),
        "==" => (BinaryOp::Eq, 5),
        "!=" => (BinaryOp::Ne, 5),
        "<" => (BinaryOp::Lt, 6),
        "<=" => (BinaryOp::Le, 6),
        ">" => (BinaryOp::Gt, 6),
        ">=" => (BinaryOp::Ge, 6),
        "<<" => (BinaryOp::Shl, 7),
        ">>" => (BinaryOp::Shr, 7),
        "+" => (BinaryOp::Add, 8),
        "-" => (BinaryOp::Sub, 8),
        "*" => (BinaryOp::Mul, 9),
        "/" => (BinaryOp::Div, 9),
        "%" => (BinaryOp::Rem, 9),
        _ => return None,
    };
    Some(found)
}
