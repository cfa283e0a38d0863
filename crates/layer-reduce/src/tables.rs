//! All that is known before the search, and the tables of the processes that it meets.

use std::sync::{Arc, RwLock};

use everypath_machine::code::Op;
use everypath_machine::{Interpreter, Kind, Machine, Shape};
use rustc_hash::FxHashMap;

use crate::bits::{Footprint, Prints};
use crate::facts::Facts;
use crate::instance::Instance;
use crate::options::{Options, Visible};
use crate::touch::{Common, Key, Labels, MOST_FROZEN};
use crate::walk::walk;

/// How many processes have tables of their own.
const MOST_INSTANCES: usize = 4096;

/// What is known of a machine, for all threads.
pub(crate) struct Tables {
    pub facts: Facts,
    prints: Prints,
    lives: Vec<Footprint>,
    partners: Footprint,
    visible: Footprint,
    labels: Labels,
    instances: RwLock<FxHashMap<Key, Arc<Instance>>>,
}

impl Tables {
    /// The tables; the reason why there are none.
    pub fn new(interpreter: &Interpreter, options: &Options) -> Result<Tables, &'static str> {
        let machine = interpreter.machine();
        let facts = Facts::new(interpreter)?;
        let mut tables = Tables {
            facts,
            prints: Prints::default(),
            lives: vec![Footprint::default(); machine.proctypes.len()],
            partners: Footprint::default(),
            visible: Footprint::default(),
            labels: Labels::default(),
            instances: RwLock::default(),
        };
        for visible in &options.visible {
            match visible {
                Visible::Expression(code) => tables.see(machine, *code),
                Visible::AcceptLabels => tables.labels.accept = true,
                Visible::ProgressLabels => tables.labels.progress = true,
            }
        }
        for invariant in &machine.invariants {
            tables.see(machine, invariant.code);
        }
        tables.find_partners(machine);
        tables.find_lives(machine);
        Ok(tables)
    }

    pub fn common<'t>(&'t self, machine: &'t Machine) -> Common<'t> {
        Common {
            machine,
            facts: &self.facts,
            prints: &self.prints,
            lives: &self.lives,
            partners: self.partners,
            visible: self.visible,
            labels: self.labels,
        }
    }

    /// Everything that an expression reads becomes visible.
    fn see(&mut self, machine: &Machine, code: u32) {
        let read = Instance::expression(&self.common(machine), code);
        self.visible.add(&read);
    }

    /// What those do who take part in a rendezvous in the middle of another's sequence.
    fn find_partners(&mut self, machine: &Machine) {
        if machine.channel_types.iter().all(|ty| ty.capacity > 0) {
            return;
        }
        let mut partners = Footprint::default();
        for ty in 0..machine.proctypes.len() {
            let any = Instance::new(&self.common(machine), &Key::any(&self.facts, ty as u16));
            any.locations.iter().for_each(|location| partners.add(&location.accepted));
        }
        self.partners = partners;
    }

    /// What processes may do, those that they make included.
    fn find_lives(&mut self, machine: &Machine) {
        let mut lives: Vec<Footprint> = (0..machine.proctypes.len())
            .map(|ty| Instance::new(&self.common(machine), &Key::any(&self.facts, ty as u16)).life)
            .collect();
        let makes: Vec<Vec<usize>> = (0..lives.len()).map(|ty| made_by(machine, ty)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for ty in 0..lives.len() {
                let mut life = lives[ty];
                makes[ty].iter().for_each(|&made| life.add(&lives[made]));
                changed |= life != lives[ty];
                lives[ty] = life;
            }
        }
        self.lives = lives;
    }

    /// What can be told of a process of a state.
    pub fn key(&self, machine: &Machine, state: &[u32], shape: &Shape, pid: usize) -> Key {
        let slot = shape.processes[pid];
        let record = &state[slot.offset as usize..];
        let own = machine.proctypes[usize::from(slot.ty)].channels.len();
        let first = usize::from(slot.first_channel);
        let mut channels = Vec::new();
        let frozen = self.facts.locals[usize::from(slot.ty)].frozen.iter().map(|cell| {
            let value = cell.field.get(record);
            match cell.kind {
                Kind::Channel => {
                    // Channels of older processes live longer than this one.
                    let index = usize::try_from(value - 1).ok().filter(|&i| i < first + own)?;
                    if index >= self.facts.global_channels.len() {
                        channels.push((value, shape.channels[index].ty));
                    }
                    Some(value)
                }
                _ => Some(value).filter(|value| (0..MOST_FROZEN).contains(value)),
            }
        });
        let frozen = frozen.collect();
        Key {
            ty: slot.ty,
            pid: Some(pid as u8),
            first_channel: (own > 0).then_some(slot.first_channel),
            frozen,
            channels,
        }
    }

    /// The tables of a process.
    pub fn instance(&self, machine: &Machine, key: &Key) -> Arc<Instance> {
        let known = |map: &FxHashMap<Key, Arc<Instance>>| map.get(key).cloned();
        let poisoned = "no thread failed while it held the tables";
        if let Some(instance) = known(&self.instances.read().expect(poisoned)) {
            return instance;
        }
        // Beyond a number of them, processes of a kind share one: what it says holds for all.
        let full = self.instances.read().expect(poisoned).len() >= MOST_INSTANCES;
        let any = Key::any(&self.facts, key.ty);
        if full && *key != any {
            return self.instance(machine, &any);
        }
        // Two threads may make the same one: they are equal.
        let mut made = Instance::new(&self.common(machine), key);
        let mut instances = self.instances.write().expect(poisoned);
        made.number = instances.len() as u32;
        instances.entry(key.clone()).or_insert(Arc::new(made)).clone()
    }
}

/// The proctypes that the statements of one start.
fn made_by(machine: &Machine, ty: usize) -> Vec<usize> {
    let mut made = Vec::new();
    let statements = machine.transitions.iter().filter(|t| usize::from(t.proctype) == ty);
    for statement in statements {
        let mut note = |op: Op| {
            if let Op::Run { proctype, .. } = op {
                made.push(usize::from(proctype));
            }
        };
        if statement.kind == everypath_machine::TransitionKind::Code
            && !walk(machine, &crate::facts::Nothing, statement.code, |_, op, _| note(op))
        {
            return (0..machine.proctypes.len()).collect();
        }
    }
    made
}
