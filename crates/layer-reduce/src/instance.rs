//! A process as far as it is known before it runs: what each of its statements may touch, and what
//! may still happen after it.

use everypath_machine::{Machine, TransitionKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::{Bits, Cause, Footprint, Query};
use crate::facts::{CHANNELS, COUNT, PRESENCE, RUN, VISIBLE};
use crate::statement::{Guard, Statement};
use crate::touch::{Common, Key, Known};

/// A process with its tables.
pub(crate) struct Instance {
    /// Its number among all that there are.
    pub number: u32,
    pub locations: Vec<Location>,
    /// Statements behind which nothing happens as long as a condition on what all share is false.
    pub gates: Vec<Gate>,
    /// Everything that it may ever do.
    pub life: Footprint,
}

/// A statement at its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    pub location: usize,
    pub edge: usize,
    /// Where it stands in an [`Answer`], if there is room for all of them.
    pub shift: Option<u32>,
}

/// What may happen from a location as long as closed gates stay closed, for each of its statements.
pub(crate) struct Outlook {
    /// What happens in front of the gates.
    pub near: Footprint,
    /// The closed gates that are met.
    pub gates: u64,
}

/// A control location.
#[derive(Default)]
pub(crate) struct Location {
    pub edges: Vec<Edge>,
    /// Its statements depend on each other: an escape, a deterministic process, a provided clause.
    pub joined: bool,
    /// Channels on which a rendezvous is offered here or in the sequence from here: sending ends.
    pub offers: Bits,
    /// Channels on which a rendezvous is accepted here: receiving ends.
    pub accepts: Bits,
    /// What accepting one may do in the middle of the sender's sequence.
    pub accepted: Footprint,
    /// Everything that may happen from here on.
    pub future: Footprint,
    /// The gates on the way from here.
    pub gates: u64,
    /// What disturbs its statements or helps them; none if others take part in other ways.
    pub involved: Option<Footprint>,
}

/// A statement at its location.
pub(crate) struct Edge {
    pub code: u32,
    /// Where it leads; nowhere at the end of a process.
    pub target: Option<usize>,
    /// What the step does and what the processes do that it makes.
    pub near: Footprint,
    pub guard: Guard,
    /// The whole step that begins with it.
    pub step: Footprint,
    /// The step and everything that may follow.
    pub future: Footprint,
    /// A step with it may close a cycle of the control flow.
    pub sticky: bool,
    /// Its number among the gates.
    pub gate: Option<u8>,
    /// What disturbs the step.
    pub query: Option<Query>,
    /// Where it stands in an [`Answer`], if there is room for all of them.
    pub shift: Option<u32>,
}

/// How guards stand, one beside the other: 0 for a guard that is true, perhaps.
pub(crate) type Answer = u64;

/// What disturbs statements or helps them; none if more than that is to be looked at.
fn involved(edges: &[Edge]) -> Option<Footprint> {
    let mut print = Footprint::default();
    for edge in edges {
        print.add(&edge.step);
        match &edge.guard {
            Guard::End => return None,
            Guard::Else => {}
            Guard::Whole(reads) => print.add(reads),
            Guard::Parts(parts) => {
                for condition in parts {
                    condition.queries.iter().for_each(|query| print.add(&query.print));
                    print.add(&condition.helpers);
                    print.add(&condition.operands);
                }
            }
        }
    }
    Some(print)
}

/// Places in an [`Answer`] for guards; none if they do not fit.
fn places<'g>(guards: impl Iterator<Item = &'g Guard>) -> Option<Vec<u32>> {
    let mut end = 0;
    let mut starts = Vec::new();
    for guard in guards {
        starts.push(end);
        let most = match guard {
            Guard::Parts(parts) => parts.last().map_or(0, |last| u32::from(last.code) + 1),
            _ => 1,
        };
        end += u32::BITS - most.leading_zeros();
    }
    (end <= Answer::BITS).then_some(starts)
}

impl Instance {
    /// The tables of a process.
    pub fn new(common: &Common<'_>, key: &Key) -> Instance {
        Instance::build(common, key, true)
    }

    /// What an expression without an executing process reads.
    pub fn expression(common: &Common<'_>, code: u32) -> Footprint {
        let key =
            Key { ty: 0, pid: None, first_channel: None, frozen: Vec::new(), channels: Vec::new() };
        Known { common, key: &key }.all(code)
    }

    /// The same; what processes that it makes may do is told for each by itself if `deep`.
    pub fn build(common: &Common<'_>, key: &Key, deep: bool) -> Instance {
        let machine = common.machine;
        let known = Known { common, key };
        let proctype = &machine.proctypes[usize::from(key.ty)];
        let mine = |t: u32| machine.transitions[t as usize].kind == TransitionKind::Code;
        // Statements are shared by locations; a proctype has its own.
        let mut statements: FxHashMap<u32, Statement> = FxHashMap::default();
        for edge in proctype.locations.iter().flat_map(|l| &l.edges) {
            if mine(edge.transition) {
                statements
                    .entry(edge.transition)
                    .or_insert_with(|| known.statement(edge.transition as usize, deep));
            }
        }
        let provided = proctype.provided.map(|code| known.all(code));
        let sticky = feedback(machine, key.ty);
        let mut build = Build { known: &known, statements, provided, sticky, regions: Vec::new() };
        build.find_regions();
        let mut locations: Vec<Location> =
            (0..proctype.locations.len()).map(|at| build.location(at)).collect();
        build.futures(&mut locations);
        let gates = gates(&mut locations);
        let mut life = Footprint::default();
        locations.iter().for_each(|l| life.add(&l.future));
        Instance { number: 0, locations, gates, life }
    }

    /// The statement of a gate.
    pub fn gate(&self, gate: usize) -> &Edge {
        let Gate { location, edge, .. } = self.gates[gate];
        &self.locations[location].edges[edge]
    }

    /// What may happen from a location if some gates are closed, for each of its statements.
    pub fn outlook(&self, at: usize, closed: u64) -> Vec<Outlook> {
        let edges = self.locations[at].edges.iter();
        edges.map(|edge| self.outlook_behind(edge, closed)).collect()
    }

    fn outlook_behind(&self, first: &Edge, closed: u64) -> Outlook {
        let mut outlook = Outlook { near: Footprint::default(), gates: 0 };
        if first.guard.waits_for_all() {
            return outlook;
        }
        outlook.near = first.near;
        let mut seen = vec![false; self.locations.len()];
        let mut open: Vec<usize> = first.target.into_iter().collect();
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            for edge in &self.locations[at].edges {
                if let Some(gate) = edge.gate.filter(|gate| closed >> gate & 1 == 1) {
                    outlook.gates |= 1 << gate;
                } else if !edge.guard.waits_for_all() {
                    outlook.near.add(&edge.near);
                    open.extend(edge.target);
                }
            }
        }
        outlook
    }
}

/// What the locations of an instance are made from.
struct Build<'b> {
    known: &'b Known<'b>,
    statements: FxHashMap<u32, Statement>,
    provided: Option<Footprint>,
    /// Statements that close cycles, with the locations they leave.
    sticky: FxHashSet<(usize, u32)>,
    /// What a step does from each location on.
    regions: Vec<Region>,
}

/// What a step does from a location on.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Region {
    print: Footprint,
    /// Channels on which a rendezvous is offered.
    offers: Bits,
    /// It may close a cycle of the control flow.
    sticky: bool,
}

impl Region {
    fn add(&mut self, other: &Region) {
        self.print.add(&other.print);
        self.offers.add(&other.offers);
        self.sticky |= other.sticky;
    }
}

impl Build<'_> {
    fn location(&self, at: usize) -> Location {
        let machine = self.known.common.machine;
        let proctype = &machine.proctypes[usize::from(self.known.key.ty)];
        let edges = &proctype.locations[at].edges;
        let mut location = Location {
            joined: self.provided.is_some()
                || proctype.deterministic
                || edges.iter().any(|edge| edge.escape != 0)
                || edges.len() > 64,
            ..Location::default()
        };
        // All that the guards so far read.
        let mut before = Footprint::default();
        for edge in edges {
            let transition = &machine.transitions[edge.transition as usize];
            let region = self.step(at, edge.transition, true);
            location.offers.add(&region.offers);
            let mut made = Edge {
                code: transition.code,
                target: (transition.kind != TransitionKind::End)
                    .then_some(usize::from(transition.target)),
                near: Footprint::default(),
                guard: Guard::End,
                step: region.print,
                future: Footprint::default(),
                sticky: region.sticky,
                gate: None,
                query: None,
                shift: None,
            };
            match transition.kind {
                TransitionKind::Code => {
                    let statement = &self.statements[&edge.transition];
                    made.guard = statement.guard.clone();
                    location.accepts.add(&statement.accepts);
                    if statement.accepts != Bits::default() {
                        location.accepted.add(&self.step(at, edge.transition, false).print);
                    }
                    before.add(&statement.reads);
                }
                TransitionKind::Else => {
                    made.guard = Guard::Else;
                    made.step.add(&before);
                    if location.offers != Bits::default() {
                        made.step.change(PRESENCE);
                    }
                }
                TransitionKind::End => {}
            }
            location.edges.push(made);
        }
        if location.joined {
            for edge in &mut location.edges {
                edge.step.add(&before);
                if location.offers != Bits::default() {
                    edge.step.change(PRESENCE);
                }
            }
        }
        for edge in &mut location.edges {
            if edge.step.conflicts(&self.known.common.visible) {
                edge.step.change(VISIBLE);
            }
            edge.query = Some(self.known.common.prints.query(edge.step, Cause::Conflict));
        }
        location.involved = involved(&location.edges);
        if let Some(places) = places(location.edges.iter().map(|edge| &edge.guard)) {
            for (edge, place) in location.edges.iter_mut().zip(places) {
                edge.shift = Some(place);
            }
        }
        location
    }

    fn labelled(&self, at: usize) -> bool {
        let Common { machine, labels, .. } = self.known.common;
        let locations = &machine.proctypes[usize::from(self.known.key.ty)].locations;
        let marked = |location: &everypath_machine::Location| {
            labels.accept && location.accept || labels.progress && location.progress
        };
        locations.get(at).is_some_and(marked)
    }

    /// What a statement does as the first of a step, or in the middle of one, and what the step does
    /// after it.
    fn step(&self, from: usize, t: u32, first: bool) -> Region {
        let Common { machine, facts, partners, .. } = self.known.common;
        let proctype = &machine.proctypes[usize::from(self.known.key.ty)];
        let transition = &machine.transitions[t as usize];
        let to = usize::from(transition.target);
        let mut region = Region { sticky: self.sticky.contains(&(from, t)), ..Region::default() };
        let print = &mut region.print;
        if let Some(provided) = &self.provided {
            print.add(provided);
        }
        for at in [from, to] {
            let number = proctype.locations.get(at).map(|l| l.number);
            let seen = number.and_then(|number| facts.watched(number));
            seen.into_iter().for_each(|bit| print.change(bit));
            if self.labelled(at) {
                print.change(VISIBLE);
            }
            if self.accepts(at) {
                print.read(PRESENCE);
            }
        }
        match transition.kind {
            TransitionKind::Else => {}
            TransitionKind::End => self.ending(print),
            TransitionKind::Code => {
                let statement = &self.statements[&t];
                print.add(if first { &statement.first } else { &statement.inside });
                region.offers = statement.offers;
                if !first && statement.offers != Bits::default() {
                    // Others take part, or the sequence stops if nobody does.
                    print.add(partners);
                    print.change(PRESENCE);
                    region.sticky = true;
                }
                if first && statement.hands_over {
                    return region;
                }
            }
        }
        if transition.atomic && transition.kind != TransitionKind::End {
            region.add(&self.regions[to]);
        }
        region
    }

    /// Finds what steps do from each location on, until nothing new comes in.
    fn find_regions(&mut self) {
        let machine = self.known.common.machine;
        let locations = &machine.proctypes[usize::from(self.known.key.ty)].locations;
        self.regions = vec![Region::default(); locations.len()];
        // Only what follows an atomic statement is of interest.
        let mut inner = vec![false; locations.len()];
        for edge in locations.iter().flat_map(|l| &l.edges) {
            let transition = &machine.transitions[edge.transition as usize];
            if transition.atomic && transition.kind != TransitionKind::End {
                inner[usize::from(transition.target)] = true;
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..locations.len()).rev().filter(|&at| inner[at]) {
                let mut region = self.regions[at];
                for edge in &locations[at].edges {
                    region.add(&self.step(at, edge.transition, false));
                }
                changed |= region != self.regions[at];
                self.regions[at] = region;
            }
        }
    }

    /// Whether a rendezvous may be accepted at a location.
    fn accepts(&self, at: usize) -> bool {
        let proctype = &self.known.common.machine.proctypes[usize::from(self.known.key.ty)];
        proctype.locations.get(at).is_some_and(|location| {
            let statements =
                location.edges.iter().filter_map(|e| self.statements.get(&e.transition));
            statements.into_iter().any(|statement| statement.accepts != Bits::default())
        })
    }

    /// The end of a process, and of the channels that it owns.
    fn ending(&self, step: &mut Footprint) {
        let Known { common, key } = self.known;
        step.read(RUN);
        step.read(COUNT);
        let channels = common.machine.proctypes[usize::from(key.ty)].channels.len();
        if channels == 0 {
            return;
        }
        match key.first_channel {
            None => step.change(CHANNELS),
            Some(first) => {
                for k in 0..channels {
                    let (head, tail) = common.facts.channel((usize::from(first) + k) as i32 + 1);
                    step.change(head);
                    step.change(tail);
                    step.read(CHANNELS);
                }
            }
        }
    }

    /// What may follow, until nothing new comes in.
    fn futures(&self, locations: &mut [Location]) {
        let machine = self.known.common.machine;
        let proctype = &machine.proctypes[usize::from(self.known.key.ty)];
        let made = |t: u32| self.statements.get(&t).map_or(Footprint::default(), |s| s.made);
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..locations.len()).rev() {
                let mut all = locations[at].future;
                for (i, edge) in proctype.locations[at].edges.iter().enumerate() {
                    let transition = &machine.transitions[edge.transition as usize];
                    if locations[at].edges[i].guard.waits_for_all() {
                        continue;
                    }
                    let mut future = locations[at].edges[i].step;
                    future.add(&made(edge.transition));
                    locations[at].edges[i].near = future;
                    if transition.kind != TransitionKind::End {
                        future.add(&locations[usize::from(transition.target)].future);
                    }
                    locations[at].edges[i].future = future;
                    all.add(&future);
                }
                changed |= all != locations[at].future;
                locations[at].future = all;
            }
        }
    }
}

/// Finds the gates, and for each location those on the way from it.
fn gates(locations: &mut [Location]) -> Vec<Gate> {
    let mut gates: Vec<Gate> = Vec::new();
    for (location, l) in locations.iter_mut().enumerate().filter(|(_, l)| !l.joined) {
        for (edge, e) in l.edges.iter_mut().enumerate() {
            if e.guard.is_gate() && gates.len() < 64 {
                e.gate = Some(gates.len() as u8);
                gates.push(Gate { location, edge, shift: None });
            }
        }
    }
    let guards = gates.iter().map(|gate| &locations[gate.location].edges[gate.edge].guard);
    if let Some(places) = places(guards) {
        for (gate, place) in gates.iter_mut().zip(places) {
            gate.shift = Some(place);
        }
    }
    let mut changed = !gates.is_empty();
    while changed {
        changed = false;
        for at in (0..locations.len()).rev() {
            let mut ahead = locations[at].gates;
            for edge in &locations[at].edges {
                ahead |= edge.gate.map_or(0, |gate| 1 << gate);
                ahead |= edge.target.map_or(0, |to| locations[to].gates);
            }
            changed |= ahead != locations[at].gates;
            locations[at].gates = ahead;
        }
    }
    gates
}

/// Statements without which the control flow of a proctype has no cycle, with the locations they
/// leave.
fn feedback(machine: &Machine, ty: u16) -> FxHashSet<(usize, u32)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let locations = &machine.proctypes[usize::from(ty)].locations;
    let mut marks = vec![Mark::New; locations.len()];
    let mut found = FxHashSet::default();
    let start = usize::from(machine.proctypes[usize::from(ty)].start);
    for root in std::iter::once(start).chain(0..locations.len()) {
        if marks[root] != Mark::New {
            continue;
        }
        marks[root] = Mark::Open;
        let mut stack = vec![(root, 0)];
        while let Some((at, next)) = stack.last_mut() {
            let at = *at;
            let Some(edge) = locations[at].edges.get(*next) else {
                marks[at] = Mark::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            let transition = &machine.transitions[edge.transition as usize];
            if transition.kind == TransitionKind::End {
                continue;
            }
            let to = usize::from(transition.target);
            match marks[to] {
                Mark::Open => {
                    found.insert((at, edge.transition));
                }
                Mark::New => {
                    marks[to] = Mark::Open;
                    stack.push((to, 0));
                }
                Mark::Done => {}
            }
        }
    }
    found
}
