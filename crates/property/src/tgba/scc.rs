//! Strongly connected components (Tarjan), without recursion.

use super::{Automaton, Marks};

/// The components of a graph, numbered so that an edge never leads to a higher number.
#[derive(Clone, Debug)]
pub struct Components {
    /// The component of each node; `usize::MAX` for what is not reachable.
    pub of: Vec<usize>,
    /// The marks of the edges inside each component, together.
    pub marks: Vec<Marks>,
    /// Whether a component has an edge inside.
    pub cyclic: Vec<bool>,
}

impl Components {
    /// Number of components.
    pub fn len(&self) -> usize {
        self.cyclic.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cyclic.is_empty()
    }

    /// Whether a component has a cycle with all of `marks`.
    pub fn accepts(&self, component: usize, marks: Marks) -> bool {
        self.cyclic[component] && self.marks[component] & marks == marks
    }
}

/// The components that are reachable from the initial state of an automaton.
pub fn components(automaton: &Automaton) -> Components {
    let graph: Vec<Vec<(usize, Marks)>> = automaton
        .edges
        .iter()
        .map(|edges| edges.iter().map(|edge| (edge.target, edge.marks)).collect())
        .collect();
    of_graph(&graph, [automaton.initial])
}

const UNSEEN: usize = usize::MAX;

/// The components of a graph that are reachable from some nodes.
pub(crate) fn of_graph(
    graph: &[Vec<(usize, Marks)>],
    roots: impl IntoIterator<Item = usize>,
) -> Components {
    let mut of = vec![UNSEEN; graph.len()];
    let mut number = vec![UNSEEN; graph.len()];
    let mut low = vec![0; graph.len()];
    let mut stack: Vec<usize> = Vec::new();
    let mut count = 0;
    let mut next = 0;
    for root in roots {
        if number[root] != UNSEEN {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(root, 0)];
        (number[root], low[root]) = (next, next);
        next += 1;
        stack.push(root);
        while let Some(&mut (node, ref mut index)) = path.last_mut() {
            if let Some(&(target, _)) = graph[node].get(*index) {
                *index += 1;
                if number[target] == UNSEEN {
                    (number[target], low[target]) = (next, next);
                    next += 1;
                    stack.push(target);
                    path.push((target, 0));
                } else if of[target] == UNSEEN {
                    low[node] = low[node].min(number[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == number[node] {
                while let Some(member) = stack.pop() {
                    of[member] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    let mut marks = vec![0; count];
    let mut cyclic = vec![false; count];
    for (node, edges) in graph.iter().enumerate() {
        for &(target, mark) in edges {
            if of[node] != UNSEEN && of[node] == of[target] {
                marks[of[node]] |= mark;
                cyclic[of[node]] = true;
            }
        }
    }
    Components { of, marks, cyclic }
}
