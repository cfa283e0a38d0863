//! `--search`: its values, what belongs to which, and what is said about them.

use everypath_engine_explicit::{Order, Sample};

use crate::checking::Checking;
use crate::choices::{ProvisoArg, SearchArg};

/// Random walks if neither their number nor the time is given.
const WALKS: u64 = 1000;
/// Searches of a swarm if neither their number nor the time is given.
const SWARM: u64 = 16;
impl SearchArg {
    /// The one that everything else depends on.
    pub fn main(self) -> SearchArg {
        match self {
            SearchArg::Auto => SearchArg::Bfs,
            other => other,
        }
    }

    /// Whether it takes samples.
    pub fn samples(self) -> bool {
        matches!(self, SearchArg::Random | SearchArg::Swarm)
    }
}

/// How many threads a search has of those that are allowed.
pub fn threads(checking: &Checking) -> usize {
    if checking.reductions.transactions() {
        return 1;
    }
    let order = checking.partial_order().is_some() && checking.proviso != ProvisoArg::Sticky;
    match checking.search {
        SearchArg::Auto | SearchArg::Bfs | SearchArg::Random | SearchArg::Swarm => checking.jobs,
        SearchArg::Dfs if order || checking.depth.is_some() => 1,
        SearchArg::Dfs => checking.jobs,
        SearchArg::Directed => 1,
        SearchArg::Stateless if checking.preemptions.or(checking.switches).is_some() => 1,
        SearchArg::Stateless => checking.jobs,
    }
}

/// The order of a search.
pub fn order(checking: &Checking) -> Order {
    let sample = |default: u64| Sample {
        seed: checking.seed,
        runs: checking.runs.or(checking.time.is_none().then_some(default)),
    };
    match checking.search {
        SearchArg::Auto | SearchArg::Bfs => Order::Breadth,
        SearchArg::Dfs | SearchArg::Stateless => Order::Depth,
        SearchArg::Directed => Order::Directed,
        SearchArg::Random => Order::Random(sample(WALKS)),
        SearchArg::Swarm => Order::Swarm(sample(SWARM)),
    }
}
