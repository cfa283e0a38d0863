//! `ltl` blocks: cut out of the text, and read when everything else has been.

use std::collections::HashSet;
use std::rc::Rc;

use everypath_model::{Diagnostic, Severity, Span};

use super::{Parse, Parser};
use crate::ast::{Ltl, RefusedLtl};
use crate::codes;
use crate::lexer::{Kind, Token};

/// A block that waits to be read.
pub(super) struct LtlBlock {
    name: Option<Token>,
    span: Span,
    /// With the braces.
    body: Rc<[Token]>,
}

impl Parser<'_> {
    /// Takes an `ltl` block out of the stream.
    pub(super) fn cut_ltl(&mut self) -> Parse<()> {
        let word = self.bump();
        let mut name = None;
        let mut body = Vec::new();
        let mut depth = 0usize;
        loop {
            let Some(token) = self.stream.raw_next() else {
                let span = self.span(word);
                return Err(self.error(codes::MISSING_BRACE, span, "the ltl block is not closed"));
            };
            self.prev_end = token.place.1;
            match token.kind {
                Kind::Ident if body.is_empty() && name.is_none() => {
                    name = Some(token);
                    continue;
                }
                Kind::LBrace => depth += 1,
                Kind::RBrace if depth > 0 => depth -= 1,
                _ if body.is_empty() => {
                    let span = self.span(token);
                    let message = "expected a name or `{` after `ltl`";
                    return Err(self.error(codes::SYNTAX, span, message));
                }
                _ => {}
            }
            body.push(token);
            if depth == 0 {
                break;
            }
        }
        let span = self.span(name.unwrap_or(word));
        self.ltl_blocks.push(LtlBlock { name, span, body: body.into() });
        Ok(())
    }

    /// Reads the blocks.
    pub(super) fn read_ltl(&mut self) {
        let blocks = std::mem::take(&mut self.ltl_blocks);
        self.in_ltl = true;
        let mut names: HashSet<String> = self.model.never.iter().map(|n| n.name.clone()).collect();
        for (i, block) in blocks.into_iter().enumerate() {
            self.stream.reset(block.body);
            self.peeked = None;
            let name = match block.name {
                Some(token) => self.text_of(token).to_string(),
                None => format!("ltl_{i}"),
            };
            if !names.insert(name.clone()) {
                let message = format!("two claims have the name `{name}`");
                self.error(codes::REDECLARED, block.span, message);
            }
            if self.names.proc_names.contains_key(name.as_str()) {
                let message = format!("the formula has the name of the proctype `{name}`");
                self.error(codes::REDECLARED, block.span, message);
            }
            let (told, errors) = (self.diagnostics.len(), self.errors);
            let formula = self.formula();
            // A block that is no formula is a property of which nothing is known, no reason to refuse
            // the others.
            let mut wrong = Vec::new();
            for diagnostic in &mut self.diagnostics[told..] {
                if diagnostic.is_error() {
                    wrong.push(diagnostic.clone());
                    diagnostic.severity = Severity::Warning;
                }
            }
            self.errors = errors;
            let span = block.span;
            match formula {
                Ok(formula) if wrong.is_empty() => {
                    self.model.ltl.push(Ltl { name, span, formula });
                }
                _ => {
                    if wrong.is_empty() {
                        wrong.push(Diagnostic::error(codes::SYNTAX, span, "it is no formula"));
                    }
                    self.model.refused_ltl.push(RefusedLtl { name, span, errors: wrong });
                }
            }
        }
        self.in_ltl = false;
    }

    fn formula(&mut self) -> Parse<crate::ast::Expr> {
        self.stream.enter_parentheses();
        self.expect(Kind::LBrace, "before the formula")?;
        let runs = self.runs;
        let formula = self.expr()?;
        if self.runs != runs {
            self.error(codes::RUN, formula.span, "`run` in a formula");
        }
        if matches!(self.kind(), Kind::Semi | Kind::Arrow) {
            self.bump();
        }
        if !self.at(Kind::RBrace) {
            return Err(self.unexpected("an operator or `}` after the formula"));
        }
        self.bump();
        Ok(formula)
    }
}
