//! Pictures without other programs: one SVG, each procedure in a column of its own, nodes in layers by their distance
//! from where it begins.

use std::collections::VecDeque;
use std::fmt::Write;

use crate::graph::{Op, Procedure, Program};
use crate::write::op;

const STYLE: &str = "\
text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: #1b2430; text-anchor: middle; }
.page { fill: #ffffff; }
.name { font-weight: 600; text-anchor: start; }
.node { fill: #eef2f8; stroke: #8893a5; stroke-width: 1.5; }
.event { fill: #fdf1d8; }
.first { stroke-width: 3; }
.edge { stroke: #1d5fbf; stroke-width: 1.5; fill: none; }
.raise { stroke-dasharray: 5 3; }
.tip { fill: #1d5fbf; }
@media (prefers-color-scheme: dark) {
text { fill: #e4e8ef; }
.page { fill: #12161d; }
.node { fill: #202836; stroke: #66728a; }
.event { fill: #40361c; }
.edge { stroke: #7db2ff; }
.tip { fill: #7db2ff; }
}
";

/// Nodes, at most: nobody reads a larger picture.
const MOST_NODES: usize = 2_000;
const LETTER: f64 = 7.4;
const ROW: f64 = 46.0;
const HEIGHT: f64 = 24.0;
const GAP: f64 = 28.0;
const MARGIN: f64 = 24.0;

/// All procedures side by side; `None` for programs that are too large for a picture.
pub fn write_svg(program: &Program) -> Option<String> {
    let count: usize = program.procedures.iter().map(|procedure| procedure.nodes.len()).sum();
    if count > MOST_NODES {
        return None;
    }
    let mut body = String::new();
    let (mut left, mut lowest) = (MARGIN, 0f64);
    for procedure in &program.procedures {
        let column = Column::new(program, procedure, left);
        column.draw(procedure, &mut body);
        left = column.right + 2.0 * GAP;
        lowest = lowest.max(column.bottom);
    }
    let (width, height) = ((left - GAP).max(2.0 * MARGIN).ceil(), (lowest + MARGIN).ceil());
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>flow graph</title>\n<style>\n{STYLE}</style>\n"
    );
    out.push_str(
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto\"><path class=\"tip\" d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n",
    );
    let _ = writeln!(out, "<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>");
    out += &body;
    out.push_str("</svg>\n");
    Some(out)
}

/// Where the nodes of a procedure lie.
struct Column {
    /// The middle of each node, and half of its width.
    places: Vec<(f64, f64, f64)>,
    texts: Vec<String>,
    title: String,
    left: f64,
    right: f64,
    bottom: f64,
}

impl Column {
    fn new(program: &Program, procedure: &Procedure, left: f64) -> Column {
        let text = |op_of: &Op| match op_of {
            Op::Nothing => String::new(),
            other => op(program, other),
        };
        let texts: Vec<String> = procedure.nodes.iter().map(|node| text(&node.op)).collect();
        let half =
            |node: usize| (texts[node].chars().count() as f64 * LETTER + 16.0).max(24.0) / 2.0;
        let layers = layers(procedure);
        let depth = layers.iter().max().map_or(0, |layer| layer + 1);
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); depth];
        for (node, &layer) in layers.iter().enumerate() {
            members[layer].push(node);
        }
        order(procedure, &mut members, &layers);
        let wide = |list: &[usize]| -> f64 {
            list.iter().map(|&node| 2.0 * half(node)).sum::<f64>()
                + GAP * list.len().saturating_sub(1) as f64
        };
        let title = match procedure.parameters.is_empty() {
            true => procedure.name.clone(),
            false => format!("{}({})", procedure.name, procedure.parameters.join(", ")),
        };
        let widest = members.iter().map(|list| wide(list)).fold(0.0, f64::max);
        // Ways back go around at the right.
        let width = (widest + 2.0 * GAP).max(title.chars().count() as f64 * LETTER);
        let mut places = vec![(0.0, 0.0, 0.0); procedure.nodes.len()];
        for (layer, list) in members.iter().enumerate() {
            let mut x = left + (widest - wide(list)) / 2.0;
            for &node in list {
                let y = MARGIN + ROW + layer as f64 * ROW;
                places[node] = (x + half(node), y, half(node));
                x += 2.0 * half(node) + GAP;
            }
        }
        let bottom = MARGIN + ROW * (depth as f64 + 0.5);
        Column { places, texts, title, left, right: left + width, bottom }
    }

    fn draw(&self, procedure: &Procedure, out: &mut String) {
        let (x, y) = (self.left, MARGIN + 6.0);
        let _ = writeln!(
            out,
            "<text class=\"name\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            escape(&self.title)
        );
        for (from, node) in procedure.nodes.iter().enumerate() {
            let raised = node.handlers.iter().map(|&to| (to, " raise"));
            for (to, class) in node.next.iter().map(|&to| (to, "")).chain(raised) {
                let path = self.way(from, to);
                let _ = writeln!(
                    out,
                    "<path class=\"edge{class}\" d=\"{path}\" marker-end=\"url(#tip)\"/>"
                );
            }
        }
        for (index, node) in procedure.nodes.iter().enumerate() {
            let (x, y, half) = self.places[index];
            let event = matches!(node.op, Op::Event(_) | Op::Send(_) | Op::Accept(_));
            let event = if event { " event" } else { "" };
            let first = if index == procedure.entry { " first" } else { "" };
            let _ = writeln!(
                out,
                "<rect class=\"node{event}{first}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{HEIGHT}\" rx=\"5\"/>",
                x - half,
                y - HEIGHT / 2.0,
                2.0 * half
            );
            if !self.texts[index].is_empty() {
                let text = escape(&self.texts[index]);
                let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{:.1}\">{text}</text>", y + 4.0);
            }
        }
    }

    /// A line from one node to another: down to the next layer, else around what lies between.
    fn way(&self, from: usize, to: usize) -> String {
        let ((x1, y1, half1), (x2, y2, half2)) = (self.places[from], self.places[to]);
        let down = y2 - y1;
        if down > 0.0 {
            let (top, end) = (y1 + HEIGHT / 2.0, y2 - HEIGHT / 2.0 - 2.0);
            let bend = if down > ROW * 1.5 { 30.0 } else { 0.0 };
            let third = (end - top) / 3.0;
            return format!(
                "M{x1:.1},{top:.1} C{:.1},{:.1} {:.1},{:.1} {x2:.1},{end:.1}",
                x1 - bend,
                top + third,
                x2 - bend,
                end - third
            );
        }
        let (start, end) = (x1 + half1, x2 + half2 + 2.0);
        let out = start.max(end) + GAP + (y1 - y2) / 12.0;
        format!("M{start:.1},{y1:.1} C{out:.1},{y1:.1} {out:.1},{y2:.1} {end:.1},{y2:.1}")
    }
}

/// The distance of each node from the first one; what cannot be reached stands beside it.
fn layers(procedure: &Procedure) -> Vec<usize> {
    let mut layer = vec![usize::MAX; procedure.nodes.len()];
    if let Some(first) = layer.get_mut(procedure.entry) {
        *first = 0;
    }
    let mut queue = VecDeque::from([procedure.entry]);
    while let Some(node) = queue.pop_front() {
        let Some(of) = procedure.nodes.get(node) else { continue };
        for &next in of.next.iter().chain(&of.handlers) {
            if layer[next] == usize::MAX {
                layer[next] = layer[node] + 1;
                queue.push_back(next);
            }
        }
    }
    layer.into_iter().map(|layer| if layer == usize::MAX { 0 } else { layer }).collect()
}

/// Puts the nodes of each layer in the order of those that lead to them, so that fewer lines cross.
fn order(procedure: &Procedure, members: &mut [Vec<usize>], layers: &[usize]) {
    let mut place = vec![0.0; procedure.nodes.len()];
    for (layer, nodes) in members.iter_mut().enumerate() {
        let mut list: Vec<(f64, usize)> = nodes
            .iter()
            .map(|&node| {
                let before = procedure
                    .nodes
                    .iter()
                    .enumerate()
                    .filter(|(from, of)| layers[*from] + 1 == layer && of.next.contains(&node));
                let places: Vec<f64> = before.map(|(from, _)| place[from]).collect();
                (places.iter().sum::<f64>() / places.len().max(1) as f64, node)
            })
            .collect();
        list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (index, &(_, node)) in list.iter().enumerate() {
            place[node] = index as f64;
        }
        *nodes = list.into_iter().map(|(_, node)| node).collect();
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
