//! Types as text, in their smallest form.

use std::collections::HashMap;

use super::graph::{Graph, Kind, NodeId};
use crate::ast::Model;

/// The classes of equal types among the nodes that can be reached from some.
///
/// Partition refinement: nodes are told apart by their kind, then by the classes of their parts,
/// until nothing changes. Two nodes in one class unfold to the same infinite tree.
pub(super) fn classes(graph: &Graph, roots: &[NodeId]) -> HashMap<NodeId, usize> {
    let mut nodes = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut stack: Vec<NodeId> = roots.iter().map(|&id| graph.find(id)).collect();
    while let Some(id) = stack.pop() {
        if seen.insert(id) {
            nodes.push(id);
            stack.extend(parts(graph, id));
        }
    }
    let mut block: HashMap<NodeId, usize> = nodes.iter().map(|&id| (id, 0)).collect();
    let mut count = usize::from(!nodes.is_empty());
    loop {
        let mut keys = HashMap::new();
        let mut next = HashMap::new();
        for &id in &nodes {
            let parts: Vec<usize> = parts(graph, id).iter().map(|part| block[part]).collect();
            let label = match graph.kind(id) {
                // Two unknown types may turn out different.
                Kind::Var => format!("?{}", id.0),
                Kind::Chan(_) => "chan".to_owned(),
                Kind::Tuple(_) => "tuple".to_owned(),
                Kind::Base(base) => format!("{base:?}"),
            };
            let fresh = keys.len();
            next.insert(id, *keys.entry((label, parts)).or_insert(fresh));
        }
        let refined = keys.len();
        block = next;
        if refined == count {
            return block;
        }
        count = refined;
    }
}

/// The parts of a type, as representatives.
fn parts(graph: &Graph, id: NodeId) -> Vec<NodeId> {
    match graph.kind(id) {
        Kind::Var | Kind::Base(_) => Vec::new(),
        Kind::Chan(tuple) => vec![graph.find(*tuple)],
        Kind::Tuple(fields) => fields.iter().map(|&field| graph.find(field)).collect(),
    }
}

/// Writes types.
pub(super) struct Writer<'a> {
    pub model: &'a Model,
    pub graph: &'a Graph,
    /// What is known of fields that no declaration gives a type.
    pub inferred: &'a HashMap<NodeId, String>,
}

/// How many parts of a type are written; `...` stands for the rest.
const MAX_PARTS: usize = 200;

impl Writer<'_> {
    /// A type in its smallest form: `mu X.chan{mtype,X}`.
    pub fn show(&self, id: NodeId) -> String {
        let classes = classes(self.graph, &[id]);
        let mut writing =
            Writing { writer: self, classes, path: Vec::new(), bound: Vec::new(), left: MAX_PARTS };
        writing.write(id)
    }
}

struct Writing<'a> {
    writer: &'a Writer<'a>,
    classes: HashMap<NodeId, usize>,
    /// The channels around the current place.
    path: Vec<usize>,
    /// Channels that are mentioned inside themselves, in the order of their mention.
    bound: Vec<usize>,
    /// How many parts may still be written.
    left: usize,
}

impl Writing<'_> {
    fn write(&mut self, id: NodeId) -> String {
        let graph = self.writer.graph;
        let root = graph.find(id);
        let Some(left) = self.left.checked_sub(1) else { return "...".to_owned() };
        self.left = left;
        match graph.kind(root) {
            Kind::Var => self.writer.inferred.get(&root).cloned().unwrap_or("?".to_owned()),
            Kind::Base(base) => base.show(self.writer.model),
            Kind::Tuple(fields) => {
                let mut text = String::from("{");
                for (i, &field) in fields.iter().enumerate() {
                    if i > 0 {
                        text.push(',');
                    }
                    text.push_str(&self.write(field));
                    if self.left == 0 {
                        break;
                    }
                }
                text + "}"
            }
            Kind::Chan(tuple) => {
                let class = self.classes[&root];
                if self.path.contains(&class) {
                    let number = self.bound.iter().position(|&b| b == class).unwrap_or_else(|| {
                        self.bound.push(class);
                        self.bound.len() - 1
                    });
                    return name(number);
                }
                self.path.push(class);
                let inside = match graph.kind(*tuple) {
                    Kind::Var => "{?}".to_owned(),
                    _ => self.write(*tuple),
                };
                self.path.pop();
                match self.bound.iter().position(|&b| b == class) {
                    Some(number) => format!("mu {}.chan{inside}", name(number)),
                    None => format!("chan{inside}"),
                }
            }
        }
    }
}

fn name(number: usize) -> String {
    match number {
        0..=2 => ["X", "Y", "Z"][number].to_owned(),
        _ => format!("X{number}"),
    }
}
