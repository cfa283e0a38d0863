//! Which steps of processes move past the steps of others: locals, locks and what they protect.
//!
//! A lock is a global variable that is taken by steps that wait for one value and then write another
//! one, and given back by writing the first one where the process certainly has it; nothing else reads
//! or writes it. A variable is protected if there is a lock that every process has whenever it touches
//! it. Whatever cannot be shown is no mover.

use everypath_machine::code::Op;
use everypath_machine::{Field, Interpreter, Machine, Shape, TransitionKind};
use everypath_model::{Mover, Successors, TransitionSystem};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::{Bits, Footprint};
use crate::facts::{CHANNELS, COUNT, PRESENCE, RUN};
use crate::options::Options;
use crate::steps::{Deed, Step, Walk};
use crate::tables::Tables;
use crate::touch::{Key, Known};
use crate::walk::walk;

/// Processes that are looked at one by one at most.
const MOST_PROCESSES: usize = 256;
/// Locks at most.
const MOST_LOCKS: usize = 64;

/// The movers of a machine.
pub(crate) struct Movers {
    /// For each proctype and location.
    places: Vec<Vec<Place>>,
    /// The names of the variables that are locks.
    pub locks: Vec<String>,
    /// The names of the variables that they protect.
    pub protected: Vec<String>,
}

/// What is known of a location.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// For each of its statements.
    pub movers: Vec<(u32, Mover)>,
    /// All of them are left movers.
    pub left: bool,
    /// Some process may stop here.
    met: bool,
}

/// A set of locks.
type Locks = u64;

/// One process, or several that nothing tells apart.
struct Process {
    key: Key,
    several: bool,
    start: usize,
    steps: Vec<Step>,
    /// What all of them may touch.
    life: Footprint,
}

impl Movers {
    /// The movers; the reason why there are none.
    pub fn new(interpreter: &Interpreter) -> Result<Movers, &'static str> {
        let machine = interpreter.machine();
        let tables = Tables::new(interpreter, &Options::default())?;
        if machine.code.iter().any(|op| matches!(op, Op::Timeout { .. })) {
            return Err("`timeout` depends on all processes");
        }
        let mut processes = find_processes(interpreter, &tables)?;
        for process in &mut processes {
            let common = tables.common(machine);
            let known = Known { common: &common, key: &process.key };
            process.steps = Walk::new(&known).steps(process.start);
            process.steps.iter().for_each(|step| process.life.add(&step.print));
        }
        let analysis = Analysis::new(&tables, processes);
        Ok(analysis.movers(machine))
    }

    /// What is known of a location.
    pub fn place(&self, ty: u16, location: usize) -> &Place {
        &self.places[usize::from(ty)][location]
    }
}

/// All processes that there may ever be.
fn find_processes(
    interpreter: &Interpreter,
    tables: &Tables,
) -> Result<Vec<Process>, &'static str> {
    let machine = interpreter.machine();
    let mut out = Successors::new();
    let state = match (interpreter.initial(&mut interpreter.worker(), &mut out), out.steps()) {
        (Ok(()), [step]) if step.fault.is_none() => out.target(step).to_vec(),
        _ => return Err("the initial state cannot be made"),
    };
    let mut shape = Shape::default();
    shape.walk(machine, &state);
    let mut processes = Vec::new();
    let mut seen: FxHashSet<Key> = FxHashSet::default();
    let process = |key: Key, several: bool| {
        let start = usize::from(machine.proctypes[usize::from(key.ty)].start);
        Process { key, several, start, steps: Vec::new(), life: Footprint::default() }
    };
    for pid in 0..shape.processes.len() {
        processes.push(process(tables.key(machine, &state, &shape, pid), false));
    }
    let mut next = 0;
    while next < processes.len() {
        let key = processes[next].key.clone();
        next += 1;
        let common = tables.common(machine);
        let known = Known { common: &common, key: &key };
        let own = machine.transitions.iter().filter(|t| t.proctype == key.ty);
        let mut made = Vec::new();
        for transition in own.filter(|t| t.kind == TransitionKind::Code) {
            let fits = walk(machine, &known, transition.code, |_, op, regs| {
                made.extend(known.made(op, regs));
            });
            if !fits {
                return Err("a statement is too long to be looked at");
            }
        }
        for key in made {
            if seen.insert(key.clone()) {
                processes.push(process(key, true));
            }
        }
        if processes.len() > MOST_PROCESSES {
            return Err("there are too many processes to be looked at");
        }
    }
    Ok(processes)
}

/// What is found about all processes together.
struct Analysis<'a> {
    tables: &'a Tables,
    processes: Vec<Process>,
    /// The bits of the variables that are locks, with the value of a free one.
    locks: Vec<(usize, i32)>,
    /// For each process and location the locks that it certainly has there.
    held: Vec<FxHashMap<usize, Locks>>,
    /// The locks that protect each variable, by its bit.
    protection: Vec<Locks>,
}

impl Analysis<'_> {
    fn new(tables: &Tables, processes: Vec<Process>) -> Analysis<'_> {
        let locks = candidates(tables, &processes);
        let mut analysis =
            Analysis { tables, processes, locks, held: Vec::new(), protection: Vec::new() };
        // A lock that somebody gives back without having it is none; the others are as they were.
        loop {
            analysis.held = analysis.processes.iter().map(|p| analysis.holding(p)).collect();
            let mut wrong: Locks = 0;
            for (process, held) in analysis.processes.iter().zip(&analysis.held) {
                for step in &process.steps {
                    wrong |= analysis.given(step) & !held[&step.from];
                }
            }
            if wrong == 0 {
                break;
            }
            let mut index = 0;
            analysis.locks.retain(|_| {
                index += 1;
                wrong >> (index - 1) & 1 == 0
            });
        }
        analysis.protection = (0..Bits::COUNT).map(|bit| analysis.protecting(bit)).collect();
        analysis
    }

    /// The locks that a step does something to, as far as `wanted` says.
    fn locks_of(&self, step: &Step, wanted: impl Fn(Deed) -> bool) -> Locks {
        let mut locks = 0;
        for (index, (bit, _)) in self.locks.iter().enumerate() {
            if step.deeds.get(bit).is_some_and(|&deed| wanted(deed)) {
                locks |= 1 << index;
            }
        }
        locks
    }

    fn taken(&self, step: &Step) -> Locks {
        self.locks_of(step, |deed| matches!(deed, Deed::Take { .. }))
    }

    fn given(&self, step: &Step) -> Locks {
        self.locks_of(step, |deed| matches!(deed, Deed::Give { .. }))
    }

    /// The locks that a process certainly has at each location where it may stop.
    fn holding(&self, process: &Process) -> FxHashMap<usize, Locks> {
        let mut held: FxHashMap<usize, Locks> = FxHashMap::default();
        held.insert(process.start, 0);
        let mut changed = true;
        while changed {
            changed = false;
            for step in &process.steps {
                let Some(&before) = held.get(&step.from) else { continue };
                let after = (before | self.taken(step)) & !self.given(step);
                for &to in &step.stops {
                    let known = held.entry(to).or_insert(Locks::MAX);
                    changed |= *known & after != *known;
                    *known &= after;
                }
            }
        }
        held
    }

    /// The locks that everybody has who touches a variable.
    fn protecting(&self, bit: usize) -> Locks {
        let mut locks = Locks::MAX;
        for (process, held) in self.processes.iter().zip(&self.held) {
            for step in process.steps.iter().filter(|step| step.print.touched.contains(bit)) {
                locks &= held[&step.from] | self.taken(step);
            }
        }
        locks
    }

    /// Whether another process may disturb what a step of this one does with a resource.
    fn disturbed(&self, me: usize, step: &Step, bit: usize) -> bool {
        let others = self.processes.iter().enumerate();
        let mut others = others.filter(|&(index, process)| index != me || process.several);
        others.any(|(_, Process { life, .. })| {
            life.changed.contains(bit)
                || step.print.changed.contains(bit) && life.touched.contains(bit)
        })
    }

    fn mover(&self, me: usize, step: &Step) -> Mover {
        let never = [RUN, COUNT, CHANNELS, PRESENCE];
        if step.joint || never.iter().any(|&bit| step.print.touched.contains(bit)) {
            return Mover::NONE;
        }
        let before = self.held[me][&step.from];
        let after = (before | self.taken(step)) & !self.given(step);
        let mut mover = Mover::BOTH;
        for bit in (0..Bits::COUNT).filter(|&bit| step.print.touched.contains(bit)) {
            if self.tables.facts.is_channel(bit) {
                return Mover::NONE;
            }
            if !self.disturbed(me, step, bit) {
                continue;
            }
            let lock = self.locks.iter().any(|lock| lock.0 == bit);
            match step.deeds.get(&bit).filter(|_| lock) {
                Some(Deed::Take { .. }) => mover.left = false,
                Some(Deed::Give { .. }) => mover.right = false,
                None => {
                    mover.left &= self.protection[bit] & before != 0;
                    mover.right &= self.protection[bit] & after != 0;
                }
            }
        }
        mover
    }

    fn movers(&self, machine: &Machine) -> Movers {
        let mut places: Vec<Vec<Place>> = Vec::new();
        for proctype in &machine.proctypes {
            let place = |location: &everypath_machine::Location| Place {
                movers: location.edges.iter().map(|e| (e.transition, Mover::BOTH)).collect(),
                left: false,
                met: false,
            };
            places.push(proctype.locations.iter().map(place).collect());
        }
        for (me, process) in self.processes.iter().enumerate() {
            for step in &process.steps {
                let mover = self.mover(me, step);
                let place = &mut places[usize::from(process.key.ty)][step.from];
                place.met = true;
                let known = &mut place.movers[step.edge].1;
                known.left &= mover.left;
                known.right &= mover.right;
            }
        }
        for place in places.iter_mut().flatten() {
            if !place.met {
                place.movers.iter_mut().for_each(|(_, mover)| *mover = Mover::NONE);
            }
            place.left = place.movers.iter().all(|(_, mover)| mover.left);
        }
        let names = |wanted: &dyn Fn(usize) -> bool| {
            let bit = |field: Field| self.tables.facts.global(field, None)?.first().copied();
            let cells = machine.global_cells.iter().filter(|cell| !cell.synthetic);
            let wanted = cells.filter(|cell| bit(cell.field).is_some_and(wanted));
            wanted.map(|cell| cell.name.clone()).collect::<Vec<_>>()
        };
        let is_lock = |bit: usize| self.locks.iter().any(|lock| lock.0 == bit);
        let touched = |bit: usize| {
            let mut steps = self.processes.iter().flat_map(|process| &process.steps);
            steps.any(|step| step.print.touched.contains(bit))
        };
        let protected = |bit: usize| !is_lock(bit) && touched(bit) && self.protection[bit] != 0;
        Movers { places, locks: names(&is_lock), protected: names(&protected) }
    }
}

/// Variables that every step only takes and gives back, beginning with free ones.
fn candidates(tables: &Tables, processes: &[Process]) -> Vec<(usize, i32)> {
    let mut free: FxHashMap<usize, i32> = FxHashMap::default();
    let mut taken: FxHashSet<usize> = FxHashSet::default();
    let mut not: FxHashSet<usize> = FxHashSet::default();
    for step in processes.iter().flat_map(|process| &process.steps) {
        for bit in (0..Bits::COUNT).filter(|&bit| step.print.touched.contains(bit)) {
            let value = match step.deeds.get(&bit) {
                Some(&Deed::Take { free }) => {
                    taken.insert(bit);
                    free
                }
                Some(&Deed::Give { free }) => free,
                None => {
                    not.insert(bit);
                    continue;
                }
            };
            if *free.entry(bit).or_insert(value) != value {
                not.insert(bit);
            }
        }
    }
    let mut locks: Vec<(usize, i32)> = free
        .into_iter()
        .filter(|(bit, free)| {
            taken.contains(bit) && !not.contains(bit) && tables.facts.initial(*bit) == Some(*free)
        })
        .collect();
    locks.sort_unstable();
    locks.truncate(MOST_LOCKS);
    locks
}
