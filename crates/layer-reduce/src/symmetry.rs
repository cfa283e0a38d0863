//! Which processes can stand for each other.
//!
//! The processes of a proctype are alike if nobody can tell their numbers: their code uses `_pid` for
//! nothing but the element of an array that is their own, nobody else uses these arrays, and no
//! statement of the model names a process by its number or counts processes. Then exchanging the
//! records of two of them, with their elements, changes nothing but who has to end first. Nobody
//! notices that: channels are global, a process that is made later does not know its number, and
//! since every `run` is executed at most once there is always room for it.

use std::collections::{BTreeMap, BTreeSet};

use everypath_machine::code::{Op, REGISTERS, Reg, Space, Unary};
use everypath_machine::{Field, Interpreter, Machine, Shape, TransitionKind};
use rustc_hash::FxHashMap;

use crate::facts::Row;

/// Processes that there can be at once.
const MOST_PROCESSES: usize = 255;

/// The proctypes whose processes are alike.
#[derive(Clone, Debug, Default)]
pub struct Symmetry {
    groups: Vec<Group>,
}

/// A proctype whose processes are alike.
#[derive(Clone, Debug)]
struct Group {
    proctype: u16,
    /// Elements of arrays that belong to the processes, by the numbers of these.
    owned: Vec<Vec<Field>>,
}

/// What is known of the value in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    /// It does not depend on the number of a process.
    Free,
    /// It is 0.
    Zero,
    /// The number of the executing process.
    Pid,
    /// That number times this.
    Index(u32),
    /// The number of a process that was just made.
    Born,
    /// It may depend on the number of a process.
    Mixed,
}

impl Tag {
    fn join(self, other: Tag) -> Tag {
        match (self, other) {
            _ if self == other => self,
            (Tag::Free | Tag::Zero, Tag::Free | Tag::Zero) => Tag::Free,
            _ => Tag::Mixed,
        }
    }

    fn tells(self) -> bool {
        !matches!(self, Tag::Free | Tag::Zero)
    }
}

/// What code does with numbers of processes.
#[derive(Default)]
struct Uses {
    /// It depends on the number of its own process in another way than by elements of arrays.
    tells: bool,
    /// It depends on the number of a process that it made.
    keeps_born: bool,
    /// Elements that it uses by the number of its own process: the first one and the distance.
    own: BTreeSet<(u32, u32)>,
    /// The fewest elements that these have.
    bound: Option<u32>,
    /// Other global variables that it uses, by an access.
    others: Vec<(Field, bool)>,
}

impl Symmetry {
    /// Finds out which processes are alike, and says of the others why they are not.
    pub fn find(interpreter: &Interpreter) -> (Symmetry, Vec<String>) {
        let machine = interpreter.machine();
        let mut remarks = Vec::new();
        let mut symmetry = Symmetry::default();
        let makes = match makes(machine) {
            Ok(makes) => makes,
            Err(why) => return (symmetry, vec![format!("no processes are alike: {why}")]),
        };
        let row = Row::new(&machine.global_cells);
        let uses: Vec<Uses> = (0..machine.proctypes.len()).map(|ty| uses(machine, ty)).collect();
        let numbered = |uses: &Uses| uses.tells || !uses.own.is_empty();
        if uses.iter().zip(&makes).any(|(uses, &made)| made > 0 && numbered(uses)) {
            let why = "a process that is made by `run` uses its number";
            return (symmetry, vec![format!("no processes are alike: {why}")]);
        }
        let invariants = invariants(machine);
        if uses.iter().any(|one| one.keeps_born) {
            let why = "the value of a `run` is used";
            return (symmetry, vec![format!("no processes are alike: {why}")]);
        }
        let processes = machine.initial.len() + makes.iter().sum::<usize>();
        for (ty, proctype) in machine.proctypes.iter().enumerate() {
            let initial = machine.initial.iter().filter(|&&one| usize::from(one) == ty).count();
            if initial + makes[ty] < 2 {
                continue;
            }
            let elsewhere = uses.iter().enumerate().filter(|(other, _)| *other != ty);
            let elsewhere: Vec<&Uses> =
                elsewhere.map(|(_, uses)| uses).chain([&invariants]).collect();
            match group(&row, ty, &uses[ty], &elsewhere, processes) {
                Ok(group) => symmetry.groups.push(group),
                Err(why) => {
                    remarks.push(format!("processes of {} are not alike: {why}", proctype.name));
                }
            }
        }
        if symmetry.groups.is_empty() && remarks.is_empty() {
            remarks.push("no processes are alike: there is one of each kind".to_owned());
        }
        (symmetry, remarks)
    }

    /// Whether there is nothing to exchange.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Exchanges processes that are alike until they stand in order. `shape` is scratch memory.
    /// `exchanged` is told which two change places.
    pub fn sort(
        &self,
        machine: &Machine,
        shape: &mut Shape,
        state: &mut [u32],
        mut exchanged: impl FnMut(usize, usize),
    ) {
        shape.walk(machine, state);
        for group in &self.groups {
            let mut sorted: Option<usize> = None;
            for pid in 0..shape.processes.len() {
                if shape.processes[pid].ty != group.proctype {
                    continue;
                }
                let words = machine.proctypes[usize::from(group.proctype)].words as usize;
                let mut at = pid;
                let mut before = sorted;
                while let Some(older) = before.filter(|&older| {
                    let places = [older, at].map(|p| shape.processes[p].offset as usize);
                    group.is_before(machine, words, state, (at, places[1]), (older, places[0]))
                }) {
                    let places = [older, at].map(|p| shape.processes[p].offset as usize);
                    group.exchange(machine, words, state, (older, places[0]), (at, places[1]));
                    exchanged(older, at);
                    at = older;
                    let kind = |p: &usize| shape.processes[*p].ty == group.proctype;
                    before = (0..older).rev().find(kind);
                }
                sorted = Some(pid);
            }
        }
    }
}

/// A process: its number and where its record begins.
type Seat = (usize, usize);

impl Group {
    fn globals<'s>(machine: &Machine, state: &'s [u32]) -> &'s [u32] {
        &state[machine.hidden_words as usize..]
    }

    /// Whether one process comes before another.
    fn is_before(&self, machine: &Machine, words: usize, state: &[u32], a: Seat, b: Seat) -> bool {
        let (first, second) = (&state[a.1..a.1 + words], &state[b.1..b.1 + words]);
        if first != second {
            return first < second;
        }
        let globals = Group::globals(machine, state);
        let value = |cells: &[Field], pid: usize| cells[pid].get(globals);
        let mut pairs = self.owned.iter().map(|cells| (value(cells, a.0), value(cells, b.0)));
        pairs.find(|(x, y)| x != y).is_some_and(|(x, y)| x < y)
    }

    fn exchange(&self, machine: &Machine, words: usize, state: &mut [u32], a: Seat, b: Seat) {
        for word in 0..words {
            state.swap(a.1 + word, b.1 + word);
        }
        let globals = &mut state[machine.hidden_words as usize..];
        for cells in &self.owned {
            let (x, y) = (cells[a.0].get(globals), cells[b.0].get(globals));
            cells[a.0].set(globals, y);
            cells[b.0].set(globals, x);
        }
    }
}

/// How often processes of each proctype are made by others, if that is at most once by each `run`.
fn makes(machine: &Machine) -> Result<Vec<usize>, &'static str> {
    if machine.last.is_some() {
        return Err("`_last` names a process");
    }
    if machine.uses_priorities {
        return Err("processes have priorities");
    }
    if machine.proctypes.iter().any(|proctype| !proctype.channels.is_empty()) {
        return Err("processes own channels");
    }
    for op in &machine.code {
        match op {
            Op::LoadRemote { .. } | Op::AtState { .. } | Op::FirstOf { .. } => {
                return Err("a statement asks another process for its place or its variables");
            }
            Op::PcValue { .. } | Op::Enabled { .. } => return Err("a statement names a process"),
            Op::GetPriority { .. } | Op::SetPriority { .. } => {
                return Err("processes have priorities");
            }
            Op::ProcessCount { .. } => return Err("`_nr_pr` counts processes"),
            _ => {}
        }
    }
    let mut makes = vec![0; machine.proctypes.len()];
    let mut makers = BTreeSet::new();
    for (ty, proctype) in machine.proctypes.iter().enumerate() {
        for (at, location) in proctype.locations.iter().enumerate() {
            for edge in &location.edges {
                let transition = &machine.transitions[edge.transition as usize];
                if transition.kind != TransitionKind::Code {
                    continue;
                }
                let made = made_by(machine, transition.code);
                if made.is_empty() {
                    continue;
                }
                makers.insert(ty);
                if reaches(machine, ty, usize::from(transition.target), at) {
                    return Err("processes are made in a loop");
                }
                made.into_iter().for_each(|made| makes[made] += 1);
            }
        }
    }
    let total = machine.initial.len() + makes.iter().sum::<usize>();
    let again = makers.iter().any(|&ty| {
        makes[ty] > 0 || machine.initial.iter().filter(|&&one| usize::from(one) == ty).count() > 1
    });
    if again || total > MOST_PROCESSES {
        return Err("it is not known how many processes are made");
    }
    Ok(makes)
}

/// The proctypes that code makes processes of.
fn made_by(machine: &Machine, code: u32) -> Vec<usize> {
    let mut made = Vec::new();
    follow(machine, code, |_, op, _| {
        if let Op::Run { proctype, .. } = op {
            made.push(usize::from(proctype));
        }
    });
    made
}

/// Whether control can get from one location to another.
fn reaches(machine: &Machine, ty: usize, from: usize, to: usize) -> bool {
    let locations = &machine.proctypes[ty].locations;
    let mut seen = vec![false; locations.len()];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if at == to {
            return true;
        }
        if at >= locations.len() || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        for edge in &locations[at].edges {
            let transition = &machine.transitions[edge.transition as usize];
            if transition.kind != TransitionKind::End {
                open.push(usize::from(transition.target));
            }
        }
    }
    false
}

/// Whether the processes of a proctype are alike.
fn group(
    row: &Row,
    ty: usize,
    uses: &Uses,
    elsewhere: &[&Uses],
    processes: usize,
) -> Result<Group, String> {
    if uses.tells {
        return Err("they use their numbers".to_owned());
    }
    if uses.bound.is_some_and(|bound| (bound as usize) < processes) {
        return Err("an array has no element for some of them".to_owned());
    }
    let mut owned: BTreeMap<usize, Vec<Field>> = BTreeMap::new();
    for &(bit, by) in &uses.own {
        let unknown = || "their elements of an array are not known".to_owned();
        let array = row.group(bit).ok_or_else(unknown)?;
        let cells = row.fields(array);
        let fits =
            |pid: usize| cells.get(pid).is_some_and(|cell| cell.bit == bit + pid as u32 * by);
        if !(0..processes).all(fits) {
            return Err(unknown());
        }
        owned.insert(array, cells.to_vec());
    }
    let same = |other: &&Uses| {
        let own = other.own.iter().map(|&(bit, _)| bit);
        own.chain(other.others.iter().map(|(field, _)| field.bit))
            .any(|bit| row.group(bit).is_none_or(|array| owned.contains_key(&array)))
    };
    let mine = Uses { others: uses.others.clone(), ..Uses::default() };
    if !owned.is_empty() && elsewhere.iter().chain([&&mine]).any(same) {
        return Err("others use the elements of arrays that go with their numbers".to_owned());
    }
    let owned = owned.into_values().collect();
    Ok(Group { proctype: ty as u16, owned })
}

/// What the code of a proctype does with numbers of processes.
fn uses(machine: &Machine, ty: usize) -> Uses {
    let mut uses = Uses::default();
    let proctype = &machine.proctypes[ty];
    let statements = machine.transitions.iter().filter(|transition| {
        usize::from(transition.proctype) == ty && transition.kind == TransitionKind::Code
    });
    let codes = statements.map(|transition| transition.code);
    for code in codes.chain([proctype.init]).chain(proctype.provided) {
        uses.add(machine, code);
    }
    uses
}

/// The same for the invariants.
fn invariants(machine: &Machine) -> Uses {
    let mut uses = Uses::default();
    machine.invariants.iter().for_each(|invariant| uses.add(machine, invariant.code));
    uses
}

impl Uses {
    fn add(&mut self, machine: &Machine, code: u32) {
        follow(machine, code, |_, op, tags| {
            let tag = |r: Reg| tags[usize::from(r)];
            match op {
                Op::Load { space: Space::Global, field, .. }
                | Op::Store { space: Space::Global, field, .. } => self.others.push((field, false)),
                Op::LoadAt { space: Space::Global, at, field, .. }
                | Op::StoreAt { space: Space::Global, at, field, .. } => match tag(at) {
                    Tag::Index(by) => {
                        self.own.insert((field.bit, by));
                    }
                    _ => self.others.push((field, true)),
                },
                _ => {}
            }
            match op {
                Op::Move { .. } | Op::Print { .. } => {}
                Op::Scale { d, a, .. } if tag(a) == Tag::Pid && tag(d) == Tag::Zero => {}
                Op::Bound { a, count, .. } if tag(a) == Tag::Pid => {
                    self.bound = Some(self.bound.map_or(count, |bound| bound.min(count)));
                }
                Op::LoadAt { space: Space::Global, at, .. } if matches!(tag(at), Tag::Index(_)) => {
                }
                Op::StoreAt { space: Space::Global, at, s, .. }
                    if matches!(tag(at), Tag::Index(_)) && !tag(s).tells() => {}
                // That a process was made does not tell which.
                Op::JumpIfZero { a, .. }
                | Op::JumpIfNotZero { a, .. }
                | Op::Unary { op: Unary::Truth | Unary::Not, a, .. }
                    if tag(a) == Tag::Born => {}
                _ => {
                    let sources = op.sources(&machine.patterns);
                    for r in (0..REGISTERS).map(|r| r as Reg).filter(|&r| sources.contains(r)) {
                        self.tells |= matches!(tag(r), Tag::Pid | Tag::Index(_) | Tag::Mixed);
                        self.keeps_born |= matches!(tag(r), Tag::Born | Tag::Mixed);
                    }
                }
            }
        });
    }
}

/// Shows every instruction of code with what is known of the registers before it, until nothing new
/// is known.
fn follow(machine: &Machine, code: u32, mut see: impl FnMut(u32, Op, &[Tag])) {
    let mut before: FxHashMap<u32, Vec<Tag>> = FxHashMap::default();
    // A value that was not set in this code is not read in it.
    before.insert(code, vec![Tag::Free; REGISTERS]);
    let mut open = vec![code];
    while let Some(pc) = open.pop() {
        let op = machine.code[pc as usize];
        let mut tags = before[&pc].clone();
        see(pc, op, &tags);
        if let Some(d) = op.destination() {
            let tag = |r: Reg| tags[usize::from(r)];
            let made = match op {
                Op::Pid { .. } => Tag::Pid,
                Op::Const { value: 0, .. } => Tag::Zero,
                Op::Move { a, .. } => tag(a),
                Op::Run { .. } => Tag::Born,
                Op::Scale { d, a, by } => match (tag(d), tag(a)) {
                    (Tag::Zero, Tag::Pid) => Tag::Index(by),
                    (d, a) if d.tells() || a.tells() => Tag::Mixed,
                    _ => Tag::Free,
                },
                _ => Tag::Free,
            };
            tags[usize::from(d)] = made;
        }
        let next = match op {
            Op::Done | Op::Blocked { .. } => [None, None],
            Op::Jump { to } => [Some(to), None],
            Op::JumpIfZero { to, .. } | Op::JumpIfNotZero { to, .. } => [Some(pc + 1), Some(to)],
            Op::SendGuard { or, .. } | Op::ReceiveGuard { or, .. } => [Some(pc + 1), Some(or)],
            _ => [Some(pc + 1), None],
        };
        for to in next.into_iter().flatten() {
            match before.get_mut(&to) {
                None => {
                    before.insert(to, tags.clone());
                    open.push(to);
                }
                Some(known) => {
                    let mut changed = false;
                    for (old, new) in known.iter_mut().zip(&tags) {
                        let joined = old.join(*new);
                        changed |= joined != *old;
                        *old = joined;
                    }
                    if changed {
                        open.push(to);
                    }
                }
            }
        }
    }
}
