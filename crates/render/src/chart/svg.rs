//! A chart as a picture: one SVG without scripts, readable on light and on dark pages.

use std::fmt::Write;

use super::{Chart, Event, Fate, Kind};
use crate::style::{Style, columns};

/// Height of an event.
const ROW: usize = 36;
/// Where the lines begin.
const TOP: usize = 92;
/// Room at the left, for step numbers.
const LEFT: usize = 60;
/// Room at the right and at the bottom.
const MARGIN: usize = 24;
/// Width of a letter.
const LETTER: usize = 7;
/// A long title makes a narrow picture this wide.
const NARROW: usize = 900;
/// The least and the greatest distance between two lines.
const SPACING: (usize, usize) = (130, 340);

const STYLE: &str = "\
text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: #1b2430; }
.page { fill: #ffffff; }
.title { font-size: 14px; font-weight: 600; }
.faint { fill: #667085; }
.lane { stroke: #b4bcc9; stroke-width: 1; }
.head { fill: #eef2f8; stroke: #8893a5; }
.step { fill: #ffffff; stroke: #8893a5; }
.arrow { stroke: #1d5fbf; stroke-width: 1.5; fill: none; }
.buffered { stroke-dasharray: 5 3; }
.tip { fill: #1d5fbf; }
.label { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }
.failed .step { fill: #fde8e8; stroke: #c0262d; stroke-width: 2; }
.failed text { fill: #a01218; font-weight: 600; }
.waits .step { fill: #fff5dc; stroke: #b7791f; }
.loop { fill: none; stroke: #7a5ac8; stroke-dasharray: 2 3; }
.loop-title { fill: #6941c6; }
@media (prefers-color-scheme: dark) {
text { fill: #e4e8ef; }
.page { fill: #12161d; }
.faint { fill: #98a2b3; }
.lane { stroke: #475163; }
.head { fill: #202836; stroke: #66728a; }
.step { fill: #181e28; stroke: #66728a; }
.arrow { stroke: #7db2ff; }
.tip { fill: #7db2ff; }
.label { stroke: #12161d; }
.failed .step { fill: #401a1d; stroke: #ff7a80; }
.failed text { fill: #ffb3b6; }
.waits .step { fill: #3a2e12; stroke: #e0b04b; }
.loop { stroke: #b49cf5; }
.loop-title { fill: #c9b8fb; }
}
";

/// The chart with a title.
pub fn render(chart: &Chart, title: &str) -> String {
    let picture = Picture::new(chart);
    let lanes = LEFT + picture.spacing * chart.lanes.len() + MARGIN;
    let width = lanes.max((columns(title) * (LETTER + 2) + 2 * MARGIN).min(NARROW));
    let rows = chart.events.len() + usize::from(chart.left_out.is_some());
    let bottom = TOP + ROW * (rows + 1);
    let height = bottom + MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n"
    );
    let _ = writeln!(out, "<title>{}</title>", escape(title));
    let _ = writeln!(out, "<style>\n{STYLE}</style>");
    let _ = writeln!(out, "<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>");
    let room = (width - 2 * MARGIN) / (LETTER + 2);
    let _ = writeln!(
        out,
        "<text class=\"title\" x=\"{MARGIN}\" y=\"30\">{}</text>",
        escape(&clip(title, room))
    );
    for (lane, name) in chart.lanes.iter().enumerate() {
        let x = picture.x(lane);
        let box_width = picture.spacing - 20;
        let _ = write!(out, "<g>{}", tooltip(&[name]));
        let _ = write!(
            out,
            "<line class=\"lane\" x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{bottom}\"/>",
            TOP - 16
        );
        let _ = write!(
            out,
            "<rect class=\"head\" x=\"{}\" y=\"{}\" width=\"{box_width}\" height=\"28\" rx=\"4\"/>",
            x - box_width / 2,
            TOP - 44
        );
        let name = clip(name, box_width / LETTER - 1);
        let _ = writeln!(out, "{}</g>", centred(x, TOP - 26, &name));
    }
    picture.repeats(&mut out, width, bottom);
    for (i, event) in chart.events.iter().enumerate() {
        picture.event(&mut out, i, event);
    }
    if let Some((at, text)) = chart.cut_note("--full") {
        let y = TOP + ROW * at + ROW / 2;
        let _ = writeln!(
            out,
            "<text class=\"faint\" x=\"{}\" y=\"{y}\">... {}</text>",
            LEFT,
            escape(&text)
        );
    }
    out + "</svg>\n"
}

struct Picture<'a> {
    chart: &'a Chart,
    spacing: usize,
    /// For each numbered message, the event that takes it.
    takers: Vec<Option<usize>>,
}

impl Picture<'_> {
    fn new(chart: &Chart) -> Picture<'_> {
        let mut spacing = SPACING.0;
        let mut takers = Vec::new();
        for (i, event) in chart.events.iter().enumerate() {
            let words = columns(&event.words()) * LETTER;
            spacing = spacing.max(match event.kind {
                Kind::Pass { from, to, .. } => (words + 44) / from.abs_diff(to).max(1),
                _ => words + 44,
            });
            if let Kind::Receive { sent: Some((_, number)), peek: false, .. } = event.kind {
                if takers.len() <= number {
                    takers.resize(number + 1, None);
                }
                takers[number] = Some(i);
            }
        }
        Picture { chart, spacing: spacing.min(SPACING.1), takers }
    }

    fn x(&self, lane: usize) -> usize {
        LEFT + self.spacing / 2 + lane * self.spacing
    }

    fn y(&self, event: usize) -> usize {
        let after_cut = self.chart.left_out.is_some_and(|(at, _)| event >= at);
        TOP + ROW * (event + usize::from(after_cut)) + ROW / 2
    }

    fn event(&self, out: &mut String, index: usize, event: &Event) {
        let y = self.y(index);
        let class = match event.kind {
            _ if event.failed => "failed",
            Kind::Waits { .. } => "waits",
            _ => "event",
        };
        let words = event.words();
        let details = [&words[..], &event.place];
        let shown = if event.place.is_empty() { &details[..1] } else { &details[..] };
        let _ = write!(out, "<g class=\"{class}\">{}", tooltip(shown));
        let _ = write!(
            out,
            "<text class=\"faint\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            LEFT - 12,
            y + 4,
            event.number()
        );
        match event.kind {
            Kind::Pass { from, to, together } => {
                let (a, b) = (self.x(from), self.x(to));
                let class = if together { "arrow" } else { "arrow buffered" };
                arrow(out, class, (a, y), (b, y));
                let room = (a.abs_diff(b) - 20) / LETTER;
                out.push_str(&label((a + b) / 2, y - 6, "middle", &clip(&event.label, room)));
            }
            Kind::Send { from, to, number, fate } => {
                self.send(out, event, (from, to, number, fate), y)
            }
            Kind::Receive { to, sent: Some((from, number)), peek: false } if from != to => {
                // The arrow was drawn where the message was sent, unless that was left out.
                let sent =
                    self.chart.events.iter().any(
                        |event| matches!(event.kind, Kind::Send { number: n, .. } if n == number),
                    );
                if !sent {
                    let x = self.x(to);
                    let start = if from < to { x - self.spacing / 2 } else { x + self.spacing / 2 };
                    arrow(out, "arrow buffered", (start, y), (x, y));
                    let anchor = if from < to { "end" } else { "start" };
                    out.push_str(&label(start, y - 6, anchor, &clip(&event.label, 30)));
                }
            }
            Kind::Receive { to: lane, .. } | Kind::Local { lane } | Kind::Waits { lane } => {
                self.step(out, self.x(lane), y, &event.words());
            }
        }
        out.push_str("</g>\n");
    }

    fn send(
        &self,
        out: &mut String,
        event: &Event,
        (from, to, number, fate): (usize, Option<usize>, usize, Fate),
        y: usize,
    ) {
        let x = self.x(from);
        let taker = self.takers.get(number).copied().flatten();
        let room = (self.spacing - 20) / LETTER;
        match (to.filter(|&to| to != from), taker) {
            (Some(to), Some(taker)) => {
                arrow(out, "arrow buffered", (x, y), (self.x(to), self.y(taker)));
                let (at, anchor) = if to > from { (x + 10, "start") } else { (x - 10, "end") };
                out.push_str(&label(at, y - 6, anchor, &clip(&event.label, room)));
            }
            _ => {
                let end = x + self.spacing / 2 - 10;
                arrow(out, "arrow buffered", (x, y), (end, y));
                let note = match fate {
                    Fate::Received => "",
                    Fate::Left => " (stays)",
                    Fate::Lost => " (lost)",
                };
                let words = format!("{}{note}", clip(&event.label, room.saturating_sub(8)));
                out.push_str(&label(x + 10, y - 6, "start", &words));
            }
        }
    }

    /// A box on a line.
    fn step(&self, out: &mut String, x: usize, y: usize, text: &str) {
        let text = clip(text, (self.spacing - 26) / LETTER);
        let width = columns(&text) * LETTER + 14;
        let _ = write!(
            out,
            "<rect class=\"step\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"22\" rx=\"3\"/>",
            x - width / 2,
            y - 11
        );
        out.push_str(&centred(x, y + 4, &text));
    }

    /// The frame around what repeats for ever.
    fn repeats(&self, out: &mut String, width: usize, bottom: usize) {
        let Some((first, text)) = self.chart.loop_note() else { return };
        let top = self.y(first) - ROW / 2 - 2;
        let _ = writeln!(
            out,
            "<rect class=\"loop\" x=\"8\" y=\"{top}\" width=\"{}\" height=\"{}\" rx=\"6\"/>\
             <text class=\"loop-title\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            width - 16,
            bottom - top - 8,
            width - 16,
            bottom - 16,
            escape(&text)
        );
    }
}

/// A line with a tip.
fn arrow(out: &mut String, class: &str, (x1, y1): (usize, usize), (x2, y2): (usize, usize)) {
    let _ =
        write!(out, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    let (dx, dy) = (x2 as f64 - x1 as f64, y2 as f64 - y1 as f64);
    let length = (dx * dx + dy * dy).sqrt().max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let point = |back: f64, side: f64| {
        let (x, y) = (x2 as f64 - back * ux - side * uy, y2 as f64 - back * uy + side * ux);
        format!("{x:.1},{y:.1}")
    };
    let _ = write!(
        out,
        "<polygon class=\"tip\" points=\"{} {} {}\"/>",
        point(0.0, 0.0),
        point(9.0, 4.0),
        point(9.0, -4.0)
    );
}

fn label(x: usize, y: usize, anchor: &str, text: &str) -> String {
    let text = escape(text);
    format!("<text class=\"label\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>")
}

fn centred(x: usize, y: usize, text: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", escape(text))
}

fn tooltip(lines: &[&str]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| escape(line)).collect();
    format!("<title>{}</title>", lines.join("\n"))
}

fn clip(text: &str, width: usize) -> String {
    let style = Style { color: false, ascii: false, width: 80 };
    style.clip(&style.brief(text), width)
}

/// Text in which nothing means anything to XML.
fn escape(text: &str) -> String {
    let style = Style { color: false, ascii: false, width: 80 };
    let mut out = String::new();
    for c in style.brief(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Two code points that XML does not know.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
