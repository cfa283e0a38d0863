//! Automata from HOA text.

use rustc_hash::FxHashMap;

use super::lex::{Kind, Token, tokens};
use crate::bdd::{Bdd, Diagrams, Literal};
use crate::ltl::SyntaxError;
use crate::tgba::{Automaton, Edge, Marks, all_marks};

/// States, at most.
const MOST_STATES: u64 = 1_000_000;
/// Atoms of automata whose edges have no labels, at most: a state has an edge for each letter.
const MOST_IMPLICIT: usize = 16;
/// Parentheses inside each other, at most.
const DEPTH: usize = 200;

/// Reads an automaton. Acceptance has to be a conjunction of `Inf`.
pub fn read(text: &str) -> Result<Automaton, SyntaxError> {
    let tokens = tokens(text)?;
    let mut reader = Reader {
        text,
        tokens,
        at: 0,
        depth: 0,
        atoms: Vec::new(),
        labels: Diagrams::new(),
        aliases: FxHashMap::default(),
    };
    reader.automaton()
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    atoms: Vec<String>,
    labels: Diagrams,
    aliases: FxHashMap<String, Bdd>,
}

/// Which sets of the text become which marks.
#[derive(Default)]
struct Acceptance {
    sets: u64,
    /// Each mark is a set, or what a set does not have.
    marks: Vec<(u64, bool)>,
    /// Nothing is accepted.
    never: bool,
}

impl Acceptance {
    fn marks(&self, sets: &[u64]) -> Marks {
        let marks = self.marks.iter().enumerate();
        marks.map(|(mark, &(set, negated))| u64::from(sets.contains(&set) != negated) << mark).sum()
    }
}

impl Reader<'_> {
    fn kind(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    fn next(&mut self) -> Kind {
        let kind = self.kind().clone();
        if kind != Kind::Nothing {
            self.at += 1;
        }
        kind
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        let token = &self.tokens[self.at];
        SyntaxError::new(token.start..token.end, message)
    }

    /// An error that names what stands at the place.
    fn expected(&self, what: &str) -> SyntaxError {
        let token = &self.tokens[self.at];
        let found = match token.kind {
            Kind::Nothing => "the end of the text".to_owned(),
            _ => format!("`{}`", &self.text[token.start..token.end]),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    fn number(&mut self, what: &str) -> Result<u64, SyntaxError> {
        match *self.kind() {
            Kind::Number(number) => {
                self.at += 1;
                Ok(number)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn takes(&mut self, sign: char) -> bool {
        let found = *self.kind() == Kind::Sign(sign);
        self.at += usize::from(found);
        found
    }

    fn sign(&mut self, sign: char) -> Result<(), SyntaxError> {
        if self.takes(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn automaton(&mut self) -> Result<Automaton, SyntaxError> {
        match (self.next(), self.next()) {
            (Kind::Header(name), Kind::Word(version)) if name == "HOA" && version == "v1" => {}
            (Kind::Header(name), _) if name == "HOA" => {
                self.at = 1;
                return Err(self.expected("the version v1"));
            }
            _ => {
                self.at = 0;
                return Err(self.expected("`HOA: v1` at the beginning"));
            }
        }
        let mut states = None;
        let mut starts = Vec::new();
        let mut acceptance = None;
        while let Kind::Header(name) = self.kind().clone() {
            self.at += 1;
            match name.as_str() {
                "States" => {
                    let count = self.number("the number of states")?;
                    if count > MOST_STATES {
                        self.at -= 1;
                        return Err(self.error(format!("more than {MOST_STATES} states")));
                    }
                    states = Some(count);
                }
                "Start" => {
                    starts.push((self.number("a state")?, self.at - 1));
                    if *self.kind() == Kind::Sign('&') {
                        return Err(self.error("alternating automata are not supported"));
                    }
                }
                "AP" => self.atoms()?,
                "Alias" => {
                    let Kind::Alias(name) = self.next() else {
                        self.at -= 1;
                        return Err(self.expected("a name such as @a"));
                    };
                    let label = self.label_or()?;
                    self.aliases.insert(name, label);
                }
                "Acceptance" => acceptance = Some(self.acceptance()?),
                _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    self.at -= 1;
                    return Err(
                        self.error(format!("`{name}:` is not known, and must not be ignored"))
                    );
                }
                _ => self.skip_header(),
            }
        }
        if *self.kind() != Kind::Body {
            return Err(self.expected("a header or `--BODY--`"));
        }
        let Some(acceptance) = acceptance else {
            return Err(self.error("`Acceptance:` is missing"));
        };
        self.at += 1;
        let edges = self.body(states, &acceptance)?;
        self.finish(edges, starts, acceptance)
    }

    fn skip_header(&mut self) {
        while !matches!(self.kind(), Kind::Header(_) | Kind::Body | Kind::Nothing) {
            self.at += 1;
        }
    }

    fn atoms(&mut self) -> Result<(), SyntaxError> {
        let count = self.number("the number of propositions")?;
        if count > 64 {
            self.at -= 1;
            return Err(self.error("more than 64 propositions"));
        }
        for _ in 0..count {
            match self.kind().clone() {
                Kind::Text(name) if self.atoms.contains(&name) => {
                    return Err(self.error(format!("\"{name}\" is there already")));
                }
                Kind::Text(name) => self.atoms.push(name),
                _ => return Err(self.expected("the name of a proposition")),
            }
            self.at += 1;
        }
        if let Kind::Text(_) = self.kind() {
            return Err(self.error(format!("more names than the {count} that were announced")));
        }
        Ok(())
    }

    fn acceptance(&mut self) -> Result<Acceptance, SyntaxError> {
        let sets = self.number("the number of acceptance sets")?;
        let mut acceptance = Acceptance { sets, ..Acceptance::default() };
        self.condition(&mut acceptance)?;
        if acceptance.marks.len() > 64 {
            return Err(self.error("more than 64 acceptance sets are used"));
        }
        Ok(acceptance)
    }

    fn condition(&mut self, acceptance: &mut Acceptance) -> Result<(), SyntaxError> {
        self.condition_part(acceptance)?;
        while self.takes('&') {
            self.condition_part(acceptance)?;
        }
        if *self.kind() == Kind::Sign('|') {
            return Err(self.unsupported());
        }
        Ok(())
    }

    fn unsupported(&self) -> SyntaxError {
        self.error("the condition is not a generalized Büchi condition")
            .hint("Inf(0)&Inf(1)&... can be read; let a tool such as autfilt convert the others")
    }

    fn condition_part(&mut self, acceptance: &mut Acceptance) -> Result<(), SyntaxError> {
        if self.takes('(') {
            self.deeper()?;
            self.condition(acceptance)?;
            self.depth -= 1;
            return self.sign(')');
        }
        let Kind::Word(word) = self.kind().clone() else {
            return Err(self.expected("Inf(...), t or f"));
        };
        match word.as_str() {
            "t" => self.at += 1,
            "f" => {
                self.at += 1;
                acceptance.never = true;
            }
            "Inf" => {
                self.at += 1;
                self.sign('(')?;
                let negated = self.takes('!');
                let set = self.number("an acceptance set")?;
                if set >= acceptance.sets {
                    self.at -= 1;
                    return Err(self.error(format!("there are only {} sets", acceptance.sets)));
                }
                if !acceptance.marks.contains(&(set, negated)) {
                    acceptance.marks.push((set, negated));
                }
                self.sign(')')?;
            }
            _ => return Err(self.unsupported()),
        }
        Ok(())
    }

    fn deeper(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        match self.depth > DEPTH {
            true => Err(self.error(format!("nested deeper than {DEPTH} levels"))),
            false => Ok(()),
        }
    }

    fn label_or(&mut self) -> Result<Bdd, SyntaxError> {
        let mut label = self.label_and()?;
        while self.takes('|') {
            let part = self.label_and()?;
            label = self.labels.or(label, part);
        }
        Ok(label)
    }

    fn label_and(&mut self) -> Result<Bdd, SyntaxError> {
        let mut label = self.label_part()?;
        while self.takes('&') {
            let part = self.label_part()?;
            label = self.labels.and(label, part);
        }
        Ok(label)
    }

    fn label_part(&mut self) -> Result<Bdd, SyntaxError> {
        let token = self.kind().clone();
        let label = match token {
            Kind::Sign('!') => {
                self.at += 1;
                self.deeper()?;
                let part = self.label_part()?;
                self.depth -= 1;
                return Ok(self.labels.not(part));
            }
            Kind::Sign('(') => {
                self.at += 1;
                self.deeper()?;
                let inner = self.label_or()?;
                self.depth -= 1;
                self.sign(')')?;
                return Ok(inner);
            }
            Kind::Number(atom) if (atom as usize) < self.atoms.len() => {
                self.labels.variable(atom as u32)
            }
            Kind::Number(_) => {
                let message = format!("there are only {} propositions", self.atoms.len());
                return Err(self.error(message));
            }
            Kind::Alias(name) => match self.aliases.get(&name) {
                Some(&label) => label,
                None => return Err(self.error(format!("@{name} is not defined"))),
            },
            Kind::Word(word) if word == "t" => Bdd::TRUE,
            Kind::Word(word) if word == "f" => Bdd::FALSE,
            _ => return Err(self.expected("a label")),
        };
        self.at += 1;
        Ok(label)
    }

    fn label(&mut self) -> Result<Option<Bdd>, SyntaxError> {
        if !self.takes('[') {
            return Ok(None);
        }
        let label = self.label_or()?;
        self.sign(']')?;
        Ok(Some(label))
    }

    fn sets(&mut self, acceptance: &Acceptance) -> Result<Vec<u64>, SyntaxError> {
        let mut sets = Vec::new();
        if self.takes('{') {
            while !self.takes('}') {
                let set = self.number("an acceptance set or `}`")?;
                if set >= acceptance.sets {
                    self.at -= 1;
                    return Err(self.error(format!("there are only {} sets", acceptance.sets)));
                }
                sets.push(set);
            }
        }
        Ok(sets)
    }

    fn body(
        &mut self,
        count: Option<u64>,
        acceptance: &Acceptance,
    ) -> Result<Vec<Vec<Edge>>, SyntaxError> {
        let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); count.unwrap_or(0) as usize];
        let mut seen = vec![false; edges.len()];
        let check = |reader: &Reader<'_>, state: u64| {
            if count.is_some_and(|count| state >= count) || state >= MOST_STATES {
                let most = count.unwrap_or(MOST_STATES);
                return Err(reader.error(format!("there are only {most} states")));
            }
            Ok(state as usize)
        };
        loop {
            match self.kind().clone() {
                Kind::End => return Ok(edges),
                Kind::Abort => return Err(self.error("the automaton was aborted by its writer")),
                Kind::Header(name) if name == "State" => self.at += 1,
                _ => return Err(self.expected("`State:` or `--END--`")),
            }
            let own_label = self.label()?;
            let place = self.at;
            let number = self.number("the number of a state")?;
            self.at = place;
            let state = check(self, number)?;
            self.at = place + 1;
            if let Kind::Text(_) = self.kind() {
                self.at += 1;
            }
            let own_sets = self.sets(acceptance)?;
            if state >= edges.len() {
                edges.resize(state + 1, Vec::new());
                seen.resize(state + 1, false);
            }
            if std::mem::replace(&mut seen[state], true) {
                self.at = place;
                return Err(self.error(format!("state {state} is there already")));
            }
            let mut implicit = 0u64;
            loop {
                let label = self.label()?;
                let place = self.at;
                let Kind::Number(target) = *self.kind() else {
                    match label {
                        Some(_) => return Err(self.expected("a target")),
                        None => break,
                    }
                };
                let target = check(self, target)?;
                self.at += 1;
                if *self.kind() == Kind::Sign('&') {
                    return Err(self.error("alternating automata are not supported"));
                }
                let mut sets = self.sets(acceptance)?;
                sets.extend(&own_sets);
                let label = match (label, own_label) {
                    (Some(_), Some(_)) => {
                        self.at = place;
                        return Err(self.error("both the state and the edge have a label"));
                    }
                    (Some(label), None) | (None, Some(label)) => label,
                    (None, None) => {
                        let label = self.implicit(implicit)?;
                        implicit += 1;
                        label
                    }
                };
                if target >= edges.len() {
                    edges.resize(target + 1, Vec::new());
                    seen.resize(target + 1, false);
                }
                if !label.is_false() {
                    edges[state].push(Edge { label, marks: acceptance.marks(&sets), target });
                }
            }
            if implicit > 0 && implicit != 1 << self.atoms.len() {
                let message = format!(
                    "a state without labels needs {} edges, one for each letter, but has {implicit}",
                    1u64 << self.atoms.len()
                );
                return Err(self.error(message));
            }
        }
    }

    /// The label of the edge of a number: its bits are the atoms.
    fn implicit(&mut self, number: u64) -> Result<Bdd, SyntaxError> {
        if self.atoms.len() > MOST_IMPLICIT {
            return Err(
                self.error(format!("no labels with more than {MOST_IMPLICIT} propositions"))
            );
        }
        if number >= 1 << self.atoms.len() {
            self.at -= 1;
            return Err(self.error("more edges without labels than letters"));
        }
        let cube: Vec<Literal> = (0..self.atoms.len() as u32)
            .map(|variable| Literal { variable, positive: number >> variable & 1 == 1 })
            .collect();
        Ok(self.labels.cube(&cube))
    }

    fn finish(
        &mut self,
        mut edges: Vec<Vec<Edge>>,
        starts: Vec<(u64, usize)>,
        acceptance: Acceptance,
    ) -> Result<Automaton, SyntaxError> {
        for &(start, place) in &starts {
            if start as usize >= edges.len() {
                self.at = place;
                return Err(self.error(format!("there are only {} states", edges.len())));
            }
        }
        let atoms = std::mem::take(&mut self.atoms);
        if starts.is_empty() || acceptance.never {
            return Ok(Automaton::nothing(atoms));
        }
        let initial = match starts[..] {
            [(start, _)] => start as usize,
            // Several initial states become one that has the edges of all.
            _ => {
                let mut all: Vec<Edge> = Vec::new();
                for &(start, _) in &starts {
                    all.extend_from_slice(&edges[start as usize]);
                }
                edges.push(all);
                edges.len() - 1
            }
        };
        let marks = acceptance.marks.len() as u32;
        debug_assert!(edges.iter().flatten().all(|edge| edge.marks & !all_marks(marks) == 0));
        Ok(Automaton { atoms, labels: std::mem::take(&mut self.labels), marks, initial, edges })
    }
}
