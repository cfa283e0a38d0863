//! Whether some run of a graph passes each of a set of marks again and again.
//!
//! The graph is made while it is looked at: [`Graph`] numbers its nodes as they are met. [`check()`]
//! answers with one of several methods; a run that it finds is a [`Lasso`], made by one piece of code
//! whatever the method, since all a method has to say is which nodes it has seen.

mod chunks;
mod cou99;
mod cvwy90;
mod degeneral;
mod gv04;
mod lasso;
mod numbered;
mod product;
mod reach;
mod se05;
mod shared;
mod shared_product;
mod short;
mod shy;
mod strong;
mod tau03;
mod tau03opt;
#[cfg(test)]
mod tests;
mod trail;
mod ufscc;
mod union;
mod walk;
mod weak;

pub use lasso::{Lasso, Leg};
pub use numbered::{Letter, Numbered};
pub use product::{Run, RunStep, Sought, seek, seek_strong};
pub use shared::SharedStates;
pub use shared_product::seek_shared;
pub use strong::Deed;
pub use ufscc::{SharedGraph, check_shared};
pub use weak::seek_weak;

use cou99::Leave;
use degeneral::OneMark;
use everypath_model::ModelError;
use shy::Group;

use crate::outcome::Stopped;

/// A node of a graph.
pub type Node = u32;

/// An edge of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What it is marked with.
    pub marks: u64,
    /// Where it leads.
    pub target: Node,
}

/// A graph with marks on its edges. Nodes are small numbers, given as they are met.
pub trait Graph {
    /// What an accepting run passes again and again; none if every infinite run is accepting.
    fn marks(&self) -> u64;

    /// Where runs begin.
    fn initial(&mut self) -> Result<Vec<Node>, Stopped>;

    /// How many edges a node has: the same whenever it is asked.
    fn degree(&mut self, node: Node) -> Result<u32, Stopped>;

    /// One of them: the same whenever it is asked.
    fn edge(&mut self, node: Node, index: u32) -> Result<Edge, Stopped>;

    /// Bytes that it holds and that nobody else accounts for.
    fn bytes(&self) -> u64 {
        0
    }
}

/// How a graph is checked. Each is named after who wrote about it, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Strongly connected components while they grow (Couvreur): any number of marks at no cost.
    #[default]
    Cou99,
    /// The same, without a list of the nodes in them: fewer are on stacks, and most edges are followed twice.
    Cou99NoRem,
    /// The same; of the edges of a node, those to nodes that were seen come first.
    Cou99ShyNode,
    /// The same; of the edges of a component, those to nodes that were seen come first.
    Cou99Shy,
    /// Tarjan's search with early answers (Geldenhuys and Valmari), for one mark.
    Gv04,
    /// The classical nested search (Courcoubetis, Vardi, Wolper, Yannakakis), for one mark.
    Cvwy90,
    /// The nested search with colours (Schwoon and Esparza), for one mark.
    Se05,
    /// The same with the marks on the stack counted, so that some answers come earlier.
    Se05Weight,
    /// The nested search that is repeated for the marks (Tauriainen), for one mark or more.
    Tau03,
    /// The same with the ideas of the two before it (Couvreur, Duret-Lutz, Poitrenaud), for any number.
    Tau03Opt,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 10] = [
        Method::Cou99,
        Method::Cou99NoRem,
        Method::Cou99ShyNode,
        Method::Cou99Shy,
        Method::Gv04,
        Method::Cvwy90,
        Method::Se05,
        Method::Se05Weight,
        Method::Tau03,
        Method::Tau03Opt,
    ];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Cou99 => "cou99",
            Method::Cou99NoRem => "cou99-norem",
            Method::Cou99ShyNode => "cou99-shy-node",
            Method::Cou99Shy => "cou99-shy",
            Method::Gv04 => "gv04",
            Method::Cvwy90 => "cvwy90",
            Method::Se05 => "se05",
            Method::Se05Weight => "se05-weight",
            Method::Tau03 => "tau03",
            Method::Tau03Opt => "tau03opt",
        }
    }

    /// Whether it takes any number of marks as they are; else they become one, by nodes that remember
    /// which they had.
    pub fn is_general(self) -> bool {
        match self {
            Method::Cou99 | Method::Cou99NoRem | Method::Cou99ShyNode | Method::Cou99Shy => true,
            Method::Tau03 | Method::Tau03Opt => true,
            Method::Gv04 | Method::Cvwy90 | Method::Se05 | Method::Se05Weight => false,
        }
    }

    /// Whether it can check graphs with so many marks.
    pub fn takes(self, marks: u32) -> bool {
        self != Method::Tau03 || marks > 0
    }
}

/// What a check did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// Nodes that were reached.
    pub nodes: u64,
    /// Edges that were followed, each time that they were.
    pub edges: u64,
    /// The greatest number of things on its stacks: nodes that may have to be looked at again, and
    /// edges where these are kept.
    pub stack: u64,
    /// Bytes of the method itself, not of the graph.
    pub bytes: u64,
}

/// The account of a check, and who looks at it.
pub struct Tally<'a> {
    /// What was done.
    pub counts: Counts,
    /// Called now and then; ends the check with what it returns.
    pulse: &'a mut dyn FnMut(&Counts) -> Result<(), Stopped>,
    left: u32,
}

/// Edges between two looks at the clock.
const PULSE: u32 = 1 << 12;

impl<'a> Tally<'a> {
    /// An account that begins.
    pub fn new(pulse: &'a mut dyn FnMut(&Counts) -> Result<(), Stopped>) -> Tally<'a> {
        Tally { counts: Counts::default(), pulse, left: PULSE }
    }

    /// Counts an edge.
    #[inline]
    fn edge(&mut self) -> Result<(), Stopped> {
        self.counts.edges += 1;
        self.left -= 1;
        if self.left == 0 {
            self.left = PULSE;
            (self.pulse)(&self.counts)?;
        }
        Ok(())
    }

    /// Counts a node that was reached, the stacks being so high.
    #[inline]
    fn node(&mut self, high: usize, bytes: u64) {
        self.counts.nodes += 1;
        self.counts.bytes = bytes;
        self.high(high);
    }

    /// The stacks are so high.
    #[inline]
    fn high(&mut self, high: usize) {
        self.counts.stack = self.counts.stack.max(high as u64);
    }
}

/// Looks for an accepting run; `None` if there is none.
pub fn check<G: Graph>(
    graph: &mut G,
    method: Method,
    tally: &mut Tally<'_>,
) -> Result<Option<Lasso>, Stopped> {
    if !method.takes(graph.marks().count_ones()) {
        let message = format!("{} cannot check an automaton without marks", method.name());
        return Err(Stopped::ModelError(ModelError(message)));
    }
    if !method.is_general() {
        let mut single = OneMark::new(graph);
        let lasso = general(&mut single, method, tally)?;
        return Ok(lasso.map(|lasso| single.lasso(&lasso)));
    }
    general(graph, method, tally)
}

/// The same, of a graph with as few marks as the method needs.
fn general<G: Graph>(
    graph: &mut G,
    method: Method,
    tally: &mut Tally<'_>,
) -> Result<Option<Lasso>, Stopped> {
    let leave = match method {
        Method::Cou99NoRem => Leave::Searched,
        _ => Leave::Listed,
    };
    let seen = match method {
        Method::Cou99 | Method::Cou99NoRem => {
            let found = cou99::search(graph, tally, leave, &|_| true)?;
            return found.map(|found| lasso::make(graph, &found)).transpose();
        }
        Method::Cou99ShyNode => shy::search(graph, tally, Group::Node)?,
        Method::Cou99Shy => shy::search(graph, tally, Group::Component)?,
        Method::Gv04 => gv04::search(graph, tally)?,
        Method::Cvwy90 => cvwy90::search(graph, tally)?,
        Method::Se05 => se05::search(graph, tally, false)?,
        Method::Se05Weight => se05::search(graph, tally, true)?,
        Method::Tau03 => tau03::search(graph, tally)?,
        Method::Tau03Opt => tau03opt::search(graph, tally)?,
    };
    seen.map(|seen| within(graph, &|node| seen.has(node))).transpose()
}

/// An accepting run through nodes among which there is one: of the first component that has one.
fn within<G: Graph>(graph: &mut G, seen: &dyn Fn(Node) -> bool) -> Result<Lasso, Stopped> {
    let pulse = &mut |_: &Counts| Ok(());
    let found = cou99::search(graph, &mut Tally::new(pulse), Leave::Listed, seen)?;
    let found = found.expect("a method answers only where there is an accepting run");
    lasso::make(graph, &found)
}
