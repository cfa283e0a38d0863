//! A chart as a PlantUML sequence diagram.

use std::fmt::Write;

use super::{Chart, Event, Shape};
use crate::style::Style;

/// The chart as text.
pub fn render(chart: &Chart) -> String {
    let mut out = String::from("@startuml\n");
    for (i, title) in chart.lanes.iter().enumerate() {
        let _ = writeln!(out, "participant \"{}\" as p{i}", escape(title));
    }
    let (cut, repeats) = (chart.cut_note("--full"), chart.loop_note());
    for (i, event) in chart.events.iter().enumerate() {
        if let Some((_, text)) = repeats.as_ref().filter(|(first, _)| *first == i) {
            let _ = writeln!(out, "loop {}", escape(text));
        }
        if let Some((_, text)) = cut.as_ref().filter(|(at, _)| *at == i) {
            let _ = writeln!(out, "... {} ...", escape(text));
        }
        let _ = writeln!(out, "{}", line(event));
    }
    if repeats.is_some() {
        out.push_str("end\n");
    }
    out + "@enduml\n"
}

fn line(event: &Event) -> String {
    let words = escape(&event.caption());
    match event.shape() {
        Shape::Arrow { from, to, together: true } => format!("p{from} -> p{to} : {words}"),
        Shape::Arrow { from, to, together: false } => format!("p{from} ->> p{to} : {words}"),
        Shape::Note { lane } => format!("note over p{lane} : {words}"),
    }
}

/// Text in which nothing means anything to PlantUML: what might begin markup becomes a code point.
fn escape(text: &str) -> String {
    let style = Style { color: false, ascii: false, width: 80 };
    let clean: Vec<char> = style.clean(text).chars().collect();
    let mut out = String::new();
    for (i, &c) in clean.iter().enumerate() {
        let near = |at: Option<usize>| at.and_then(|at| clean.get(at)) == Some(&c);
        let doubled = near(i.checked_sub(1)) || near(Some(i + 1));
        match c {
            c if c.is_alphanumeric() || " ,:=+()!?|".contains(c) => out.push(c),
            // These are markup only in pairs.
            '.' | '-' | '*' | '/' | '_' | '[' | ']' if !doubled => out.push(c),
            c => {
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
        }
    }
    out
}
