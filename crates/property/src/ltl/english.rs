//! Formulas in words.

use super::{Formula, Formulas, Node, Spelling};

/// Sentences that are longer say less than the formula.
const LONGEST: usize = 300;

impl Formulas {
    /// One sentence that says what a formula says; `None` if it would be long.
    pub fn english(&self, formula: Formula) -> Option<String> {
        let mut out = String::from("In every run, ");
        if self.is_boolean(formula) {
            out += &format!("{} in the first state", self.holds(formula));
        } else {
            self.clause(&mut out, formula, 0);
        }
        out.push('.');
        (out.len() <= LONGEST).then_some(out)
    }

    /// What is said about the state that is spoken of, and those behind it. Inside of other clauses lists stand in
    /// parentheses.
    fn clause(&self, out: &mut String, formula: Formula, depth: u32) {
        if out.len() > LONGEST {
            return;
        }
        if self.is_boolean(formula) {
            *out += &self.holds(formula);
            return;
        }
        if let Some(inner) = self.as_always(formula) {
            return self.always_clause(out, inner, depth);
        }
        if let Some(inner) = self.as_eventually(formula) {
            return self.eventually_clause(out, inner, depth);
        }
        let listed = |out: &mut String, words: [&str; 2], parts: &[Formula]| {
            if depth > 0 {
                out.push('(');
            }
            for (i, &part) in parts.iter().enumerate() {
                *out += if i == 0 { words[0] } else { words[1] };
                self.clause(out, part, depth + 1);
            }
            if depth > 0 {
                out.push(')');
            }
        };
        match self.node(formula) {
            Node::And(parts) => listed(out, ["", ", and "], parts),
            Node::Or(parts) => listed(out, ["", ", or "], parts),
            &Node::Implies(a, b) => listed(out, ["if ", ", then "], &[a, b]),
            &Node::Iff(a, b) => listed(out, ["", " if and only if "], &[a, b]),
            &Node::Xor(a, b) => listed(out, ["either ", " or, but not both, "], &[a, b]),
            &Node::Not(a) => listed(out, ["it is not true that "; 2], &[a]),
            &Node::Next(a) if self.is_boolean(a) => {
                *out += &format!("{} in the next state", self.holds(a));
            }
            &Node::Next(a) => listed(out, ["from the next state on, "; 2], &[a]),
            &Node::Until(a, b) => listed(out, ["", " until, as it must, "], &[a, b]),
            &Node::Weak(a, b) => listed(out, ["", ", for ever or until "], &[a, b]),
            &Node::Release(a, b) => {
                listed(out, ["", ", for ever or up to a state, and in it, where "], &[b, a]);
            }
            &Node::Strong(a, b) => {
                listed(out, ["", ", up to a state that must come, and in it, where "], &[b, a]);
            }
            // They are propositional.
            Node::True | Node::False | Node::Atom(_) => {}
        }
    }

    fn always_clause(&self, out: &mut String, inner: Formula, depth: u32) {
        if let Some(again) = self.as_eventually(inner).filter(|&again| self.is_boolean(again)) {
            *out += &format!("{} again and again", self.holds(again));
            return;
        }
        match *self.node(inner) {
            Node::Not(never) if self.is_boolean(never) => {
                *out += &format!("{} never holds", self.named(never));
            }
            Node::Implies(trigger, answer) if self.is_boolean(trigger) => {
                *out += &format!("whenever {}, ", self.holds(trigger));
                match self.as_eventually(answer).filter(|&answer| self.is_boolean(answer)) {
                    Some(answer) => *out += &format!("{} then or later", self.holds(answer)),
                    None if self.is_boolean(answer) => {
                        *out += &format!("{} too", self.holds(answer))
                    }
                    None => self.clause(out, answer, depth + 1),
                }
            }
            _ if self.is_boolean(inner) => *out += &format!("{} always holds", self.named(inner)),
            _ => {
                *out += "at every moment ";
                self.clause(out, inner, depth + 1);
            }
        }
    }

    fn eventually_clause(&self, out: &mut String, inner: Formula, depth: u32) {
        if let Some(stays) = self.as_always(inner).filter(|&stays| self.is_boolean(stays)) {
            *out += &format!("from some moment on {} for ever", self.holds(stays));
        } else if self.is_boolean(inner) {
            *out += &format!("{} at some moment", self.holds(inner));
        } else {
            *out += "at some moment ";
            self.clause(out, inner, depth + 1);
        }
    }

    /// `p holds`, or what else there is to say of one state.
    fn holds(&self, formula: Formula) -> String {
        match self.node(formula) {
            Node::True => "nothing is asked".to_owned(),
            Node::False => "something impossible holds".to_owned(),
            &Node::Not(inner) => format!("{} does not hold", self.named(inner)),
            _ => format!("{} holds", self.named(formula)),
        }
    }

    /// What can be said to hold in a state.
    fn named(&self, formula: Formula) -> String {
        let text = match self.node(formula) {
            Node::Atom(atom) => self.atoms()[atom.index()].text.clone(),
            _ => self.show(formula, Spelling::Spin),
        };
        let name = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        if name { text } else { format!("`{text}`") }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn formulas_are_told_in_words() {
        for (text, said) in [
            ("p", "p holds in the first state"),
            ("[] p", "p always holds"),
            ("[] !p", "p never holds"),
            ("[] !(p && q)", "`p && q` never holds"),
            ("<> p", "p holds at some moment"),
            ("[] <> p", "p holds again and again"),
            ("<> [] !p", "from some moment on p does not hold for ever"),
            ("[] (p -> <> q)", "whenever p holds, q holds then or later"),
            ("[] (p -> q)", "whenever p holds, q holds too"),
            ("[] (p -> X q)", "whenever p holds, q holds in the next state"),
            ("[] ((x == 1) -> <> !q)", "whenever `x == 1` holds, q does not hold then or later"),
            ("p U q", "p holds until, as it must, q holds"),
            ("!p W q", "p does not hold, for ever or until q holds"),
            ("q V p", "p holds, for ever or up to a state, and in it, where q holds"),
            ("[] p && <> q", "p always holds, and q holds at some moment"),
            ("[] (p -> (q U r))", "whenever p holds, (q holds until, as it must, r holds)"),
            ("[]<>p -> []<>q", "if p holds again and again, then q holds again and again"),
        ] {
            let mut formulas = Formulas::new();
            let formula = parse(&mut formulas, text).unwrap();
            let expected = format!("In every run, {said}.");
            assert_eq!(formulas.english(formula).as_deref(), Some(expected.as_str()), "{text}");
        }
    }

    #[test]
    fn long_formulas_are_left_to_their_text() {
        let mut formulas = Formulas::new();
        let text = format!("{}p{}", "(q U ".repeat(60), ")".repeat(60));
        let formula = parse(&mut formulas, &text).unwrap();
        assert_eq!(formulas.english(formula), None);
    }
}
