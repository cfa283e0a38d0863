//! A chart for the terminal.

use std::fmt::Write;

use unicode_width::UnicodeWidthChar;

use super::{Chart, Event, Fate, Kind};
use crate::style::{Paint, Style, columns, pad};

/// Lines are not drawn closer to each other than this.
const CLOSEST: usize = 4;
/// Room for words beside lines that are too close for words between them.
const WORDS: usize = 24;
/// Columns of an arrow without words.
const STUB: usize = 8;

/// The signs that a chart is drawn with.
struct Glyphs {
    line: char,
    solid: char,
    dashed: char,
    cross: char,
    from_left: char,
    from_right: char,
    to_right: char,
    to_left: char,
    step: char,
    failed: char,
    waits: char,
    stays: char,
}

const UNICODE: Glyphs = Glyphs {
    line: '│',
    solid: '─',
    dashed: '╌',
    cross: '┼',
    from_left: '├',
    from_right: '┤',
    to_right: '▶',
    to_left: '◀',
    step: '●',
    failed: '✗',
    waits: '○',
    stays: '┆',
};

const ASCII: Glyphs = Glyphs {
    line: '|',
    solid: '-',
    dashed: '.',
    cross: '+',
    from_left: '|',
    from_right: '|',
    to_right: '>',
    to_left: '<',
    step: '*',
    failed: 'X',
    waits: 'o',
    stays: ':',
};

/// Appends the chart; `more` is the option that shows all of it.
pub fn render(out: &mut String, style: &Style, chart: &Chart, more: &str) {
    if chart.events.is_empty() {
        out.push_str("  (nothing to draw)\n");
        return;
    }
    let layout = Layout::fit(style, chart);
    match &layout {
        Some(layout) => layout.titles(out, style),
        None => {
            let lanes = chart.lanes.len();
            let _ = writeln!(out, "  ({lanes} processes have no room side by side)");
        }
    }
    let (cut, repeats) = (chart.cut_note(more), chart.loop_note());
    for (i, event) in chart.events.iter().enumerate() {
        if let Some((_, text)) = repeats.as_ref().filter(|(first, _)| *first == i) {
            rule(out, style, if style.ascii { ",-- " } else { "┌── " }, text);
        }
        if let Some((_, text)) = cut.as_ref().filter(|(at, _)| *at == i) {
            let _ = writeln!(out, "  ... {text}");
        }
        match &layout {
            Some(layout) => layout.event(out, style, event),
            None => listed(out, style, chart, event),
        }
    }
    if repeats.is_some() {
        rule(out, style, if style.ascii { "`-- " } else { "└── " }, "and so on");
    }
}

fn rule(out: &mut String, style: &Style, lead: &str, text: &str) {
    let text = style.clip(&format!("{lead}{text} "), style.width - 4);
    let dash = if style.ascii { "-" } else { "─" };
    let rest = dash.repeat((style.width - 2).saturating_sub(columns(&text)).min(30));
    let _ = writeln!(out, "  {}", style.paint(Paint::Faint, &format!("{text}{rest}")));
}

/// One line of words for an event, where there is no room for a drawing.
fn listed(out: &mut String, style: &Style, chart: &Chart, event: &Event) {
    let name = |lane: usize| &chart.lanes[lane];
    let words = event.words();
    let text = match event.kind {
        Kind::Pass { from, to, .. } => format!("{} -> {}  {words}", name(from), name(to)),
        Kind::Send { from, to: Some(to), .. } => {
            format!("{} -> ({})  {words}", name(from), name(to))
        }
        Kind::Send { from, to: None, .. } => format!("{} ->  {words}", name(from)),
        Kind::Receive { to, sent: Some((from, _)), .. } => {
            format!("({}) -> {}  {words}", name(from), name(to))
        }
        Kind::Receive { to, .. } => format!("-> {}  {words}", name(to)),
        Kind::Local { lane } | Kind::Waits { lane } => format!("{}  {words}", name(lane)),
    };
    let line = format!("  {:>5}  {}", event.number(), style.brief(&text));
    out.push_str(style.clip(&line, style.width).trim_end());
    out.push('\n');
}

/// Where things stand.
struct Layout {
    glyphs: &'static Glyphs,
    titles: Vec<String>,
    /// Columns of the step numbers.
    gutter: usize,
    /// Columns between two lines.
    spacing: usize,
    /// Where words stand if not at the arrows.
    words: Option<usize>,
}

impl Layout {
    /// Words at the arrows if they fit, else beside the lines; `None` if not even the lines fit.
    fn fit(style: &Style, chart: &Chart) -> Option<Layout> {
        let glyphs = if style.ascii { &ASCII } else { &UNICODE };
        let titles: Vec<String> =
            chart.lanes.iter().map(|title| style.brief(title).into_owned()).collect();
        let gutter = chart.events.iter().map(|event| event.number().len()).max().unwrap_or(0);
        let gutter = gutter.max(4) + 4;
        let last = titles.len() - 1;
        let names = titles[..last].iter().map(|title| columns(title) + 2).max().unwrap_or(0);

        // What the words at the arrows need between two lines, and behind the last one.
        let mut spacing = names.max(STUB + 2);
        let mut tail = columns(&titles[last]);
        for event in &chart.events {
            let width = columns(&style.brief(&event.words()));
            match event.kind {
                Kind::Pass { from, to, .. } => {
                    spacing = spacing.max((width + 7).div_ceil(from.abs_diff(to).max(1)));
                }
                Kind::Send { from, to, .. } => match direction(from, to) {
                    (_, Some(distance)) => spacing = spacing.max((width + 6).div_ceil(distance)),
                    _ if from == last => tail = tail.max(width + 6),
                    _ => spacing = spacing.max(width + 6),
                },
                Kind::Receive { to, sent: Some((from, _)), peek: false } if from != to => {}
                Kind::Receive { to: lane, .. } | Kind::Local { lane } | Kind::Waits { lane } => {
                    if lane == last {
                        tail = tail.max(width + 2);
                    } else {
                        spacing = spacing.max(width + 4);
                    }
                }
            }
        }
        if gutter + spacing * last + tail < style.width {
            return Some(Layout { glyphs, titles, gutter, spacing, words: None });
        }
        let room = style.width.checked_sub(gutter + 3 + WORDS)?;
        let spacing = match last {
            0 => names.max(STUB),
            _ => names.max(STUB).min(room.checked_sub(CLOSEST)? / last),
        };
        if spacing < CLOSEST {
            return None;
        }
        let words = gutter + spacing * last + spacing.max(columns(&titles[last]).min(STUB)) + 1;
        Some(Layout { glyphs, titles, gutter, spacing, words: Some(words) })
    }

    fn at(&self, lane: usize) -> usize {
        self.gutter + lane * self.spacing
    }

    fn titles(&self, out: &mut String, style: &Style) {
        let mut line = pad(&format!("  {:>width$}", "step", width = self.gutter - 4), self.gutter);
        let last = self.titles.len() - 1;
        for (lane, title) in self.titles.iter().enumerate() {
            let room = match (lane == last, self.words) {
                (true, None) => style.width - self.at(lane),
                _ => self.spacing - 1,
            };
            let title = style.clip(title, room);
            let width = if lane == last { 0 } else { self.spacing };
            line += &style.paint(Paint::Strong, &title);
            line += &" ".repeat(width.saturating_sub(columns(&title)));
        }
        out.push_str(line.trim_end());
        out.push('\n');
        self.push(out, style, &Canvas::new(self), "", false);
    }

    /// Appends a line: number, lines, words.
    fn push(&self, out: &mut String, style: &Style, canvas: &Canvas, number: &str, failed: bool) {
        let mark = if failed { ">" } else { " " };
        let head = format!("{mark} {number:>width$}", width = self.gutter - 4);
        let line = format!("{}{}", pad(&head, self.gutter), canvas.text());
        out.push_str(style.clip(line.trim_end(), style.width).trim_end());
        out.push('\n');
    }

    fn event(&self, out: &mut String, style: &Style, event: &Event) {
        let glyphs = self.glyphs;
        let words = style.brief(&event.words()).into_owned();
        let inline =
            |text: &str| if self.words.is_none() { text.to_owned() } else { String::new() };
        let mut canvas = Canvas::new(self);
        match event.kind {
            Kind::Pass { from, to, together } => {
                let dash = if together { glyphs.solid } else { glyphs.dashed };
                canvas.arrow(self, from, to, dash, &inline(&words));
            }
            Kind::Send { from, to, number, fate } => {
                let (right, _) = direction(from, to);
                let text = match self.words {
                    None => words.clone(),
                    Some(_) => format!("({number})"),
                };
                let end = match fate {
                    Fate::Received => glyphs.dashed,
                    Fate::Left => glyphs.stays,
                    Fate::Lost => glyphs.failed,
                };
                canvas.leave(self, from, right, &text, end);
            }
            Kind::Receive { to, sent: Some((from, number)), peek: false } if from != to => {
                canvas.arrive(self, to, from < to, &format!("({number})"));
            }
            Kind::Receive { to: lane, .. } | Kind::Local { lane } | Kind::Waits { lane } => {
                let sign = match event.kind {
                    _ if event.failed => glyphs.failed,
                    Kind::Waits { .. } => glyphs.waits,
                    _ => glyphs.step,
                };
                let at = self.at(lane) - self.gutter;
                canvas.put(at, sign);
                canvas.write(at + 2, &inline(&words));
            }
        }
        if let Some(at) = self.words {
            canvas.write(at - self.gutter, &words);
        }
        self.push(out, style, &canvas, &event.number(), event.failed);
    }
}

/// Whether a message leaves to the right, and how many lines away its receiver is.
fn direction(from: usize, to: Option<usize>) -> (bool, Option<usize>) {
    match to {
        Some(to) if to != from => (to > from, Some(to.abs_diff(from))),
        _ => (true, None),
    }
}

/// One line of the drawing.
struct Canvas {
    /// What each column holds: nothing where a wide character goes on.
    cells: Vec<String>,
    line: char,
    cross: char,
}

impl Canvas {
    fn new(layout: &Layout) -> Canvas {
        let glyphs = layout.glyphs;
        let mut canvas = Canvas { cells: Vec::new(), line: glyphs.line, cross: glyphs.cross };
        for lane in 0..layout.titles.len() {
            canvas.put(layout.at(lane) - layout.gutter, glyphs.line);
        }
        canvas
    }

    fn put(&mut self, at: usize, c: char) {
        if self.cells.len() <= at {
            self.cells.resize(at + 1, " ".to_owned());
        }
        self.cells[at] = c.to_string();
    }

    fn write(&mut self, mut at: usize, text: &str) {
        for c in text.chars() {
            match c.width().unwrap_or(0) {
                0 => {
                    if let Some(cell) = at.checked_sub(1).and_then(|at| self.cells.get_mut(at)) {
                        cell.push(c);
                    }
                }
                width => {
                    self.put(at, c);
                    for more in 1..width {
                        self.put(at + more, ' ');
                        self.cells[at + more].clear();
                    }
                    at += width;
                }
            }
        }
    }

    /// A stroke that goes through the lines on its way.
    fn stroke(&mut self, from: usize, to: usize, dash: char) {
        for at in from..to {
            let crossed = self.cells.get(at).is_some_and(|cell| cell.starts_with(self.line));
            self.put(at, if crossed { self.cross } else { dash });
        }
    }

    fn arrow(&mut self, layout: &Layout, from: usize, to: usize, dash: char, text: &str) {
        let (a, b) = (layout.at(from) - layout.gutter, layout.at(to) - layout.gutter);
        let (left, right) = (a.min(b), a.max(b));
        self.stroke(left + 1, right, dash);
        if from < to {
            self.put(a, layout.glyphs.from_left);
            self.put(b - 1, layout.glyphs.to_right);
        } else {
            self.put(a, layout.glyphs.from_right);
            self.put(b + 1, layout.glyphs.to_left);
        }
        if !text.is_empty() {
            let text = format!(" {text} ");
            let room = right - left - 1;
            self.write(left + 1 + room.saturating_sub(columns(&text)) / 2, &text);
        }
    }

    /// A message leaves a line: a short stroke with a text.
    fn leave(&mut self, layout: &Layout, from: usize, right: bool, text: &str, end: char) {
        let at = layout.at(from) - layout.gutter;
        let dash = layout.glyphs.dashed;
        if right {
            self.put(at, layout.glyphs.from_left);
            self.put(at + 1, dash);
            self.write(at + 2, &format!(" {text} "));
            self.put(at + 4 + columns(text), end);
        } else {
            self.put(at, layout.glyphs.from_right);
            let start = at.saturating_sub(columns(text) + 4);
            self.put(start, end);
            self.write(start + 1, &format!(" {text} "));
            self.put(at - 1, dash);
        }
    }

    /// A message arrives at a line.
    fn arrive(&mut self, layout: &Layout, to: usize, from_left: bool, text: &str) {
        let at = layout.at(to) - layout.gutter;
        let dash = layout.glyphs.dashed;
        let width = columns(text);
        if from_left {
            let start = at.saturating_sub(width + 3);
            self.write(start, text);
            self.stroke((start + width).min(at - 1), at - 1, dash);
            self.put(at - 1, layout.glyphs.to_right);
        } else {
            self.put(at + 1, layout.glyphs.to_left);
            self.put(at + 2, dash);
            self.write(at + 3, text);
        }
    }

    fn text(&self) -> String {
        self.cells.concat()
    }
}
