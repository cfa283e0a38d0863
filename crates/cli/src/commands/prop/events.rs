//! Properties of events in `everypath prop show`: what an automaton or a quantified regular expression
//! accepts.

use std::fmt::Write;
use std::path::Path;

use everypath_model::Sources;
use everypath_property::events::{
    EventProperty, Mode, minimize, read_automaton, read_qre, write_fsa,
};
use everypath_verdict::Exit;

use crate::commands::formula;
use crate::complain;
use crate::input;
use crate::render::style::Style;

/// The page of a quantified regular expression.
pub fn of_qre(text: &str, style: &Style) -> Result<String, Exit> {
    let qre = read_qre(text)
        .map_err(|error| formula::refuse(style, "<qre>".into(), text, "EP1704", &error))?;
    let Some(property) = qre.property() else {
        complain("error: the automaton of the expression has too many states\n");
        return Err(Exit::Inconclusive);
    };
    Ok(format!("{qre}\n\n{}", page(&property)))
}

/// The page of an automaton in a file: DOT or our own text.
pub fn of_file(path: &Path, style: &Style) -> Result<String, Exit> {
    let mut sources = Sources::default();
    let (id, warning) = input::read(&mut sources, path).map_err(|error| {
        formula::tell(style, &sources, &error);
        Exit::Input
    })?;
    if let Some(warning) = warning {
        formula::tell(style, &sources, &warning);
    }
    let file = sources.file(id);
    let property = read_automaton(&file.text, path)
        .map_err(|error| formula::refuse(style, file.path.clone(), &file.text, "EP1704", &error))?;
    let (states, fsa) = (property.fsa.len(), minimize(&property.fsa));
    let mut out = String::new();
    if fsa.len() < states {
        let _ =
            writeln!(out, "{} of {states} states tell sequences apart; here they are:", fsa.len());
    }
    Ok(out + &page(&EventProperty { fsa, ..property }))
}

/// The automaton, and the shortest sequences that have the property and that do not.
fn page(property: &EventProperty) -> String {
    let mut out = write_fsa(property);
    let required = property.required();
    let show = |events: Option<Vec<&str>>| match events {
        None => "none".to_owned(),
        Some(events) if events.is_empty() => "the empty sequence".to_owned(),
        Some(events) => events.join(" "),
    };
    let _ = writeln!(out, "\nshortest with the property:    {}", show(required.shortest()));
    let wrong = required.complement();
    let _ = writeln!(out, "shortest without the property: {}", show(wrong.shortest()));
    if property.mode == Mode::No {
        out.push_str("The automaton accepts what must not happen.\n");
    }
    out
}
