//! Finite automata as text:
//!
//! ```text
//! all executions            # or: no execution
//! events take, give
//! start idle
//! accept idle
//! idle  take -> busy        # an event without an edge leads to a trap
//! busy  give -> idle
//! busy  * -> busy           # all events that have no edge of their own
//! ```

use super::{EventProperty, MOST_EVENTS, MOST_STATES, Mode, Nfa};
use crate::ltl::SyntaxError;

/// Reads an automaton and makes it deterministic and complete.
pub fn read_fsa(text: &str) -> Result<EventProperty, SyntaxError> {
    let mut reader = Reader::default();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        reader.line(line, offset)?;
        offset += line.len();
    }
    reader.finish(text.len())
}

#[derive(Default)]
struct Reader {
    nfa: Nfa,
    mode: Mode,
    start: Option<usize>,
    seen_events: bool,
    /// Edges for events that have no other, by state.
    others: Vec<(usize, usize)>,
}

/// A word with its place.
type Word<'a> = (&'a str, usize);

/// The words of a line; commas are blanks.
fn words(line: &str, offset: usize) -> Vec<Word<'_>> {
    let code = line.split('#').next().unwrap_or("");
    let mut all = Vec::new();
    let mut start = None;
    for (index, c) in code.char_indices().chain([(code.len(), ' ')]) {
        let blank = c.is_whitespace() || c == ',';
        match (blank, start) {
            (false, None) => start = Some(index),
            (true, Some(from)) => {
                all.push((&code[from..index], offset + from));
                start = None;
            }
            _ => {}
        }
    }
    all
}

fn place((word, at): Word<'_>) -> std::ops::Range<usize> {
    at..at + word.len()
}

impl Reader {
    fn state(&mut self, name: &str) -> usize {
        match self.nfa.names.iter().position(|known| known == name) {
            Some(state) => state,
            None => {
                self.nfa.names.push(name.to_owned());
                self.nfa.state()
            }
        }
    }

    fn line(&mut self, line: &str, offset: usize) -> Result<(), SyntaxError> {
        let words = words(line, offset);
        let end = offset + line.trim_end().len();
        let whole = words.first().map_or(end, |&(_, at)| at)..end;
        match words.split_first() {
            None => Ok(()),
            Some((("all" | "no", _), [("execution" | "executions", _)])) => {
                self.mode = if words[0].0 == "all" { Mode::All } else { Mode::No };
                Ok(())
            }
            Some((("events", _), names)) => self.events(names, whole),
            Some((("start", _), [name])) => {
                if self.start.is_some() {
                    return Err(SyntaxError::new(whole, "a second `start`"));
                }
                self.start = Some(self.state(name.0));
                Ok(())
            }
            Some((("accept", _), names)) => {
                for name in names {
                    let state = self.state(name.0);
                    self.nfa.accepting[state] = true;
                }
                Ok(())
            }
            Some((from, rest)) => self.edge(*from, rest, whole),
        }?;
        match self.nfa.edges.len() > MOST_STATES {
            true => Err(SyntaxError::new(offset..end, format!("more than {MOST_STATES} states"))),
            false => Ok(()),
        }
    }

    fn events(
        &mut self,
        names: &[Word<'_>],
        whole: std::ops::Range<usize>,
    ) -> Result<(), SyntaxError> {
        if names.is_empty() {
            return Err(SyntaxError::new(whole, "no event is named"));
        }
        self.seen_events = true;
        for &name in names {
            if self.nfa.events.iter().any(|event| event == name.0) {
                return Err(SyntaxError::new(
                    place(name),
                    format!("`{}` is there already", name.0),
                ));
            }
            self.nfa.events.push(name.0.to_owned());
        }
        match self.nfa.events.len() > MOST_EVENTS {
            true => Err(SyntaxError::new(whole, format!("more than {MOST_EVENTS} events"))),
            false => Ok(()),
        }
    }

    /// `idle take give -> busy`
    fn edge(
        &mut self,
        from: Word<'_>,
        rest: &[Word<'_>],
        whole: std::ops::Range<usize>,
    ) -> Result<(), SyntaxError> {
        let (events, target) = match rest {
            [events @ .., ("->", _), target] if !events.is_empty() => (events, target),
            _ => {
                return Err(SyntaxError::new(whole, "this is no line of an automaton").hint(
                    "lines are: events a, b | start s | accept s, t | s a -> t | all executions | no execution",
                ));
            }
        };
        if !self.seen_events {
            return Err(SyntaxError::new(whole, "`events` has to come before the edges"));
        }
        let (source, target) = (self.state(from.0), self.state(target.0));
        for &event in events {
            if event.0 == "*" {
                self.others.push((source, target));
                continue;
            }
            let Some(index) = self.nfa.events.iter().position(|known| known == event.0) else {
                let message = format!("`{}` is not among the events", event.0);
                let error = SyntaxError::new(place(event), message);
                let known = self.nfa.events.iter().map(String::as_str);
                return Err(match everypath_model::most_similar(event.0, known) {
                    Some(similar) => error.hint(format!("did you mean `{similar}`?")),
                    None => error,
                });
            };
            self.nfa.edges[source].push((Some(index), target));
        }
        Ok(())
    }

    fn finish(mut self, end: usize) -> Result<EventProperty, SyntaxError> {
        let Some(start) = self.start else {
            return Err(SyntaxError::new(end..end, "`start` is missing"));
        };
        self.nfa.start = start;
        // Own edges first, so that two `*` of a state are a choice.
        let own: Vec<Vec<usize>> = self
            .nfa
            .edges
            .iter()
            .map(|edges| edges.iter().filter_map(|&(event, _)| event).collect())
            .collect();
        for (source, target) in self.others {
            for event in (0..self.nfa.events.len()).filter(|event| !own[source].contains(event)) {
                self.nfa.edges[source].push((Some(event), target));
            }
        }
        let fsa = self.nfa.determinize().ok_or_else(|| {
            let message = format!("more than {MOST_STATES} states when made deterministic");
            SyntaxError::new(0..end, message)
        })?;
        Ok(EventProperty { mode: self.mode, fsa })
    }
}
