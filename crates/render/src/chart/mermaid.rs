//! A chart as a Mermaid `sequenceDiagram`.

use std::fmt::Write;

use super::{Chart, Event, Shape};
use crate::style::Style;

/// The chart as text.
pub fn render(chart: &Chart) -> String {
    let mut out = String::from("sequenceDiagram\n");
    for (i, title) in chart.lanes.iter().enumerate() {
        let _ = writeln!(out, "    participant p{i} as {}", escape(title));
    }
    let (cut, repeats) = (chart.cut_note("--full"), chart.loop_note());
    for (i, event) in chart.events.iter().enumerate() {
        if let Some((_, text)) = repeats.as_ref().filter(|(first, _)| *first == i) {
            let _ = writeln!(out, "    loop {}", escape(text));
        }
        if let Some((_, text)) = cut.as_ref().filter(|(at, _)| *at == i) {
            let _ = writeln!(out, "    Note over p0: {}", escape(text));
        }
        let _ = writeln!(out, "    {}", line(event));
    }
    if repeats.is_some() {
        out.push_str("    end\n");
    }
    out
}

fn line(event: &Event) -> String {
    let words = escape(&event.caption());
    match event.shape() {
        Shape::Arrow { from, to, together: true } => format!("p{from}->>p{to}: {words}"),
        Shape::Arrow { from, to, together: false } => format!("p{from}-)p{to}: {words}"),
        Shape::Note { lane } => format!("Note over p{lane}: {words}"),
    }
}

/// Text in which nothing means anything to Mermaid: all but plain characters become entities.
fn escape(text: &str) -> String {
    let style = Style { color: false, ascii: false, width: 80 };
    let mut out = String::new();
    for c in style.clean(text).chars() {
        match c {
            c if c.is_alphanumeric() || " _.,:=+-*/()[]!?|".contains(c) => out.push(c),
            c => {
                let _ = write!(out, "#{};", u32::from(c));
            }
        }
    }
    out
}
