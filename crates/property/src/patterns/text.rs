//! Patterns as they are written: `response between; P = request; S = grant; Q = open; R = close`.

use std::ops::Range;

use everypath_model::most_similar;

use super::{Pattern, Property, Scope, Set};
use crate::ltl::SyntaxError;

/// A pattern with the texts of its roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternText {
    /// The pattern and its scope.
    pub property: Property,
    /// The letter of each role, and where its text stands.
    pub roles: Vec<(char, Range<usize>)>,
}

const FORM: &str = "it is written as: response between; P = ...; S = ...; Q = ...; R = ...";

/// Reads a pattern; every role that it has is there once.
pub fn read_pattern(text: &str) -> Result<PatternText, SyntaxError> {
    let mut items = Vec::new();
    let mut from = 0;
    for item in text.split(';') {
        let blank = item.len() - item.trim_start().len();
        if !item.trim().is_empty() {
            items.push(from + blank..from + blank + item.trim().len());
        }
        from += item.len() + 1;
    }
    let mut items = items.into_iter();
    let head = items.next().unwrap_or(0..0);
    let mut words = text[head.clone()].split_whitespace();
    let wrong = |place: &Range<usize>, message: String, hint: String| {
        Err(SyntaxError::new(place.clone(), message).hint(hint))
    };
    let name = words.next().unwrap_or("");
    let Some(pattern) = Pattern::of_name(name) else {
        let message = format!("there is no pattern `{name}`");
        return wrong(&head, message, near(name, &Pattern::ALL.map(Pattern::name)));
    };
    let scope_name = words.next().unwrap_or("global");
    let Some(scope) = Scope::of_name(scope_name) else {
        let message = format!("there is no scope `{scope_name}`");
        return wrong(&head, message, near(scope_name, &Scope::ALL.map(Scope::name)));
    };
    if let Some(more) = words.next() {
        return wrong(&head, format!("`{more}` is not expected here"), FORM.to_owned());
    }
    let property = Property { pattern, scope, set: Set::default() };
    let wanted = property.roles();
    let mut roles: Vec<(char, Range<usize>)> = Vec::new();
    for place in items {
        let item = &text[place.clone()];
        let (role, value) = item.split_once('=').unwrap_or((item, ""));
        let letter = role.trim().chars().next().unwrap_or(' ').to_ascii_uppercase();
        let one = role.trim().chars().count() == 1;
        if !one || !wanted.contains(&letter) || value.trim().is_empty() {
            let has: Vec<String> = wanted.iter().map(char::to_string).collect();
            let help = format!("{name} in the scope {scope_name} has {}", has.join(", "));
            return wrong(&place, format!("`{item}` is none of its parts"), help);
        }
        if roles.iter().any(|(known, _)| *known == letter) {
            return wrong(&place, format!("{letter} is there already"), FORM.to_owned());
        }
        roles.push((letter, place.end - value.trim_start().len()..place.end));
    }
    match wanted.iter().find(|role| roles.iter().all(|(known, _)| known != *role)) {
        Some(missing) => {
            wrong(&(text.len()..text.len()), format!("{missing} is missing"), FORM.to_owned())
        }
        None => Ok(PatternText { property, roles }),
    }
}

fn near(name: &str, names: &[&str]) -> String {
    match most_similar(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", names.join(", ")),
    }
}
