//! Options that mean nothing together.

use everypath_model::Named;
use everypath_property::{PropertyKind, Selection};

use super::options::Problem;
use crate::args::CheckArgs;
use crate::choices::{CheckpointArg, FairArg, SearchArg};
use crate::reduce::Reductions;
use crate::stores::StoreArg;

/// The most that the table of one search of a swarm takes if nothing is said.
const SWARM_TABLE: u64 = 16 << 20;
/// The part of the memory that it takes at most.
const SWARM_PART: u64 = 8;
/// The store of a swarm.
const SWARM_STORE: StoreArg = StoreArg::Bitstate(3);

/// The store, and the size of its table: those of a swarm are small.
pub fn store(args: &CheckArgs) -> (StoreArg, Option<u64>) {
    match (args.search, args.store) {
        (SearchArg::Swarm, store) => {
            let table = SWARM_TABLE.min(args.mem.unwrap_or(u64::MAX) / SWARM_PART);
            let store = if store == StoreArg::Collapse { SWARM_STORE } else { store };
            (store, args.table.or(Some(table)))
        }
        (_, store) => (store, args.table),
    }
}

/// Complains about what cannot be together with `--reduce transactions`.
fn against_transactions(args: &CheckArgs, given: &impl Fn(&str) -> bool) -> Option<Problem> {
    let reductions = Reductions::new(&args.reduce);
    if !reductions.transactions() {
        return None;
    }
    let problem =
        |message: String, help: &str| Some(Problem { message, help: Some(help.to_owned()) });
    let not_kept = |what: &str| {
        let why = "which leaves out states that differ in what several processes do";
        let message = format!("{what} cannot be checked with --reduce transactions, {why}");
        problem(
            message,
            "assertions in processes are kept: --only assertions; or leave out `transactions`",
        )
    };
    if !args.invariant.is_empty() {
        return not_kept("--invariant");
    }
    if args.only.is_empty() {
        return not_kept("whether there are deadlocks");
    }
    if let Some(name) = args.only.iter().find(|name| ["deadlock", "invariant"].contains(&&***name))
    {
        return not_kept(&format!("--only {name}"));
    }
    if reductions.partial_order().is_some() || reductions.symmetry() {
        let message = "--reduce transactions leaves out orders of steps in its own way: it goes with \
                       constants, slice, merge and dead only";
        return problem(
            message.to_owned(),
            "name those that are wanted: --reduce transactions,merge",
        );
    }
    if !matches!(args.store, StoreArg::Collapse | StoreArg::Plain | StoreArg::Tree) {
        let message = "--reduce transactions needs an exact store of whole states";
        return problem(message.to_owned(), "leave out --store, or choose collapse, plain or tree");
    }
    let search = given("search") && args.search != SearchArg::Dfs;
    let several = given("jobs") && args.jobs.is_some_and(|jobs| jobs > 1);
    let rules = [
        ("search", search),
        ("jobs", several),
        ("disk", given("disk")),
        ("checkpoint", given("checkpoint") && args.checkpoint != Some(CheckpointArg::Never)),
        ("resume", args.resume.is_some()),
        ("runs", given("runs")),
    ];
    let (name, _) = rules.into_iter().find(|(_, wrong)| *wrong)?;
    let message = format!(
        "--{name} has no use here: --reduce transactions is a depth-first search of its own, by one \
         thread"
    );
    problem(message, "leave it out, or leave out `transactions`")
}

/// Complains about an option that was given although nothing depends on it.
pub fn useless(args: &CheckArgs, given: impl Fn(&str) -> bool) -> Option<Problem> {
    if let Some(problem) = against_transactions(args, &given) {
        return Some(problem);
    }
    let selection = Selection::new(&args.only);
    if !selection.has_group(PropertyKind::Invariant)
        && let Some(name) = ["invariant", "heap-limit"].into_iter().find(|name| given(name))
    {
        let message = format!("--{name} is not checked: --only leaves it out");
        let help = "add `invariant` to --only".to_owned();
        return Some(Problem { message, help: Some(help) });
    }
    let search = args.search.main();
    let lossy = matches!(args.store, StoreArg::Compact(_) | StoreArg::Bitstate(_));
    let has_table = search == SearchArg::Swarm || lossy && search != SearchArg::Random;
    let bits = matches!(args.store, StoreArg::Bitstate(_)) && search != SearchArg::Random
        || search == SearchArg::Swarm && args.store == StoreArg::Collapse;
    let exact = matches!(args.store, StoreArg::Plain | StoreArg::Tree | StoreArg::Delta(_));
    let kept = search == SearchArg::Bfs && !exact || args.checkpoint == Some(CheckpointArg::Never);
    let several = args.jobs.is_some_and(|jobs| jobs > 1);
    let orders = args.reduce.iter().any(|one| one.leaves_out_orders());
    let proviso = !search.samples() && Reductions::new(&args.reduce).partial_order().is_some();
    let table = "--store compact and bitstate, and to --search swarm";
    let seeds = "--search random and swarm, --store compact and bitstate";
    let stored = "searches that keep states: --search bfs, dfs, directed and swarm";
    let keeps = !matches!(search, SearchArg::Random | SearchArg::Stateless);
    let stateless = search == SearchArg::Stateless;
    let all_states = "--search bfs, dfs and directed, as far as ample and stubborn are concerned";
    let rules = [
        ("hashing", bits, "--store bitstate, and to --search swarm"),
        ("table", has_table, table),
        ("seed", has_table || search.samples(), seeds),
        ("runs", search.samples(), "--search random and swarm"),
        ("heuristic", search == SearchArg::Directed, "--search directed"),
        (
            "jobs",
            !(search == SearchArg::Directed && several),
            "--search bfs, dfs, random, swarm and stateless",
        ),
        ("disk", search == SearchArg::Bfs, "--search bfs"),
        ("checkpoint", kept, "--search bfs with --store collapse, compact or bitstate"),
        ("store", keeps, stored),
        ("states", keeps, stored),
        ("preemptions", stateless, "--search stateless"),
        ("switches", stateless, "--search stateless"),
        ("guide", !stateless, "searches that keep states"),
        ("heap", !stateless, "searches that keep states"),
        ("reduce", !(search.samples() && orders), all_states),
        (
            "emptiness",
            !search.samples() && !lossy,
            "searches that are exact, as temporal properties do",
        ),
        (
            "shortest",
            !search.samples() && !lossy && args.fair != FairArg::Strong,
            "searches that are exact, without strong fairness",
        ),
        ("proviso", proviso, "partial-order reduction: --reduce stubborn or ample"),
    ];
    if search == SearchArg::Swarm && !lossy && given("store") {
        let message = "--store has no use here: a swarm keeps its states in compact or bitstate";
        return Some(Problem { message: message.to_owned(), help: None });
    }
    let rule = rules.into_iter().find(|&(name, used, _)| !used && given(name))?;
    let (name, _, belongs) = rule;
    let message = format!("--{name} has no use here: it belongs to {belongs}");
    let help = match name {
        "proviso" => "leave it out".to_owned(),
        _ => format!("leave it out, or choose another search than `{}`", args.search.name()),
    };
    Some(Problem { message, help: Some(help) })
}
