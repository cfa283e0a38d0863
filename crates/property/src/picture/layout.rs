//! Where states and edges lie in a picture: layers by the distance from the initial state.

use std::collections::{BTreeMap, VecDeque};

use crate::tgba::Automaton;

/// A point of the picture.
pub(super) type Point = (f64, f64);

/// All edges between two states, drawn as one line.
pub(super) struct Line {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The texts of the edges.
    pub(super) labels: Vec<String>,
    /// The control points of the curve, or of the loop.
    pub(super) curve: [Point; 4],
    /// Where the middle of the texts is.
    pub(super) text: Point,
}

/// The picture of an automaton.
pub(super) struct Layout {
    pub(super) states: Vec<Point>,
    pub(super) lines: Vec<Line>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The radius of a state.
pub(super) const RADIUS: f64 = 20.0;
/// The height of a line of text.
pub(super) const ROW: f64 = 15.0;
/// The width of a letter.
pub(super) const LETTER: f64 = 6.8;
const MARGIN: f64 = 30.0;
/// The least distance between layers, and between the states of a layer.
const SPACING: (f64, f64) = (110.0, 120.0);

pub(super) fn layout(
    automaton: &Automaton,
    text: &mut dyn FnMut(usize, usize) -> String,
) -> Layout {
    let mut bundles: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    for (state, edges) in automaton.edges.iter().enumerate() {
        for (index, edge) in edges.iter().enumerate() {
            bundles.entry((state, edge.target)).or_default().push(text(state, index));
        }
    }
    let layers = layers(automaton);
    let depth = layers.iter().max().map_or(0, |&layer| layer + 1);
    // A gap is as wide as the longest text in it; loops need room on both sides.
    let longest = |labels: &[String]| {
        labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) as f64 * LETTER
    };
    let mut gap = vec![SPACING.0; depth];
    let mut beside = vec![0.0f64; depth];
    for (&(from, to), labels) in &bundles {
        let (low, high) = (layers[from].min(layers[to]), layers[from].max(layers[to]));
        if from == to {
            beside[low] = beside[low].max(longest(labels) / 2.0 - RADIUS);
        } else if low == high {
            beside[low] = beside[low].max(longest(labels));
        } else {
            let width = longest(labels) + 2.0 * RADIUS + 24.0;
            gap[low] = gap[low].max(width / (high - low) as f64);
        }
    }
    for layer in 0..depth {
        gap[layer] += beside[layer] + beside.get(layer + 1).copied().unwrap_or(0.0);
    }
    let mut x = vec![MARGIN + RADIUS + 40.0 + beside[0]; depth];
    for layer in 1..depth {
        x[layer] = x[layer - 1] + gap[layer - 1];
    }
    let mut members = vec![Vec::new(); depth];
    for (state, &layer) in layers.iter().enumerate() {
        members[layer].push(state);
    }
    let tallest = members.iter().map(Vec::len).max().unwrap_or(1);
    let loops = bundles.iter().filter(|((from, to), _)| from == to);
    let rows = loops.map(|(_, labels)| labels.len()).max().unwrap_or(0) as f64;
    let spacing = SPACING.1 + rows * ROW;
    let middle = MARGIN + rows * ROW + 70.0 + (tallest - 1) as f64 * spacing / 2.0;
    let mut states = vec![(0.0, 0.0); automaton.len()];
    for (layer, list) in members.iter().enumerate() {
        let top = middle - (list.len() as f64 - 1.0) * spacing / 2.0;
        for (index, &state) in list.iter().enumerate() {
            states[state] = (x[layer], top + index as f64 * spacing);
        }
    }
    let mut deepest = middle + (tallest - 1) as f64 * spacing / 2.0 + RADIUS;
    let mut right = x.last().copied().unwrap_or(0.0) + RADIUS;
    let mut lines = Vec::new();
    for (&(from, to), labels) in &bundles {
        let twin = bundles.contains_key(&(to, from));
        let span = layers[to] as f64 - layers[from] as f64;
        let (curve, text) = match from == to {
            true => looped(states[from], labels.len()),
            false => {
                let (curve, mut text) =
                    curved(states[from], states[to], bend(span, twin), labels.len());
                if span == 0.0 {
                    // Beside the line, on the side to which it bends.
                    let side = if text.0 < states[from].0 { -1.0 } else { 1.0 };
                    text.0 += side * (longest(labels) / 2.0 + 10.0);
                }
                (curve, text)
            }
        };
        deepest = deepest.max(text.1 + labels.len() as f64 * ROW);
        right = right.max(text.0 + longest(labels) / 2.0);
        lines.push(Line { from, to, labels: labels.clone(), curve, text });
    }
    Layout { states, lines, width: right + MARGIN, height: deepest + MARGIN }
}

/// How far a line leaves the straight one: not at all for single steps, more for longer ways.
fn bend(span: f64, twin: bool) -> f64 {
    match span {
        s if s == 1.0 && !twin => 0.0,
        s if s.abs() <= 1.0 => 26.0,
        s => 30.0 * s.abs(),
    }
}

fn layers(automaton: &Automaton) -> Vec<usize> {
    let mut layer = vec![usize::MAX; automaton.len()];
    layer[automaton.initial] = 0;
    let mut queue = VecDeque::from([automaton.initial]);
    while let Some(state) = queue.pop_front() {
        for edge in &automaton.edges[state] {
            if layer[edge.target] == usize::MAX {
                layer[edge.target] = layer[state] + 1;
                queue.push_back(edge.target);
            }
        }
    }
    // What cannot be reached is drawn at the left.
    layer.into_iter().map(|layer| if layer == usize::MAX { 0 } else { layer }).collect()
}

fn looped((x, y): Point, rows: usize) -> ([Point; 4], Point) {
    let (a, b) = ((x - 9.0, y - RADIUS + 2.0), (x + 9.0, y - RADIUS + 2.0));
    let top = y - RADIUS - 42.0;
    let text = (x, top - (rows as f64 - 1.0) * ROW + 6.0);
    ([a, (x - 26.0, top), (x + 26.0, top), b], text)
}

fn curved(from: Point, to: Point, bend: f64, rows: usize) -> ([Point; 4], Point) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    // To the left of the direction, so that the two ways between two states do not meet.
    let normal = (dy / length, -dx / length);
    let control =
        |part: f64| (from.0 + dx * part + normal.0 * bend, from.1 + dy * part + normal.1 * bend);
    let (c1, c2) = (control(0.3), control(0.7));
    let shorten = |end: Point, towards: Point, by: f64| {
        let (dx, dy) = (towards.0 - end.0, towards.1 - end.1);
        let length = dx.hypot(dy).max(1.0);
        (end.0 + dx / length * by, end.1 + dy / length * by)
    };
    let (start, end) = (shorten(from, c1, RADIUS), shorten(to, c2, RADIUS + 3.0));
    let middle = control(0.5);
    let lift = if normal.1 <= 0.0 { -6.0 - (rows as f64 - 1.0) * ROW } else { 14.0 };
    let text = (middle.0 - normal.0 * bend * 0.25, middle.1 - normal.1 * bend * 0.25 + lift);
    ([start, c1, c2, end], text)
}
