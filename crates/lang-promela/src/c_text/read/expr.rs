//! Expressions and objects of C text.

use super::super::Refusal;
use super::super::syntax::*;
use super::super::token::TokenKind;
use super::{Read, Reader, is_reserved, is_type};
use crate::ast::{BinaryOp, UnaryOp};

/// How high the tree of an expression may get.
const MAX_HEIGHT: u32 = 200;

impl Reader {
    fn node(&self, kind: CExprKind, line: u32, below: u32) -> Read<CExpr> {
        if below >= MAX_HEIGHT {
            return Err(Refusal::new(line, "an expression this large"));
        }
        Ok(CExpr { kind, line, height: below + 1 })
    }

    pub(super) fn expr(&mut self) -> Read<CExpr> {
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

    pub(super) fn object(&mut self) -> Read<Object> {
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
