//! Statement merging: what a process does with its own variables alone belongs to the step before.
//!
//! Where every statement of a location is local and one of them can always be executed, nobody else
//! can tell whether the process is there or behind it. Such a location is *passed*: statements that
//! lead to it keep others out, as inside an atomic sequence, so that the state is not stored. Each
//! cycle of such locations keeps one that is not passed.

use everypath_machine::code::Op;
use everypath_machine::{Edge, Location, TransitionKind};

use crate::Observed;
use crate::local::{Local, local, written_globals};
use crate::program::{Program, Visible};
use rustc_hash::FxHashMap;

/// How many ways there may be through passed locations: each becomes a step of its own.
const MOST_WAYS: u32 = 16;

/// Merges statements.
pub(crate) fn merge(program: &mut Program, observed: &Observed) {
    let visible = program.visible(observed);
    if visible.everywhere || minds_absence(program) {
        return;
    }
    let written = written_globals(program);
    let locals: Vec<Option<Local>> = program
        .statements
        .iter()
        .zip(&program.machine.transitions)
        .map(|(statement, transition)| {
            local(program, &visible, &written, statement.as_ref()?, transition.proctype)
        })
        .collect();
    for ty in 0..program.machine.proctypes.len() {
        let proctype = &program.machine.proctypes[ty];
        if proctype.provided.is_some() || proctype.deterministic {
            continue;
        }
        let passed = Passing { program, visible: &visible, locals: &locals, ty }.passed();
        for transition in &mut program.machine.transitions {
            let here = usize::from(transition.proctype) == ty;
            let on = transition.kind != TransitionKind::End;
            if here && on && passed[usize::from(transition.target)] {
                transition.atomic = true;
            }
        }
    }
}

/// Whether somebody can do something only as long as nobody receives from it: an `else` beside the
/// send of a rendezvous, or a statement whose escape begins with one.
fn minds_absence(program: &Program) -> bool {
    let machine = &program.machine;
    if machine.channel_types.iter().all(|ty| ty.capacity > 0) {
        return false;
    }
    let offers = |transition: u32| {
        let statement = program.statements[transition as usize].as_ref();
        let offers = |op: &Op| matches!(op, Op::SendGuard { .. });
        statement.is_some_and(|routine| routine.ops.iter().any(offers))
    };
    machine.proctypes.iter().flat_map(|proctype| &proctype.locations).any(|location| {
        location.edges.iter().enumerate().any(|(at, edge)| {
            let kind = |later: &Edge| machine.transitions[later.transition as usize].kind;
            let minds = |later: &Edge| {
                kind(later) == TransitionKind::Else
                    || edge.escape != 0 && later.escape != edge.escape
            };
            offers(edge.transition) && location.edges[at + 1..].iter().any(minds)
        })
    })
}

struct Passing<'a> {
    program: &'a Program,
    visible: &'a Visible,
    locals: &'a [Option<Local>],
    ty: usize,
}

impl Passing<'_> {
    /// Which locations are passed.
    fn passed(&self) -> Vec<bool> {
        let count = self.locations().len();
        let mut passed: Vec<bool> = (0..count).map(|at| self.may_pass(at)).collect();
        self.settle(&mut passed);
        // Without end nobody else would ever move.
        while let Some(kept) = self.endless(&passed) {
            for at in kept {
                passed[at] = false;
            }
            self.settle(&mut passed);
        }
        self.limit_ways(&mut passed);
        self.settle(&mut passed);
        passed
    }

    /// Keeps locations from which a local statement goes on at once with one that is not: the first
    /// of an atomic sequence.
    fn settle(&self, passed: &mut [bool]) {
        let transition = |edge: &Edge| &self.program.machine.transitions[edge.transition as usize];
        loop {
            let leads_on = |at: &usize| {
                let edges = self.locations()[*at].edges.iter().map(transition);
                edges.into_iter().any(|t| t.atomic && !passed[usize::from(t.target)])
            };
            let kept: Vec<usize> =
                (0..passed.len()).filter(|&at| passed[at]).filter(leads_on).collect();
            if kept.is_empty() {
                return;
            }
            for at in kept {
                passed[at] = false;
            }
        }
    }

    fn locations(&self) -> &[Location] {
        &self.program.machine.proctypes[self.ty].locations
    }

    /// A location of each set of them in which a step could go round for ever, because some of them
    /// are passed and the statements between the others keep everybody out anyway.
    fn endless(&self, passed: &[bool]) -> Option<Vec<usize>> {
        let locations = self.locations();
        let transition = |edge: &Edge| &self.program.machine.transitions[edge.transition as usize];
        let held = |at: usize| {
            let edges = locations[at].edges.iter().map(transition);
            let on = edges.filter(|t| t.kind != TransitionKind::End);
            on.filter(|t| t.atomic || passed[usize::from(t.target)])
                .map(|t| usize::from(t.target))
                .collect::<Vec<usize>>()
        };
        let graph: Vec<Vec<usize>> = (0..locations.len()).map(held).collect();
        let component = components(&graph);
        let mut kept: FxHashMap<usize, usize> = FxHashMap::default();
        for (at, location) in locations.iter().enumerate() {
            for t in location.edges.iter().map(transition) {
                let to = usize::from(t.target);
                let round = component[at] == component[to] && t.kind != TransitionKind::End;
                if round && !t.atomic && passed[to] {
                    // Best where there is no other way on: a loop is then left in the step that
                    // ends it.
                    let ways = |at: usize| (locations[at].edges.len(), at);
                    let best = kept.entry(component[at]).or_insert(to);
                    if ways(to) < ways(*best) {
                        *best = to;
                    }
                }
            }
        }
        let mut kept: Vec<usize> = kept.into_values().collect();
        kept.sort_unstable();
        (!kept.is_empty()).then_some(kept)
    }

    /// Keeps locations from which a step could go on in too many ways.
    fn limit_ways(&self, passed: &mut [bool]) {
        let locations = self.locations();
        // Ways are counted when a location is left, so that those behind it are known.
        let mut ways = vec![0u32; locations.len()];
        let mut seen = vec![false; locations.len()];
        for root in 0..locations.len() {
            if !passed[root] || std::mem::replace(&mut seen[root], true) {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((at, edge)) = path.last_mut() {
                let at = *at;
                let Some(out) = locations[at].edges.get(*edge) else {
                    ways[at] = self.ways(at, passed, &ways);
                    passed[at] &= ways[at] <= MOST_WAYS;
                    path.pop();
                    continue;
                };
                *edge += 1;
                let to = self.target(out.transition);
                if passed[to] && !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
        }
    }

    fn target(&self, transition: u32) -> usize {
        usize::from(self.program.machine.transitions[transition as usize].target)
    }

    /// Whether nobody can tell that a process is here.
    fn may_pass(&self, at: usize) -> bool {
        let locations = self.locations();
        let location = &locations[at];
        let seen = |number: u32| self.visible.locations.contains(&number);
        if location.accept || location.progress || seen(location.number) {
            return false;
        }
        let mut always = false;
        for edge in &location.edges {
            let transition = &self.program.machine.transitions[edge.transition as usize];
            match transition.kind {
                // If nothing else can be executed, it can.
                TransitionKind::Else => always = true,
                TransitionKind::End => return false,
                TransitionKind::Code => match self.locals[edge.transition as usize] {
                    Some(local) => always |= local.always,
                    None => return false,
                },
            }
            let to = &locations[usize::from(transition.target)];
            if seen(to.number) || to.accept || to.progress {
                return false;
            }
        }
        always
    }

    /// In how many ways a step can go on from a location that is passed.
    fn ways(&self, at: usize, passed: &[bool], ways: &[u32]) -> u32 {
        let edges = &self.locations()[at].edges;
        let (mut sum, mut otherwise) = (0u32, 0);
        for edge in edges {
            let transition = &self.program.machine.transitions[edge.transition as usize];
            let to = usize::from(transition.target);
            let on = if passed[to] { ways[to].max(1) } else { 1 };
            match transition.kind {
                // Never together with another one.
                TransitionKind::Else => otherwise = on,
                _ => sum = sum.saturating_add(on),
            }
        }
        sum.max(otherwise)
    }
}

/// The strongly connected component of each node of a graph, by the number of one of its nodes.
fn components(graph: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut component = vec![NONE; graph.len()];
    // Tarjan's algorithm: when a node was found, and the earliest one that it leads back to.
    let (mut index, mut low) = (vec![NONE; graph.len()], vec![NONE; graph.len()]);
    let mut stack: Vec<usize> = Vec::new();
    let mut count = 0;
    for root in 0..graph.len() {
        if index[root] != NONE {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((at, edge)) = path.last_mut() {
            let at = *at;
            if *edge == 0 {
                (index[at], low[at]) = (count, count);
                count += 1;
                stack.push(at);
            }
            if let Some(&to) = graph[at].get(*edge) {
                *edge += 1;
                if index[to] == NONE {
                    path.push((to, 0));
                } else if component[to] == NONE {
                    low[at] = low[at].min(index[to]);
                }
                continue;
            }
            if low[at] == index[at] {
                while let Some(member) = stack.pop() {
                    component[member] = at;
                    if member == at {
                        break;
                    }
                }
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                low[*before] = low[*before].min(low[at]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn components_are_what_leads_back() {
        let graph = [vec![1], vec![2, 3], vec![0], vec![4], vec![3, 4], vec![]];
        let found = components(&graph);
        assert!(found[0] == found[1] && found[1] == found[2]);
        assert_eq!(found[3], found[4]);
        assert!(found[0] != found[3] && found[3] != found[5] && found[0] != found[5]);
    }
}
