//! Temporal formulas and patterns on sequences of events that end.
//!
//! The atoms of a formula are events, and the alphabet; other events are invisible. `X a` asks for a next event;
//! `a U b` asks that `b` comes; `a W b`, `a R b` and `[] a` hold if the sequence ends before anything is wrong, so
//! also of no events at all.
//!
//! A state of the automaton is what is still asked: a Boolean function of events and temporal formulas. Reading an
//! event replaces each of them by what it asks from then on (progression), so there are finitely many.

use rustc_hash::FxHashMap;

use super::{EventProperty, Fsa, Mode, minimize};
use crate::bdd::{Bdd, Diagrams};
use crate::ltl::{
    AtomId, AtomReader, Expressions, Formula, Formulas, Node, Read, Spelling, SyntaxError,
    parse_with,
};
use crate::patterns::{Composite, Role, Roles, read_pattern};

/// States before the automaton is made smaller, at most.
const MOST_STATES: usize = 20_000;
/// Nodes of the functions of all states, at most.
const MOST_NODES: usize = 2_000_000;

/// The property that every execution satisfies a temporal formula over events.
pub fn of_ltl(text: &str) -> Result<EventProperty, SyntaxError> {
    of_ltl_over(text, &[])
}

/// The same over events of which some are known: their names come before operators of these names.
pub fn of_ltl_over(text: &str, known: &[String]) -> Result<EventProperty, SyntaxError> {
    let mut formulas = Formulas::finite();
    let formula = read(&mut formulas, text, 0, known)?;
    automaton(&formulas, formula).map_err(|message| SyntaxError::new(0..text.len(), message))
}

/// The property of a pattern: `response between; P = request; S = grant; Q = open; R = close`.
pub fn of_pattern(text: &str) -> Result<EventProperty, SyntaxError> {
    of_pattern_over(text, &[])
}

/// The same over events of which some are known: their names come before operators of these names.
pub fn of_pattern_over(text: &str, known: &[String]) -> Result<EventProperty, SyntaxError> {
    let read_text = read_pattern(text)?;
    let mut formulas = Formulas::finite();
    let role = |letter: char, formulas: &mut Formulas| -> Result<Role, SyntaxError> {
        let Some((_, place)) = read_text.roles.iter().find(|(known, _)| *known == letter) else {
            return Ok(Role::Formula(Formulas::TRUE));
        };
        let written = &text[place.clone()];
        let Some((kind, texts)) = Composite::split(written) else {
            return Ok(Role::Formula(read(formulas, written, place.start, known)?));
        };
        let mut parts = Vec::new();
        for part in texts {
            parts.push(read(formulas, part, place.start, known)?);
        }
        let wrong = || SyntaxError::new(place.clone(), format!("`{written}` is no composite"));
        Composite::of_name(kind, parts).map(Role::Composite).ok_or_else(wrong)
    };
    let roles = Roles {
        p: role('P', &mut formulas)?,
        s: role('S', &mut formulas)?,
        t: role('T', &mut formulas)?,
        q: role('Q', &mut formulas)?,
        r: role('R', &mut formulas)?,
    };
    let formula = read_text.property.formula(&mut formulas, &roles);
    automaton(&formulas, formula).map_err(|message| SyntaxError::new(0..text.len(), message))
}

/// A formula over events; `from` is where its text stands in that of the user.
fn read(
    formulas: &mut Formulas,
    text: &str,
    from: usize,
    known: &[String],
) -> Result<Formula, SyntaxError> {
    let moved = |mut error: SyntaxError| {
        error.place = error.place.start + from..error.place.end + from;
        error
    };
    let before = formulas.atoms().len();
    let events = Events { known };
    let formula = parse_with(formulas, text, Spelling::Any, &events).map_err(moved)?;
    for atom in &formulas.atoms()[before..] {
        let place = atom.place.clone().unwrap_or(0..text.len());
        let quoted = text[place.clone()].starts_with('"');
        let named = quoted && !atom.text.contains(char::is_whitespace);
        if !named && !is_event(&atom.text) {
            let message = format!("`{}` is no event", atom.text);
            let hint = "events are names as `open` or `fork1.up`; others are put in quotes";
            return Err(moved(SyntaxError::new(place, message).hint(hint)));
        }
    }
    Ok(formula)
}

/// Names with dots in them, whose parts may be numbers; what else expressions are is read in order to be refused.
struct Events<'a> {
    /// Names of events.
    known: &'a [String],
}

/// How long the name is that a text begins with, dots included.
fn name_length(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut end = 0;
    if text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        for (offset, c) in text.char_indices() {
            let dot = c == '.' && text[offset + 1..].starts_with(is_part);
            if !is_part(c) && !dot {
                break;
            }
            end = offset + c.len_utf8();
        }
    }
    end
}

impl AtomReader for Events<'_> {
    /// `F.up` is an event of a class `F`, and so is what is known as an event.
    fn claims(&self, text: &str, at: usize) -> bool {
        let name = &text[at..][..name_length(&text[at..])];
        name.contains('.') || self.known.iter().any(|known| known == name)
    }

    fn read(&self, text: &str, at: usize) -> Read {
        let rest = &text[at..];
        let end = name_length(rest);
        match Expressions.read(text, at) {
            Read::Atom { end: known, .. } if known <= at + end => {
                Read::Atom { end: at + end, text: rest[..end].to_owned(), open: false }
            }
            read => read,
        }
    }
}

fn is_event(text: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    !text.starts_with(|c: char| c.is_numeric()) && text.split('.').all(is_part)
}

/// The automaton of the sequences that satisfy a formula of a table for words that end; what is wrong if there is
/// none.
fn automaton(formulas: &Formulas, formula: Formula) -> Result<EventProperty, String> {
    let atoms = formulas.atoms_of(formula);
    if atoms.is_empty() {
        return Err("the formula is about no event".to_owned());
    }
    let mut progression = Progression::new(formulas, formula, &atoms);
    let mut place: FxHashMap<Bdd, usize> = FxHashMap::default();
    let mut states = vec![progression.now[&formula]];
    place.insert(states[0], 0);
    let mut delta: Vec<Vec<usize>> = Vec::new();
    while delta.len() < states.len() {
        let state = states[delta.len()];
        let mut row = Vec::with_capacity(atoms.len());
        for event in 0..atoms.len() {
            let next = progression.step(state, event);
            let new = states.len();
            let index = *place.entry(next).or_insert(new);
            if index == new {
                states.push(next);
            }
            row.push(index);
        }
        delta.push(row);
        if states.len() > MOST_STATES || progression.diagrams.len() > MOST_NODES {
            return Err(format!(
                "the automaton of the formula has more than {MOST_STATES} states or too large ones"
            ));
        }
    }
    let events = atoms.iter().map(|atom| formulas.atoms()[atom.index()].text.clone()).collect();
    let accepting = states.iter().map(|&state| progression.accepts(state)).collect();
    let names = vec![String::new(); states.len()];
    let mut fsa = minimize(&Fsa { events, delta, start: 0, accepting, names });
    for state in 0..fsa.len() {
        fsa.names[state] = match fsa.is_trap(state) {
            true => "trap".to_owned(),
            false => format!("s{state}"),
        };
    }
    Ok(EventProperty { mode: Mode::All, fsa })
}

/// What is asked before and after an event, as functions. Their variables are the events, then the temporal
/// formulas, then that there is another event.
struct Progression {
    diagrams: Diagrams,
    /// What each formula asks before an event.
    now: FxHashMap<Formula, Bdd>,
    /// What each variable asks behind each event.
    after: Vec<Vec<Bdd>>,
    /// Whether each variable holds where nothing comes any more.
    at_end: Vec<bool>,
    memo: Vec<FxHashMap<Bdd, Bdd>>,
}

impl Progression {
    fn new(formulas: &Formulas, formula: Formula, atoms: &[AtomId]) -> Progression {
        let mut diagrams = Diagrams::new();
        let parts = formulas.subformulas(formula);
        let mut variables: FxHashMap<Formula, u32> = FxHashMap::default();
        let mut at_end = vec![false; atoms.len()];
        for &part in &parts {
            let ends = match formulas.node(part) {
                Node::Next(_) | Node::Until(..) | Node::Strong(..) => false,
                Node::Weak(..) | Node::Release(..) => true,
                _ => continue,
            };
            variables.insert(part, at_end.len() as u32);
            at_end.push(ends);
        }
        let more = at_end.len() as u32;
        at_end.push(false);
        let mut now: FxHashMap<Formula, Bdd> = FxHashMap::default();
        for &part in &parts {
            let made = match formulas.node(part) {
                Node::Atom(atom) => {
                    let index = atoms.iter().position(|known| known == atom).unwrap_or(0);
                    diagrams.variable(index as u32)
                }
                _ => match variables.get(&part) {
                    Some(&variable) => diagrams.variable(variable),
                    None => connected(&mut diagrams, formulas.node(part), &now),
                },
            };
            now.insert(part, made);
        }
        let mut after = Vec::new();
        for event in 0..atoms.len() {
            let mut row = vec![Bdd::FALSE; at_end.len()];
            row[event] = Bdd::TRUE;
            row[more as usize] = Bdd::TRUE;
            // What each formula asks behind the event, those below first.
            let mut later: FxHashMap<Formula, Bdd> = FxHashMap::default();
            for &part in &parts {
                let node = formulas.node(part);
                let again = variables.get(&part).map(|&variable| diagrams.variable(variable));
                let made = match (node, again) {
                    (Node::Atom(atom), _) if *atom == atoms[event] => Bdd::TRUE,
                    (Node::Atom(_), _) => Bdd::FALSE,
                    (Node::Next(a), _) => {
                        let more = diagrams.variable(more);
                        diagrams.and(now[a], more)
                    }
                    (Node::Until(a, b) | Node::Weak(a, b), Some(again)) => {
                        let on = diagrams.and(later[a], again);
                        diagrams.or(later[b], on)
                    }
                    (Node::Release(a, b) | Node::Strong(a, b), Some(again)) => {
                        let on = diagrams.or(later[a], again);
                        diagrams.and(later[b], on)
                    }
                    _ => connected(&mut diagrams, node, &later),
                };
                if let Some(&variable) = variables.get(&part) {
                    row[variable as usize] = made;
                }
                later.insert(part, made);
            }
            after.push(row);
        }
        let memo = vec![FxHashMap::default(); atoms.len()];
        Progression { diagrams, now, after, at_end, memo }
    }

    /// What is asked behind an event.
    fn step(&mut self, state: Bdd, event: usize) -> Bdd {
        let Some((variable, low, high)) = self.diagrams.split(state, u32::MAX) else {
            return state;
        };
        if let Some(&known) = self.memo[event].get(&state) {
            return known;
        }
        let (low, high) = (self.step(low, event), self.step(high, event));
        let made = self.diagrams.ite(self.after[event][variable as usize], high, low);
        self.memo[event].insert(state, made);
        made
    }

    /// Whether nothing is missing if nothing comes any more.
    fn accepts(&self, state: Bdd) -> bool {
        let mut at = state;
        while let Some((variable, low, high)) = self.diagrams.split(at, u32::MAX) {
            at = if self.at_end[variable as usize] { high } else { low };
        }
        at.is_true()
    }
}

/// A Boolean operator applied to functions.
fn connected(diagrams: &mut Diagrams, node: &Node, of: &FxHashMap<Formula, Bdd>) -> Bdd {
    match node {
        Node::True => Bdd::TRUE,
        Node::Not(a) => diagrams.not(of[a]),
        Node::And(parts) => parts.iter().fold(Bdd::TRUE, |all, part| diagrams.and(all, of[part])),
        Node::Or(parts) => parts.iter().fold(Bdd::FALSE, |any, part| diagrams.or(any, of[part])),
        Node::Implies(a, b) => diagrams.ite(of[a], of[b], Bdd::TRUE),
        Node::Iff(a, b) => {
            let not = diagrams.not(of[b]);
            diagrams.ite(of[a], of[b], not)
        }
        Node::Xor(a, b) => {
            let not = diagrams.not(of[b]);
            diagrams.ite(of[a], not, of[b])
        }
        _ => Bdd::FALSE,
    }
}
