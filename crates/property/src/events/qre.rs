//! Quantified regular expressions, as FLAVERS has them:
//! `for events { open, close } show all executions satisfy (open ; close)*`.

use std::fmt;

use super::{EventProperty, MOST_EVENTS, MOST_STATES, Mode, Nfa, minimize};
use crate::ltl::SyntaxError;

/// A regular expression over events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Regex {
    /// `[]`: no event.
    Empty,
    /// One of these events, by number: `a`, `.`, `[- a, b]`.
    One(Vec<usize>),
    /// `a ; b`
    Then(Box<Regex>, Box<Regex>),
    /// `a | b`
    Or(Box<Regex>, Box<Regex>),
    /// `a*`
    Star(Box<Regex>),
    /// `a+`
    Plus(Box<Regex>),
    /// `a?`
    Maybe(Box<Regex>),
    /// `a^3`
    Times(Box<Regex>, u32),
}

/// A property as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qre {
    /// The events.
    pub events: Vec<String>,
    /// Which executions.
    pub mode: Mode,
    /// What they are like.
    pub regex: Regex,
}

/// Parentheses inside each other, at most.
const DEPTH: usize = 200;
/// Operators, at most.
const MOST_OPERATORS: usize = 2_000;
/// The greatest exponent.
const MOST_TIMES: u64 = 1_000;

impl Qre {
    /// The minimal automaton; `None` if one on the way has too many states.
    pub fn property(&self) -> Option<EventProperty> {
        let mut nfa = Nfa { events: self.events.clone(), ..Nfa::default() };
        let (start, end) = build(&mut nfa, &self.regex)?;
        nfa.start = start;
        nfa.accepting[end] = true;
        Some(EventProperty { mode: self.mode, fsa: minimize(&nfa.determinize()?) })
    }
}

/// Thompson's construction: the first and the last state of an expression.
fn build(nfa: &mut Nfa, regex: &Regex) -> Option<(usize, usize)> {
    if nfa.edges.len() > MOST_STATES {
        return None;
    }
    let (start, end) = (nfa.state(), nfa.state());
    let silent = |nfa: &mut Nfa, from: usize, to: usize| nfa.edges[from].push((None, to));
    match regex {
        Regex::Empty => silent(nfa, start, end),
        Regex::One(events) => {
            for &event in events {
                nfa.edges[start].push((Some(event), end));
            }
        }
        Regex::Then(a, b) => {
            let (a, b) = (build(nfa, a)?, build(nfa, b)?);
            silent(nfa, start, a.0);
            silent(nfa, a.1, b.0);
            silent(nfa, b.1, end);
        }
        Regex::Or(a, b) => {
            for part in [build(nfa, a)?, build(nfa, b)?] {
                silent(nfa, start, part.0);
                silent(nfa, part.1, end);
            }
        }
        Regex::Star(a) | Regex::Plus(a) | Regex::Maybe(a) => {
            let part = build(nfa, a)?;
            silent(nfa, start, part.0);
            silent(nfa, part.1, end);
            if !matches!(regex, Regex::Plus(_)) {
                silent(nfa, start, end);
            }
            if !matches!(regex, Regex::Maybe(_)) {
                silent(nfa, part.1, part.0);
            }
        }
        Regex::Times(a, count) => {
            let mut last = start;
            for _ in 0..*count {
                let part = build(nfa, a)?;
                silent(nfa, last, part.0);
                last = part.1;
            }
            silent(nfa, last, end);
        }
    }
    Some((start, end))
}

/// Reads a quantified regular expression.
pub fn read_qre(text: &str) -> Result<Qre, SyntaxError> {
    let mut reader = Reader { text, at: 0, depth: 0, size: 0, events: Vec::new() };
    reader.words(&["for", "events"])?;
    reader.need('{')?;
    loop {
        let (name, place) = reader.name("an event")?;
        if reader.events.contains(&name) {
            let message = format!("`{name}` is there already");
            return Err(SyntaxError::new(place, message));
        }
        reader.events.push(name);
        if reader.events.len() > MOST_EVENTS {
            return Err(reader.error(format!("more than {MOST_EVENTS} events")));
        }
        if !reader.takes(',') {
            break;
        }
    }
    reader.need('}')?;
    reader.words(&["show"])?;
    let (word, place) = reader.name("`all` or `no`")?;
    let mode = match word.as_str() {
        "all" => Mode::All,
        "no" => Mode::No,
        _ => {
            let message = format!("expected `all` or `no`, found `{word}`");
            return Err(SyntaxError::new(place, message));
        }
    };
    let (word, place) = reader.name("`executions`")?;
    if !["execution", "executions"].contains(&word.as_str()) {
        let message = format!("expected `executions`, found `{word}`");
        return Err(SyntaxError::new(place, message));
    }
    let (word, place) = reader.name("`satisfy`")?;
    if !["satisfy", "satisfies"].contains(&word.as_str()) {
        return Err(SyntaxError::new(place, format!("expected `satisfy`, found `{word}`")));
    }
    let regex = reader.either()?;
    reader.skip();
    match reader.at < text.len() {
        true => Err(reader.expected("an operator or the end")),
        false => Ok(Qre { events: reader.events, mode, regex }),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    size: usize,
    events: Vec<String>,
}

impl Reader<'_> {
    fn skip(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip();
        self.text[self.at..].chars().next()
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        SyntaxError::new(self.at..self.at + length, message)
    }

    fn expected(&mut self, what: &str) -> SyntaxError {
        let found = match self.peek() {
            Some(c) => format!("`{c}`"),
            None => "the end".to_owned(),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    fn takes(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    fn need(&mut self, c: char) -> Result<(), SyntaxError> {
        if self.takes(c) { Ok(()) } else { Err(self.expected(&format!("`{c}`"))) }
    }

    /// A name, which may have dots inside: `fork1.up`.
    fn name(&mut self, what: &str) -> Result<(String, std::ops::Range<usize>), SyntaxError> {
        self.skip();
        let start = self.at;
        let rest = &self.text[start..];
        if !rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(self.expected(what));
        }
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let mut end = 0;
        for (offset, c) in rest.char_indices() {
            let dot = c == '.' && rest[offset + 1..].starts_with(part);
            if !part(c) && !dot {
                break;
            }
            end = offset + c.len_utf8();
        }
        self.at = start + end;
        Ok((rest[..end].to_owned(), start..self.at))
    }

    fn words(&mut self, words: &[&str]) -> Result<(), SyntaxError> {
        for &word in words {
            let (found, place) = self.name(&format!("`{word}`"))?;
            if found != word {
                let message = format!("expected `{word}`, found `{found}`");
                return Err(SyntaxError::new(place, message)
                    .hint("for events { a, b } show all executions satisfy (a ; b)*"));
            }
        }
        Ok(())
    }

    fn event(&mut self) -> Result<usize, SyntaxError> {
        let (name, place) = self.name("an event")?;
        self.events.iter().position(|event| *event == name).ok_or_else(|| {
            let known = self.events.iter().map(String::as_str);
            let error = SyntaxError::new(place, format!("`{name}` is not among the events"));
            match everypath_model::most_similar(&name, known) {
                Some(similar) => error.hint(format!("did you mean `{similar}`?")),
                None => error,
            }
        })
    }

    fn either(&mut self) -> Result<Regex, SyntaxError> {
        let mut result = self.sequence()?;
        while self.takes('|') {
            let next = self.sequence()?;
            result = Regex::Or(Box::new(result), Box::new(next));
            self.larger()?;
        }
        Ok(result)
    }

    fn sequence(&mut self) -> Result<Regex, SyntaxError> {
        let mut result = self.repeated()?;
        while self.takes(';') {
            let next = self.repeated()?;
            result = Regex::Then(Box::new(result), Box::new(next));
            self.larger()?;
        }
        Ok(result)
    }

    /// Counts levels of parentheses.
    fn deeper(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        match self.depth > DEPTH {
            true => Err(self.error(format!("nested deeper than {DEPTH} levels"))),
            false => Ok(()),
        }
    }

    /// Counts operators: each is a level of the tree, and what walks through it calls itself.
    fn larger(&mut self) -> Result<(), SyntaxError> {
        self.size += 1;
        match self.size > MOST_OPERATORS {
            true => Err(self.error(format!("more than {MOST_OPERATORS} operators"))),
            false => Ok(()),
        }
    }

    fn repeated(&mut self) -> Result<Regex, SyntaxError> {
        let mut result = self.single()?;
        loop {
            self.larger()?;
            let inner = Box::new(result);
            result = match self.peek() {
                Some('*') => Regex::Star(inner),
                Some('+') => Regex::Plus(inner),
                Some('?') => Regex::Maybe(inner),
                Some('^') => {
                    self.at += 1;
                    let start = self.at;
                    self.skip();
                    let rest = &self.text[self.at..];
                    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                    let count = rest[..digits].parse::<u64>();
                    let end = self.at + digits;
                    match count {
                        Ok(count) if count <= MOST_TIMES => {
                            self.at = end;
                            result = Regex::Times(inner, count as u32);
                            continue;
                        }
                        Ok(_) => {
                            let message = format!("more than {MOST_TIMES} times");
                            return Err(SyntaxError::new(start..end, message));
                        }
                        Err(_) => return Err(self.expected("a number")),
                    }
                }
                _ => return Ok(*inner),
            };
            self.at += 1;
        }
    }

    fn single(&mut self) -> Result<Regex, SyntaxError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.deeper()?;
                let inner = self.either()?;
                self.depth -= 1;
                self.need(')')?;
                Ok(inner)
            }
            Some('.') => {
                self.at += 1;
                Ok(Regex::One((0..self.events.len()).collect()))
            }
            Some('[') => {
                self.at += 1;
                if self.takes(']') {
                    return Ok(Regex::Empty);
                }
                self.need('-')?;
                let mut without = Vec::new();
                loop {
                    without.push(self.event()?);
                    if !self.takes(',') {
                        break;
                    }
                }
                self.need(']')?;
                Ok(Regex::One((0..self.events.len()).filter(|e| !without.contains(e)).collect()))
            }
            _ => Ok(Regex::One(vec![self.event()?])),
        }
    }
}

impl fmt::Display for Qre {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            Mode::All => "all",
            Mode::No => "no",
        };
        let events = self.events.join(", ");
        write!(f, "for events {{ {events} }} show {mode} executions satisfy ")?;
        write_regex(f, &self.regex, &self.events, 0)
    }
}

/// Writes an expression; `floor` is the level below which parentheses are needed.
fn write_regex(
    f: &mut fmt::Formatter<'_>,
    regex: &Regex,
    events: &[String],
    floor: u8,
) -> fmt::Result {
    let level = match regex {
        Regex::Or(..) => 0,
        Regex::Then(..) => 1,
        _ => 2,
    };
    if level < floor {
        f.write_str("(")?;
    }
    match regex {
        Regex::Empty => f.write_str("[]")?,
        Regex::One(some) if some.len() == events.len() && some.len() != 1 => f.write_str(".")?,
        Regex::One(some) => match some[..] {
            [one] => f.write_str(&events[one])?,
            _ => {
                let without: Vec<&str> = (0..events.len())
                    .filter(|event| !some.contains(event))
                    .map(|event| events[event].as_str())
                    .collect();
                write!(f, "[- {}]", without.join(", "))?;
            }
        },
        Regex::Or(a, b) => {
            write_regex(f, a, events, 0)?;
            f.write_str(" | ")?;
            write_regex(f, b, events, 1)?;
        }
        Regex::Then(a, b) => {
            write_regex(f, a, events, 1)?;
            f.write_str(" ; ")?;
            write_regex(f, b, events, 2)?;
        }
        Regex::Star(a) | Regex::Plus(a) | Regex::Maybe(a) | Regex::Times(a, _) => {
            write_regex(f, a, events, 2)?;
            match regex {
                Regex::Star(_) => f.write_str("*")?,
                Regex::Plus(_) => f.write_str("+")?,
                Regex::Times(_, count) => write!(f, "^{count}")?,
                _ => f.write_str("?")?,
            }
        }
    }
    if level < floor {
        f.write_str(")")?;
    }
    Ok(())
}
