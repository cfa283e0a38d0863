//! The type graph against an obvious twin, and types that only a graph can spell.

use std::collections::{BTreeSet, HashMap};

use everypath_model::{FileId, Span};

use super::base::Base;
use super::graph::{Graph, Kind, NodeId, Origin, Why};
use super::show::{Writer, classes};
use crate::ast::Model;

const BIT: Base = Base::Number { low: 0, high: 1 };
const BYTE: Base = Base::Number { low: 0, high: 255 };

fn origin(at: usize) -> Origin {
    Origin { span: Span::new(FileId(0), at, at + 1), declared: true }
}

fn why(at: usize) -> Why {
    Why { span: Span::new(FileId(0), at, at + 1), text: String::new() }
}

fn show(graph: &Graph, id: NodeId) -> String {
    let (model, inferred) = (Model::default(), HashMap::new());
    Writer { model: &model, graph, inferred: &inferred }.show(id)
}

/// T5: `mu X.chan{X,bit}`, `mu X.chan{chan{X,bit},bit}` and `chan mu X.{chan X,bit}` are one type.
#[test]
fn t5_three_spellings_of_a_recursive_type() {
    let mut graph = Graph::default();
    let mut at = 0;
    let mut add = |graph: &mut Graph, kind| {
        at += 1;
        graph.add(kind, origin(at))
    };
    // A cycle of one channel.
    let hole = add(&mut graph, Kind::Var);
    let one = add(&mut graph, Kind::Chan(hole));
    let bit = add(&mut graph, Kind::Base(BIT));
    let tuple = add(&mut graph, Kind::Tuple(vec![one, bit]));
    assert!(graph.unify(hole, tuple, &why(0), |_, _| false).is_empty());
    // A cycle of two.
    let hole = add(&mut graph, Kind::Var);
    let outer = add(&mut graph, Kind::Chan(hole));
    let bit = add(&mut graph, Kind::Base(BIT));
    let inner = add(&mut graph, Kind::Tuple(vec![outer, bit]));
    let middle = add(&mut graph, Kind::Chan(inner));
    let bit = add(&mut graph, Kind::Base(BIT));
    let tuple = add(&mut graph, Kind::Tuple(vec![middle, bit]));
    assert!(graph.unify(hole, tuple, &why(0), |_, _| false).is_empty());
    // A channel of messages that carry a channel of such messages: the cycle is in the message.
    let hole = add(&mut graph, Kind::Var);
    let inside = add(&mut graph, Kind::Chan(hole));
    let bit = add(&mut graph, Kind::Base(BIT));
    let tuple = add(&mut graph, Kind::Tuple(vec![inside, bit]));
    assert!(graph.unify(hole, tuple, &why(0), |_, _| false).is_empty());
    let outside = add(&mut graph, Kind::Chan(tuple));
    for id in [one, outer, middle, outside] {
        assert_eq!(show(&graph, id), "mu X.chan{X,bit}");
    }
    let classes = classes(&graph, &[one, outer, outside]);
    assert_eq!(classes[&graph.find(one)], classes[&graph.find(outer)]);
    assert_eq!(classes[&graph.find(one)], classes[&graph.find(outside)]);
}

#[test]
fn nested_recursion_binds_each_channel_where_it_starts() {
    // a = chan{b}, b = chan{a, b}: two channels, both mentioned inside themselves.
    let mut graph = Graph::default();
    let holes = [graph.add(Kind::Var, origin(0)), graph.add(Kind::Var, origin(1))];
    let a = graph.add(Kind::Chan(holes[0]), origin(2));
    let b = graph.add(Kind::Chan(holes[1]), origin(3));
    let ta = graph.add(Kind::Tuple(vec![b]), origin(4));
    let tb = graph.add(Kind::Tuple(vec![a, b]), origin(5));
    graph.unify(holes[0], ta, &why(0), |_, _| false);
    graph.unify(holes[1], tb, &why(1), |_, _| false);
    assert_eq!(show(&graph, a), "mu X.chan{mu Y.chan{X,Y}}");
    assert_eq!(
        show(&graph, b),
        "mu Y.chan{mu X.chan{Y},Y}"
            .replace('Y', "@")
            .replace('X', "Y")
            .replace('@', "X")
            .replace("mu Y.", "")
    );
}

#[test]
fn wide_types_are_cut_in_the_text() {
    // Each level mentions the next one twice: the text would double with each.
    let mut graph = Graph::default();
    let mut node = graph.add(Kind::Base(BYTE), origin(0));
    for level in 1..60 {
        let tuple = graph.add(Kind::Tuple(vec![node, node]), origin(level));
        node = graph.add(Kind::Chan(tuple), origin(level));
    }
    let text = show(&graph, node);
    assert!(text.contains("...") && text.len() < 2000, "{}", text.len());
}

/// Equations between the nodes of a random graph.
struct System {
    kinds: Vec<Kind>,
    equations: Vec<(usize, usize)>,
}

/// A small generator of numbers; the seed is the case.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((self.0 >> 33) % limit as u64) as usize
    }
}

fn random(seed: u64) -> System {
    let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5555);
    let count = 4 + numbers.below(8);
    let kinds = (0..count)
        .map(|_| {
            let mut node = || NodeId(numbers.below(count) as u32);
            let (a, b) = (node(), node());
            match numbers.below(8) {
                0..=2 => Kind::Var,
                3 | 4 => Kind::Chan(a),
                5 => Kind::Tuple(vec![a]),
                6 => Kind::Tuple(vec![a, b]),
                _ => Kind::Base(if numbers.below(2) == 0 { BIT } else { BYTE }),
            }
        })
        .collect();
    let equations = (0..numbers.below(6)).map(|_| (numbers.below(count), numbers.below(count)));
    System { kinds, equations: equations.collect() }
}

/// The obvious way: a set of equal pairs, closed until nothing is new.
fn twin(system: &System) -> (BTreeSet<(usize, usize)>, bool) {
    let n = system.kinds.len();
    let mut equal: BTreeSet<(usize, usize)> = (0..n).map(|i| (i, i)).collect();
    equal.extend(system.equations.iter().flat_map(|&(a, b)| [(a, b), (b, a)]));
    let mut clash = false;
    loop {
        let mut more = equal.clone();
        for &(a, b) in &equal {
            for &(c, d) in equal.range((b, 0)..(b + 1, 0)) {
                debug_assert_eq!(b, c);
                more.insert((a, d));
            }
            match (&system.kinds[a], &system.kinds[b]) {
                (Kind::Var, _) | (_, Kind::Var) => {}
                (Kind::Chan(x), Kind::Chan(y)) => {
                    more.insert((x.0 as usize, y.0 as usize));
                }
                (Kind::Tuple(x), Kind::Tuple(y)) if x.len() == y.len() => {
                    more.extend(x.iter().zip(y).map(|(x, y)| (x.0 as usize, y.0 as usize)));
                }
                (Kind::Base(x), Kind::Base(y)) if x == y => {}
                _ => clash = true,
            }
        }
        if more == equal {
            return (equal, clash);
        }
        equal = more;
    }
}

/// What a type looks like to some depth; types without clashes are equal if they look the same to
/// the depth of their number of nodes.
fn unfold(graph: &Graph, id: NodeId, depth: usize) -> String {
    match graph.kind(id) {
        _ if depth == 0 => "_".to_owned(),
        Kind::Var => format!("?{}", graph.find(id).0),
        Kind::Base(base) => format!("{base:?}"),
        Kind::Chan(x) => format!("c({})", unfold(graph, *x, depth - 1)),
        Kind::Tuple(all) => {
            let parts: Vec<String> = all.iter().map(|&x| unfold(graph, x, depth - 1)).collect();
            format!("t({})", parts.join(","))
        }
    }
}

#[test]
fn unification_agrees_with_its_twin_on_random_systems() {
    let (mut clean, mut clashing) = (0, 0);
    for seed in 0..20_000 {
        let system = random(seed);
        let mut graph = Graph::default();
        for (i, kind) in system.kinds.iter().enumerate() {
            graph.add(kind.clone(), origin(i));
        }
        let mut clashed = false;
        for (i, &(a, b)) in system.equations.iter().enumerate() {
            let (a, b) = (NodeId(a as u32), NodeId(b as u32));
            let clashes = graph.unify(a, b, &why(i), |_, _| false);
            // Every clash is explained by equations of the system.
            for clash in &clashes {
                assert!(!clash.chain.is_empty(), "seed {seed}");
                assert!(clash.chain.iter().all(|w| (w.span.start as usize) <= i), "seed {seed}");
            }
            clashed |= !clashes.is_empty();
        }
        let (equal, clash) = twin(&system);
        assert_eq!(clashed, clash, "seed {seed}");
        if clash {
            clashing += 1;
            continue;
        }
        clean += 1;
        let n = system.kinds.len();
        for a in 0..n {
            for b in 0..n {
                let same = graph.find(NodeId(a as u32)) == graph.find(NodeId(b as u32));
                assert_eq!(same, equal.contains(&(a, b)), "seed {seed}: {a} {b}");
            }
        }
        if seed % 20 == 0 {
            let ids: Vec<NodeId> = (0..n).map(|i| NodeId(i as u32)).collect();
            let blocks = classes(&graph, &ids);
            for &a in &ids {
                for &b in &ids {
                    let same = blocks[&graph.find(a)] == blocks[&graph.find(b)];
                    let depth = 9;
                    let looks = unfold(&graph, a, depth) == unfold(&graph, b, depth);
                    assert_eq!(same, looks, "seed {seed}: {a:?} {b:?}");
                }
            }
        }
    }
    assert!(clean > 1000 && clashing > 1000, "{clean} clean, {clashing} with a clash");
}
