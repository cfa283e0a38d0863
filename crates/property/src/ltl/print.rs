//! Formulas as text, in the spellings that can be read.

use super::lex::{Spelling, is_reserved};
use super::{Formula, Formulas, Node};

/// How operators are written.
struct Words {
    and: &'static str,
    or: &'static str,
    always: &'static str,
    eventually: &'static str,
    release: &'static str,
}

const SPIN: Words = Words { and: "&&", or: "||", always: "[]", eventually: "<>", release: "V" };
const SPOT: Words = Words { and: "&", or: "|", always: "G ", eventually: "F ", release: "R" };
const NUSMV: Words = Words { and: "&", or: "|", always: "G ", eventually: "F ", release: "V" };

impl Formulas {
    /// The text of a formula. What a spelling lacks is written with what it has: SPIN has no `M`
    /// and no `xor`, NuSMV neither `W` nor `M`. [`Spelling::Any`] is our own: SPIN's with `R`.
    pub fn show(&self, formula: Formula, spelling: Spelling) -> String {
        let words = match spelling {
            Spelling::Spin => SPIN,
            Spelling::Any => Words { release: "R", ..SPIN },
            Spelling::Spot => SPOT,
            Spelling::Nusmv => NUSMV,
        };
        let mut out = String::new();
        Printer { formulas: self, spelling, words }.write(&mut out, formula);
        out
    }

    /// An atom as it stands in a formula.
    pub fn show_atom(text: &str, spelling: Spelling) -> String {
        let name = text.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !is_reserved(text, spelling);
        // Remote references and array elements are read back by themselves.
        let reference = text.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_alphanumeric() || "_[]@:.".contains(c));
        match spelling {
            _ if name => text.to_owned(),
            Spelling::Spin | Spelling::Any if reference && !is_reserved(text, spelling) => {
                text.to_owned()
            }
            Spelling::Spin | Spelling::Any | Spelling::Nusmv if looks_closed(text) => {
                format!("({text})")
            }
            _ => format!("\"{text}\""),
        }
    }
}

/// Whether a text is an expression that is read back as one atom inside parentheses.
fn looks_closed(text: &str) -> bool {
    use super::atoms::{AtomReader, Expressions, Read};
    matches!(Expressions.read(text, 0), Read::Atom { end, open: true, .. } if end == text.len())
}

struct Printer<'a> {
    formulas: &'a Formulas,
    spelling: Spelling,
    words: Words,
}

impl Printer<'_> {
    fn write(&self, out: &mut String, formula: Formula) {
        let formulas = self.formulas;
        if let Some(inner) = formulas.as_eventually(formula) {
            return self.unary(out, self.words.eventually, inner);
        }
        if let Some(inner) = formulas.as_always(formula) {
            return self.unary(out, self.words.always, inner);
        }
        match formulas.node(formula) {
            Node::True if self.spelling == Spelling::Nusmv => out.push_str("TRUE"),
            Node::False if self.spelling == Spelling::Nusmv => out.push_str("FALSE"),
            Node::True => out.push_str("true"),
            Node::False => out.push_str("false"),
            Node::Atom(atom) => {
                let text = &formulas.atoms()[atom.index()].text;
                out.push_str(&Formulas::show_atom(text, self.spelling));
            }
            &Node::Not(a) => self.unary(out, "!", a),
            &Node::Next(a) => self.unary(out, "X ", a),
            Node::And(parts) => self.list(out, self.words.and, parts),
            Node::Or(parts) => self.list(out, self.words.or, parts),
            &Node::Xor(a, b) if self.spelling == Spelling::Spin => {
                out.push_str("!(");
                self.pair(out, "<->", a, b);
                out.push(')');
            }
            &Node::Xor(a, b) => self.pair(out, "xor", a, b),
            &Node::Implies(a, b) => self.pair(out, "->", a, b),
            &Node::Iff(a, b) => self.pair(out, "<->", a, b),
            &Node::Until(a, b) => self.pair(out, "U", a, b),
            &Node::Release(a, b) => self.pair(out, self.words.release, a, b),
            // a W b = b R (a || b)
            &Node::Weak(a, b) if self.spelling == Spelling::Nusmv => {
                self.operand(out, b);
                out.push_str(" V (");
                self.list(out, self.words.or, &[a, b]);
                out.push(')');
            }
            &Node::Weak(a, b) => self.pair(out, "W", a, b),
            // a M b = b U (a && b)
            &Node::Strong(a, b) if matches!(self.spelling, Spelling::Spin | Spelling::Nusmv) => {
                self.operand(out, b);
                out.push_str(" U (");
                self.list(out, self.words.and, &[a, b]);
                out.push(')');
            }
            &Node::Strong(a, b) => self.pair(out, "M", a, b),
        }
    }

    fn unary(&self, out: &mut String, sign: &str, a: Formula) {
        // `! F a` needs no blank behind the sign, `X (a)` no second one.
        match self.formulas.node(a) {
            Node::True | Node::False | Node::Atom(_) | Node::Not(_) | Node::Next(_) => {
                out.push_str(sign);
                self.write(out, a);
            }
            _ if self.is_unary(a) => {
                out.push_str(sign);
                self.write(out, a);
            }
            _ => {
                out.push_str(sign.trim_end());
                out.push('(');
                self.write(out, a);
                out.push(')');
            }
        }
    }

    fn is_unary(&self, a: Formula) -> bool {
        self.formulas.as_always(a).is_some() || self.formulas.as_eventually(a).is_some()
    }

    fn list(&self, out: &mut String, sign: &str, parts: &[Formula]) {
        for (index, &part) in parts.iter().enumerate() {
            if index > 0 {
                out.push(' ');
                out.push_str(sign);
                out.push(' ');
            }
            self.operand(out, part);
        }
    }

    fn pair(&self, out: &mut String, sign: &str, a: Formula, b: Formula) {
        self.list(out, sign, &[a, b]);
    }

    fn operand(&self, out: &mut String, a: Formula) {
        let closed = matches!(
            self.formulas.node(a),
            Node::True | Node::False | Node::Atom(_) | Node::Not(_) | Node::Next(_)
        );
        if closed || self.is_unary(a) {
            self.write(out, a);
        } else {
            out.push('(');
            self.write(out, a);
            out.push(')');
        }
    }
}
