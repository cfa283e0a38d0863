//! Traces as they are drawn: `--L--(PT)-R`, a state for each sign, the last one repeated for ever.

use std::collections::BTreeSet;
use std::fmt;

use crate::words::Lasso;

/// The letters that hold in each state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The states; at least one.
    pub states: Vec<BTreeSet<char>>,
}

/// What is wrong with the drawing of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// The place, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for TraceError {}

impl Trace {
    /// Reads a drawing.
    pub fn parse(text: &str) -> Result<Trace, TraceError> {
        let mut states = Vec::new();
        let mut open: Option<(usize, BTreeSet<char>)> = None;
        for (index, c) in text.chars().enumerate() {
            let wrong =
                |message: &str| TraceError { column: index + 1, message: message.to_owned() };
            match (c, &mut open) {
                ('-', None) => states.push(BTreeSet::new()),
                ('(', None) => open = Some((index, BTreeSet::new())),
                (')', Some((_, letters))) if letters.is_empty() => {
                    return Err(wrong("nothing between the parentheses"));
                }
                (')', Some((_, letters))) => {
                    states.push(std::mem::take(letters));
                    open = None;
                }
                (letter, Some((_, letters))) if letter.is_alphabetic() => {
                    letters.insert(letter);
                }
                (letter, None) if letter.is_alphabetic() => states.push(BTreeSet::from([letter])),
                _ => return Err(wrong("expected `-`, a letter, or letters in parentheses")),
            }
        }
        match open {
            Some((index, _)) => {
                Err(TraceError { column: index + 1, message: "`(` is never closed".to_owned() })
            }
            None if states.is_empty() => {
                Err(TraceError { column: 1, message: "a trace has a state".to_owned() })
            }
            None => Ok(Trace { states }),
        }
    }

    /// The word, with a bit for each letter of an alphabet.
    pub fn word(&self, alphabet: &[char]) -> Lasso {
        let letters = self.states.iter().map(|state| {
            let bits = alphabet.iter().enumerate();
            bits.map(|(bit, letter)| u64::from(state.contains(letter)) << bit).sum()
        });
        Lasso::resting(letters.collect())
    }

    /// A model with this trace as its only run: a counter, and a macro for each letter.
    pub fn promela(&self) -> String {
        let mut letters: BTreeSet<char> = BTreeSet::new();
        letters.extend(self.states.iter().flatten());
        let last = self.states.len() - 1;
        let mut out = String::new();
        for letter in letters {
            let places: Vec<String> = (0..self.states.len())
                .filter(|&state| self.states[state].contains(&letter))
                .map(|state| format!("i == {state}"))
                .collect();
            out.push_str(&format!("#define {letter} ({})\n", places.join(" || ")));
        }
        out + &format!(
            "int i;\nactive proctype Trace() {{\n  do\n  :: i < {last} -> i++\n  :: else -> break\n  od\n}}\n"
        )
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for state in &self.states {
            let letters: String = state.iter().collect();
            match state.len() {
                0 => f.write_str("-")?,
                1 => f.write_str(&letters)?,
                _ => write!(f, "({letters})")?,
            }
        }
        Ok(())
    }
}
