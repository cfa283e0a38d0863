//! Statements of C text.

use super::super::syntax::*;
use super::super::token::TokenKind;
use super::{Read, Reader, is_reserved, is_type};
use crate::ast::BinaryOp;

impl Reader {
    pub(super) fn statement(&mut self, out: &mut Vec<CStmt>) -> Read<()> {
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
            _ if is_reserved(word) => self.unexpected(),
            _ => self.refuse(format!("the call of `{word}`")),
        }
    }
}

fn step_by_one(object: Object, op: BinaryOp) -> CStmt {
    let one = CExpr { kind: CExprKind::Int(1, false), line: object.line, height: 1 };
    CStmt::Assign(object, Some(op), one)
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
