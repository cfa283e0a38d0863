//! All methods against a slow search for components, on random graphs, and on small graphs on which it is
//! known what each of them does.

use everypath_model::Rng;

use super::cou99::Components;
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
        let most = if rng.below(50) == 0 { 120 } else { 12 };
        let nodes = 1 + rng.below(most);
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

impl SharedGraph for Explicit {
    type Worker = ();

    fn worker(&self) {}

    fn marks(&self) -> u64 {
        self.marks
    }

    fn initial(&self, (): &mut ()) -> Result<Vec<Node>, Stopped> {
        Ok(vec![0])
    }

    fn degree(&self, (): &mut (), node: Node) -> Result<u32, Stopped> {
        Ok(self.edges[node as usize].len() as u32)
    }

    fn edge(&self, (): &mut (), node: Node, index: u32) -> Result<Edge, Stopped> {
        Ok(self.edges[node as usize][index as usize])
    }
}

/// A shortest accepting run, by trying all lengths: what can be reached in so many steps, and from there with which
/// marks.
fn least(graph: &Explicit) -> Option<usize> {
    let nodes = graph.edges.len();
    let mut distance = vec![usize::MAX; nodes];
    distance[0] = 0;
    for _ in 0..nodes {
        for node in (0..nodes).filter(|&node| distance[node] < usize::MAX).collect::<Vec<_>>() {
            for edge in &graph.edges[node] {
                let target = edge.target as usize;
                distance[target] = distance[target].min(distance[node] + 1);
            }
        }
    }
    let around = |start: usize| {
        let mut now = std::collections::BTreeSet::from([(start, 0)]);
        let mut seen = now.clone();
        for length in 1.. {
            let next = now.iter().flat_map(|&(node, had): &(usize, u64)| {
                let step =
                    move |edge: &Edge| (edge.target as usize, had | edge.marks & graph.marks);
                graph.edges[node].iter().map(step)
            });
            let next: std::collections::BTreeSet<(usize, u64)> = next.collect();
            if next.contains(&(start, graph.marks)) {
                return Some(length);
            }
            now = next.difference(&seen).copied().collect();
            if now.is_empty() {
                return None;
            }
            seen.extend(&now);
        }
        None
    };
    let reached = (0..nodes).filter(|&node| distance[node] < usize::MAX);
    reached.filter_map(|node| Some(distance[node] + around(node)?)).min()
}

#[test]
fn a_shortest_run_is_found_on_request_and_a_short_one_is_a_run() {
    let mut rng = Rng::new(24);
    let mut runs = 0;
    for _ in 0..3_000 {
        let mut graph = Explicit::random(&mut rng);
        let (Some(lasso), _) = ask(&mut graph, Method::default()) else {
            assert_eq!(least(&graph), None, "{graph:?}");
            continue;
        };
        runs += 1;
        let pulse = &mut || Ok(());
        let short = short::shorten(&mut graph, lasso.clone(), short::Budget::SMALL, pulse);
        graph.confirms(&short).unwrap_or_else(|why| panic!("{why}: {short:?} of {graph:?}"));
        let shortest = short::shorten(&mut graph, lasso, short::Budget::NONE, pulse);
        graph.confirms(&shortest).unwrap_or_else(|why| panic!("{why}: {shortest:?} of {graph:?}"));
        let length = shortest.stem.len() + shortest.cycle.len();
        assert_eq!(Some(length), least(&graph), "{graph:?}");
    }
    assert!(runs > 500, "{runs}");
}

#[test]
fn a_run_is_folded_to_its_shortest_form() {
    let step = |state: u32| RunStep { actions: Vec::new(), state: vec![state] };
    let run = |stem: &[u32], cycle: &[u32]| Run {
        initial: vec![0],
        stem: stem.iter().map(|&state| step(state)).collect(),
        cycle: cycle.iter().map(|&state| step(state)).collect(),
    };
    for (long, short) in [
        (run(&[1, 2], &[3, 2, 3, 2]), run(&[1, 2], &[3, 2])),
        (run(&[1, 2, 3, 2], &[3, 2]), run(&[1, 2], &[3, 2])),
        (run(&[1, 2, 1], &[2, 1]), run(&[1], &[2, 1])),
        (run(&[1], &[1, 1, 1]), run(&[1], &[1])),
        (run(&[], &[1, 0]), run(&[], &[1, 0])),
    ] {
        assert_eq!(long.folded(), short);
    }
}

/// What a method answers and what it did.
fn ask(graph: &mut Explicit, method: Method) -> (Option<Lasso>, Counts) {
    let pulse = &mut |_: &Counts| Ok(());
    let mut tally = Tally::new(pulse);
    let lasso = check(graph, method, &mut tally).expect("it ends");
    (lasso, tally.counts)
}

/// The methods that take so many marks.
fn methods(marks: u64) -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(move |method| method.takes(marks.count_ones()))
}

/// How many random graphs a test looks at.
fn rounds() -> usize {
    if std::env::var_os("EVERYPATH_ALL").is_some() { 20_000 } else { 3_000 }
}

fn edge(target: Node, marks: u64) -> Edge {
    Edge { marks, target }
}

#[test]
fn e5_all_methods_agree_with_the_definition() {
    let count = rounds();
    let mut rng = Rng::new(6);
    let mut accepting = 0;
    for round in 0..count {
        let mut graph = Explicit::random(&mut rng);
        let expected = graph.accepts();
        accepting += usize::from(expected);
        for method in methods(graph.marks) {
            let (lasso, counts) = ask(&mut graph, method);
            assert_eq!(lasso.is_some(), expected, "round {round}, {method:?}: {graph:?}");
            if let Some(lasso) = lasso {
                let told = graph.confirms(&lasso);
                assert_eq!(told, Ok(()), "round {round}, {method:?}: {lasso:?} in {graph:?}");
            }
            let most = graph.edges.len() as u64;
            let copies = if method.is_general() { 1 } else { graph.marks.count_ones().max(1) };
            assert!(counts.nodes <= most * u64::from(copies), "round {round}, {method:?}");
        }
    }
    assert!(accepting * 5 > count && accepting * 5 < count * 4, "{accepting} of {count} accept");
}

#[test]
fn e6_one_mark_for_several_keeps_the_answer() {
    let mut rng = Rng::new(60);
    for round in 0..rounds() {
        let mut graph = Explicit::random(&mut rng);
        let (general, counts) = ask(&mut graph, Method::Cou99);
        let pulse = &mut |_: &Counts| Ok(());
        let mut tally = Tally::new(pulse);
        let mut single = OneMark::new(&mut graph);
        assert!(single.marks().count_ones() <= 1);
        let found = super::general(&mut single, Method::Cou99, &mut tally).expect("it ends");
        let lasso = found.as_ref().map(|lasso| single.lasso(lasso));
        assert_eq!(general.is_some(), lasso.is_some(), "round {round}: {graph:?}");
        match lasso {
            Some(lasso) => assert_eq!(graph.confirms(&lasso), Ok(()), "round {round}: {graph:?}"),
            // Where there is nothing to find, remembering marks only makes more nodes.
            None => assert!(tally.counts.nodes >= counts.nodes, "round {round}: {graph:?}"),
        }
    }
}

/// Three nodes in a ring, the edges out of the second of which are marked; the third one has another
/// edge, behind which lies a long way without a cycle.
fn ring_and_tail() -> Explicit {
    let mut edges = vec![vec![edge(1, 0)], vec![edge(2, 1)], vec![edge(0, 0), edge(3, 0)]];
    edges.extend((4..1_003).map(|target| vec![edge(target, 0)]));
    edges.push(Vec::new());
    Explicit { marks: 1, edges }
}

#[test]
fn e1_who_looks_at_the_stack_needs_three_nodes() {
    let mut graph = ring_and_tail();
    assert_eq!(graph.edges.len(), 1_003);
    for method in Method::ALL {
        let (lasso, counts) = ask(&mut graph, method);
        let lasso = lasso.expect("it is there");
        assert_eq!((lasso.stem.len(), lasso.cycle.len()), (0, 3), "{method:?}");
        let early = match method {
            Method::Cvwy90 | Method::Se05 | Method::Tau03 => false,
            Method::Cou99Shy | Method::Cou99ShyNode => {
                // Both edges of the third node are made before one of them is taken.
                assert_eq!((counts.nodes, counts.edges), (3, 4), "{method:?}");
                continue;
            }
            _ => true,
        };
        match early {
            true => assert_eq!((counts.nodes, counts.edges), (3, 3), "{method:?}"),
            false => assert_eq!(counts.nodes, 1_003, "{method:?}"),
        }
    }
}

#[test]
fn e2_merged_components_have_all_marks_but_those_of_the_edge_into_them() {
    let mut components = Components::default();
    for (rank, entered, inside) in [(1, 1, 2), (2, 4, 8), (3, 16, 32), (4, 64, 128)] {
        components.push(rank, entered);
        assert_eq!(components.merge(inside, rank), inside);
    }
    // From the fourth back to the second: not the edge into the second, nor what is before it.
    assert_eq!(components.merge(256, 2), 8 | 16 | 32 | 64 | 128 | 256);
    assert_eq!(components.len(), 2);
    assert!(components.leave(2) && !components.leave(2) && components.leave(1));
}

#[test]
fn e3_without_marks_every_cycle_is_accepting() {
    let mut path = Explicit { marks: 0, edges: vec![vec![edge(1, 0)], vec![edge(2, 0)], vec![]] };
    let mut ring = Explicit { marks: 0, edges: vec![vec![edge(1, 0)], vec![edge(0, 0)]] };
    for method in methods(0) {
        assert_eq!(ask(&mut path, method).0, None, "{method:?}");
        let lasso = ask(&mut ring, method).0.expect("a cycle");
        assert_eq!(ring.confirms(&lasso), Ok(()), "{method:?}");
    }
    // The original search for several marks cannot know what to look for, and says so.
    let pulse = &mut |_: &Counts| Ok(());
    let refused = check(&mut ring, Method::Tau03, &mut Tally::new(pulse));
    assert!(matches!(refused, Err(Stopped::ModelError(_))), "{refused:?}");
}

/// Where there is nothing to find, what the methods do is known by the definition: who lists its
/// nodes follows each edge once and has whole components on the stack, who does not follows the
/// edges of components twice; a nested search with one mark follows each edge at most twice, with
/// several once more for each of them.
#[test]
fn costs_of_an_empty_graph() {
    let mut rng = Rng::new(7);
    let mut empty = 0;
    for round in 0..rounds() {
        let mut graph = Explicit::random(&mut rng);
        if graph.accepts() {
            continue;
        }
        empty += 1;
        let mut reached = graph.reach(0);
        reached[0] = true;
        let inside = |node: &usize| reached[*node];
        let nodes = (0..graph.edges.len()).filter(inside).count() as u64;
        let edges: u64 =
            (0..graph.edges.len()).filter(inside).map(|node| graph.edges[node].len() as u64).sum();
        let marks = u64::from(graph.marks.count_ones());
        for method in methods(graph.marks) {
            let (_, counts) = ask(&mut graph, method);
            let note = format!("round {round}, {method:?}: {counts:?} of {graph:?}");
            let copies = if method.is_general() { 1 } else { marks.max(1) };
            match copies {
                1 => assert_eq!(counts.nodes, nodes, "{note}"),
                _ => assert!((nodes..=nodes * copies).contains(&counts.nodes), "{note}"),
            }
            let most = match method {
                Method::Cou99 | Method::Cou99Shy | Method::Cou99ShyNode | Method::Gv04 => 1,
                Method::Cou99NoRem | Method::Cvwy90 | Method::Se05 | Method::Se05Weight => 2,
                Method::Tau03 => 2 + marks,
                Method::Tau03Opt => 1 + marks,
            };
            assert!((edges..=edges * most * copies).contains(&counts.edges), "{note}");
            if most == 1 && copies == 1 {
                assert_eq!(counts.edges, edges, "{note}");
            }
            if method == Method::Cou99NoRem {
                assert_eq!(counts.edges, edges * 2, "{note}");
            }
        }
    }
    assert!(empty > rounds() / 5);
}

#[test]
fn a_check_ends_when_somebody_says_so() {
    // A long path without a cycle.
    let mut edges: Vec<Vec<Edge>> = (1..20_000).map(|target| vec![edge(target, 0)]).collect();
    edges.push(Vec::new());
    let mut graph = Explicit { marks: 1, edges };
    for method in Method::ALL {
        let pulse = &mut |_: &Counts| Err(Stopped::Time);
        let mut tally = Tally::new(pulse);
        assert_eq!(check(&mut graph, method, &mut tally), Err(Stopped::Time), "{method:?}");
        assert!(tally.counts.nodes >= 4_000 && tally.counts.bytes > 4_000, "{method:?}");
    }
}

#[test]
fn names_are_different() {
    for (index, method) in Method::ALL.iter().enumerate() {
        assert!(Method::ALL[..index].iter().all(|other| other.name() != method.name()));
    }
}

#[test]
fn threads_agree_with_the_definition() {
    let mut rng = Rng::new(8);
    for round in 0..rounds() / 4 {
        let graph = Explicit::random(&mut rng);
        let expected = graph.accepts();
        for threads in 1..=4 {
            let pulse = &mut |_: &Counts| Ok(());
            let mut tally = Tally::new(pulse);
            let lasso = check_shared(&graph, threads, &mut tally).expect("it ends");
            let note = || format!("round {round}, {threads} threads: {graph:?}");
            assert_eq!(lasso.is_some(), expected, "{}", note());
            match lasso {
                Some(lasso) => assert_eq!(graph.confirms(&lasso), Ok(()), "{}", note()),
                None => {
                    let mut reached = graph.reach(0);
                    reached[0] = true;
                    let nodes = reached.iter().filter(|&&reached| reached).count() as u64;
                    assert_eq!(tally.counts.nodes, nodes, "{}", note());
                }
            }
        }
    }
}

/// Large graphs of many components of all sizes, so that threads meet: rings within rings.
#[test]
fn threads_meet_in_large_graphs() {
    let mut rng = Rng::new(9);
    for round in 0..rounds() / 300 {
        let count = 2_000 + rng.below(3_000);
        let size = 1 + rng.below(400);
        let mut edges: Vec<Vec<Edge>> = (0..count)
            .map(|node| {
                // Onwards, somewhere in the same part, and rarely to a later part.
                let part = node / size * size;
                let last = (part + size).min(count);
                let mut edges = vec![edge((part + rng.below(last - part)) as u32, 0)];
                if node + 1 < count {
                    edges.push(edge(node as u32 + 1, 0));
                }
                if rng.below(10) == 0 {
                    edges.push(edge((node + rng.below(count - node)) as u32, 0));
                }
                edges
            })
            .collect();
        // Two marks, each many times; whether they come together is up to chance.
        for _ in 0..1 + rng.below(6) {
            let node = rng.below(count);
            let index = rng.below(edges[node].len());
            edges[node][index].marks |= 1 + rng.below(2) as u64;
        }
        let mut graph = Explicit { marks: 3, edges };
        let (alone, counts) = ask(&mut graph, Method::Cou99);
        for threads in 1..=4 {
            let pulse = &mut |_: &Counts| Ok(());
            let mut tally = Tally::new(pulse);
            let lasso = check_shared(&graph, threads, &mut tally).expect("it ends");
            assert_eq!(lasso.is_some(), alone.is_some(), "round {round}, {threads} threads");
            match lasso {
                Some(lasso) => assert_eq!(graph.confirms(&lasso), Ok(()), "round {round}"),
                None => assert_eq!(tally.counts.nodes, counts.nodes, "round {round}"),
            }
        }
    }
}

/// A graph in which one thread fails after a while.
struct Failing {
    graph: Explicit,
    panics: bool,
    left: std::sync::atomic::AtomicI64,
}

impl SharedGraph for Failing {
    type Worker = ();

    fn worker(&self) {}

    fn marks(&self) -> u64 {
        self.graph.marks
    }

    fn initial(&self, worker: &mut ()) -> Result<Vec<Node>, Stopped> {
        SharedGraph::initial(&self.graph, worker)
    }

    fn degree(&self, worker: &mut (), node: Node) -> Result<u32, Stopped> {
        SharedGraph::degree(&self.graph, worker, node)
    }

    fn edge(&self, worker: &mut (), node: Node, index: u32) -> Result<Edge, Stopped> {
        if self.left.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 0 {
            if self.panics {
                std::panic::resume_unwind(Box::new("failed"));
            }
            return Err(Stopped::MemoryLimit);
        }
        SharedGraph::edge(&self.graph, worker, node, index)
    }
}

#[test]
fn a_thread_that_fails_ends_the_search_of_all() {
    for (panics, edges) in [(false, 5_000), (true, 5_000), (false, 1), (true, 1)] {
        // One large ring.
        let ring: Vec<Vec<Edge>> =
            (0..200_000).map(|node| vec![edge((node + 1) % 200_000, 0)]).collect();
        let graph = Explicit { marks: 1, edges: ring };
        let failing = Failing { graph, panics, left: edges.into() };
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let pulse = &mut |_: &Counts| Ok(());
            check_shared(&failing, 3, &mut Tally::new(pulse))
        }));
        match panics {
            true => assert!(ended.is_err()),
            false => assert_eq!(ended.ok(), Some(Err(Stopped::MemoryLimit))),
        }
    }
}
