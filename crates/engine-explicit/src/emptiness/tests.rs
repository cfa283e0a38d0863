//! All methods against a slow search for components, on random graphs.

use everypath_model::Rng;

use super::*;

/// A graph with all its edges.
#[derive(Debug)]
struct Explicit {
    marks: u64,
    edges: Vec<Vec<Edge>>,
}

impl Graph for Explicit {
    fn marks(&self) -> u64 {
        self.marks
    }

    fn initial(&mut self) -> Result<Vec<Node>, Stopped> {
        Ok(vec![0])
    }

    fn degree(&mut self, node: Node) -> Result<u32, Stopped> {
        Ok(self.edges[node as usize].len() as u32)
    }

    fn edge(&mut self, node: Node, index: u32) -> Result<Edge, Stopped> {
        Ok(self.edges[node as usize][index as usize])
    }
}

impl Explicit {
    fn random(rng: &mut Rng) -> Explicit {
        let nodes = 1 + rng.below(12);
        let marks = rng.below(5) as u32;
        let degree = 1 + rng.below(3);
        let edges = (0..nodes)
            .map(|_| {
                (0..rng.below(degree + 1))
                    .map(|_| {
                        // Rarely more than one mark, so that both answers are common.
                        let mut set = 0;
                        for mark in 0..marks {
                            set |= u64::from(rng.below(4) == 0) << mark;
                        }
                        Edge { marks: set, target: rng.below(nodes) as u32 }
                    })
                    .collect()
            })
            .collect();
        Explicit { marks: (1 << marks) - 1, edges }
    }

    /// What is reached from a node by one edge or more.
    fn reach(&self, from: usize) -> Vec<bool> {
        let mut seen = vec![false; self.edges.len()];
        let mut work: Vec<usize> = vec![from];
        while let Some(node) = work.pop() {
            for edge in &self.edges[node] {
                if !std::mem::replace(&mut seen[edge.target as usize], true) {
                    work.push(edge.target as usize);
                }
            }
        }
        seen
    }

    /// The answer, by the definition: a node that is reached and reaches itself, and edges between
    /// nodes that reach each other with it.
    fn accepts(&self) -> bool {
        let mut reached = self.reach(0);
        reached[0] = true;
        let reach: Vec<Vec<bool>> = (0..self.edges.len()).map(|node| self.reach(node)).collect();
        (0..self.edges.len()).any(|node| {
            let together = |other: usize| reach[node][other] && reach[other][node];
            let inside = (0..self.edges.len()).filter(|&other| together(other));
            let edges = inside.flat_map(|other| &self.edges[other]);
            let marks = edges
                .filter(|edge| together(edge.target as usize))
                .fold(0, |marks, edge| marks | edge.marks);
            reached[node] && together(node) && marks & self.marks == self.marks
        })
    }

    /// Whether a lasso is a run, and an accepting one.
    fn confirms(&self, lasso: &Lasso) -> Result<(), String> {
        let mut here = 0;
        for leg in &lasso.stem {
            if leg.node != here {
                return Err(format!("the stem jumps from {here} to {}", leg.node));
            }
            here = self.edges[here as usize][leg.edge as usize].target;
        }
        let (start, mut marks) = (here, 0);
        for leg in &lasso.cycle {
            if leg.node != here {
                return Err(format!("the cycle jumps from {here} to {}", leg.node));
            }
            let edge = self.edges[here as usize][leg.edge as usize];
            marks |= edge.marks;
            here = edge.target;
        }
        match (lasso.cycle.is_empty(), here == start, marks & self.marks == self.marks) {
            (false, true, true) => Ok(()),
            what => Err(format!("no accepting cycle: {what:?}")),
        }
    }
}

const METHODS: [Method; 1] = [Method::Cou99];

#[test]
fn all_methods_agree_with_the_definition() {
    let count = if std::env::var_os("EVERYPATH_ALL").is_some() { 20_000 } else { 3_000 };
    let mut rng = Rng::new(6);
    let mut accepting = 0;
    for round in 0..count {
        let mut graph = Explicit::random(&mut rng);
        let expected = graph.accepts();
        accepting += usize::from(expected);
        for method in METHODS {
            let pulse = &mut |_: &Counts| Ok(());
            let lasso = check(&mut graph, method, &mut Tally::new(pulse)).expect("it ends");
            assert_eq!(lasso.is_some(), expected, "round {round}, {method:?}: {graph:?}");
            if let Some(lasso) = lasso {
                let told = graph.confirms(&lasso);
                assert_eq!(told, Ok(()), "round {round}, {method:?}: {lasso:?} in {graph:?}");
            }
        }
    }
    assert!(accepting * 5 > count && accepting * 5 < count * 4, "{accepting} of {count} accept");
}

#[test]
fn a_check_ends_when_somebody_says_so() {
    // A long path without a cycle.
    let edge = |target: u32| vec![Edge { marks: 0, target }];
    let mut edges: Vec<Vec<Edge>> = (1..20_000).map(edge).collect();
    edges.push(Vec::new());
    let mut graph = Explicit { marks: 0, edges };
    for method in METHODS {
        let pulse = &mut |_: &Counts| Err(Stopped::Time);
        let mut tally = Tally::new(pulse);
        assert_eq!(check(&mut graph, method, &mut tally), Err(Stopped::Time), "{method:?}");
        assert!(tally.counts.nodes >= 4_000 && tally.counts.bytes > 16_000);
    }
}
