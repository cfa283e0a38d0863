//! An automaton as a picture: one SVG without scripts, readable on light and on dark pages.

use std::fmt::Write;

use super::layout::{LETTER, RADIUS, ROW, layout};
use super::{edge_text, on_states};
use crate::ltl::Spelling;
use crate::tgba::{Automaton, Labels};

const STYLE: &str = "\
text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: #1b2430; text-anchor: middle; }
.page { fill: #ffffff; }
.title { font-size: 14px; font-weight: 600; text-anchor: start; }
.state { fill: #eef2f8; stroke: #8893a5; stroke-width: 1.5; }
.ring { fill: none; stroke: #8893a5; stroke-width: 1.5; }
.edge { stroke: #1d5fbf; stroke-width: 1.5; fill: none; }
.tip { fill: #1d5fbf; }
.label { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) {
text { fill: #e4e8ef; }
.page { fill: #12161d; }
.state { fill: #202836; stroke: #66728a; }
.ring { stroke: #66728a; }
.edge { stroke: #7db2ff; }
.tip { fill: #7db2ff; }
.label { stroke: #12161d; }
}
";

/// States, at most: nobody reads a larger picture.
const MOST_STATES: usize = 300;

/// The picture; `None` for automata that are too large for one.
pub fn svg(automaton: &Automaton, title: &str) -> Option<String> {
    if automaton.len() > MOST_STATES {
        return None;
    }
    let on_states = on_states(automaton);
    let mut labels = Labels::new(automaton, Spelling::Any);
    let picture = layout(automaton, &mut |state, index| {
        edge_text(automaton, &mut labels, &automaton.edges[state][index], on_states)
    });
    let head = 40.0;
    let wide = title.chars().count() as f64 * (LETTER + 1.6) + 60.0;
    let (width, height) = (picture.width.max(wide).ceil(), (picture.height + head).ceil());
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n"
    );
    let _ = writeln!(out, "<title>{}</title>\n<style>\n{STYLE}</style>", escape(title));
    out.push_str(
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto\"><path class=\"tip\" d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n",
    );
    let _ = writeln!(out, "<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>");
    let _ = writeln!(out, "<text class=\"title\" x=\"24\" y=\"26\">{}</text>", escape(title));
    let _ = writeln!(out, "<g transform=\"translate(0 {head})\">");
    if let Some(&(x, y)) = picture.states.get(automaton.initial) {
        let (from, to) = (x - RADIUS - 30.0, x - RADIUS - 3.0);
        let _ = writeln!(
            out,
            "<path class=\"edge\" d=\"M{from:.1},{y:.1} L{to:.1},{y:.1}\" marker-end=\"url(#tip)\"/>"
        );
    }
    for line in &picture.lines {
        let [a, b, c, d] = line.curve.map(|(x, y)| format!("{x:.1},{y:.1}"));
        let _ = writeln!(
            out,
            "<path class=\"edge\" d=\"M{a} C{b} {c} {d}\" marker-end=\"url(#tip)\"/>"
        );
    }
    for (state, (x, y)) in picture.states.iter().enumerate() {
        let _ =
            writeln!(out, "<circle class=\"state\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>");
        if on_states && automaton.marks > 0 && automaton.is_accepting(state) {
            let inner = RADIUS - 4.0;
            let _ =
                writeln!(out, "<circle class=\"ring\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{inner}\"/>");
        }
        let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{:.1}\">{state}</text>", y + 4.0);
    }
    for line in &picture.lines {
        for (row, label) in line.labels.iter().enumerate() {
            let (x, y) = (line.text.0, line.text.1 + row as f64 * ROW);
            let _ = writeln!(
                out,
                "<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\"><title>{} to {}</title>{}</text>",
                line.from,
                line.to,
                escape(label)
            );
        }
    }
    out.push_str("</g>\n</svg>\n");
    Some(out)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
