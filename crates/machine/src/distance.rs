//! How far processes are from where something can go wrong, by the control flow alone.

use std::collections::VecDeque;

use crate::code::{Op, Space};
use crate::layout::Field;
use crate::machine::{Machine, Transition, TransitionKind};
use crate::shape::Shape;

/// For every location of every proctype the least number of statements up to and including one that
/// may violate something: an assertion, or a statement that writes what an invariant reads.
#[derive(Clone, Debug)]
pub struct Distances {
    /// By proctype and location.
    of: Vec<Vec<u32>>,
}

/// There is no way.
const FAR: u32 = u32::MAX;

impl Distances {
    /// Those of a machine; `None` if it has neither assertions nor invariants.
    pub fn new(machine: &Machine) -> Option<Distances> {
        let watched = watched(machine);
        let wanted = |transition: &Transition| {
            transition.kind == TransitionKind::Code
                && statement(machine, transition.code).any(|op| match *op {
                    Op::Assert { .. } => true,
                    Op::Store { space: Space::Global, field, .. }
                    | Op::StoreAt { space: Space::Global, field, .. } => {
                        watched.iter().any(|other| overlap(*other, field))
                    }
                    _ => false,
                })
        };
        let of: Vec<Vec<u32>> =
            (0..machine.proctypes.len()).map(|ty| in_proctype(machine, ty, &wanted)).collect();
        of.iter().flatten().any(|&distance| distance != FAR).then_some(Distances { of })
    }

    /// The distance of the nearest process of a state; `shape` is scratch memory.
    pub fn nearest(&self, machine: &Machine, shape: &mut Shape, state: &[u32]) -> u32 {
        shape.walk(machine, state);
        let distance = |slot: &crate::ProcessSlot| {
            let location = machine.head.location.get(&state[slot.offset as usize..]);
            let proctype = self.of.get(usize::from(slot.ty));
            proctype.and_then(|all| all.get(location as usize)).copied().unwrap_or(FAR)
        };
        shape.processes.iter().map(distance).min().unwrap_or(FAR)
    }
}

/// The instructions of a statement.
fn statement(machine: &Machine, code: u32) -> impl Iterator<Item = &Op> {
    machine.code[code as usize..].iter().take_while(|op| **op != Op::Done)
}

/// The global variables that invariants read.
fn watched(machine: &Machine) -> Vec<Field> {
    let mut fields = Vec::new();
    for invariant in &machine.invariants {
        for op in statement(machine, invariant.code) {
            if let Op::Load { space: Space::Global, field, .. }
            | Op::LoadAt { space: Space::Global, field, .. } = *op
            {
                fields.push(field);
            }
        }
    }
    fields
}

fn overlap(a: Field, b: Field) -> bool {
    a.bit < b.bit + u32::from(b.width) && b.bit < a.bit + u32::from(a.width)
}

/// The distances of the locations of a proctype.
fn in_proctype(machine: &Machine, ty: usize, wanted: &dyn Fn(&Transition) -> bool) -> Vec<u32> {
    let locations = &machine.proctypes[ty].locations;
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); locations.len()];
    let mut distance = vec![FAR; locations.len()];
    let mut queue = VecDeque::new();
    for (location, edges) in locations.iter().map(|location| &location.edges).enumerate() {
        for transition in edges.iter().map(|edge| &machine.transitions[edge.transition as usize]) {
            if let Some(sources) = before.get_mut(usize::from(transition.target)) {
                sources.push(location);
            }
            if wanted(transition) && distance[location] == FAR {
                distance[location] = 1;
                queue.push_back(location);
            }
        }
    }
    while let Some(location) = queue.pop_front() {
        for &source in &before[location] {
            if distance[source] == FAR {
                distance[source] = distance[location] + 1;
                queue.push_back(source);
            }
        }
    }
    distance
}
