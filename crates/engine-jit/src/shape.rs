//! Which processes and channels a state has: most states have the same ones, or one of a few sets.

use everypath_machine::Machine;

use crate::compile::ProcessCode;
use crate::context::{ChannelEntry, ProcessEntry, Seat, component_mask};
use crate::facts::Facts;
use crate::runtime::MAX_ROOM;

/// Shapes that are remembered.
const MAX_SHAPES: usize = 64;

/// The processes and channels of a state.
#[derive(Default)]
pub(crate) struct Shape {
    pub processes: Vec<ProcessEntry>,
    pub channels: Vec<ChannelEntry>,
    /// Where each process is.
    pub seats: Vec<Seat>,
    /// Code for each process at its seat, if there is one.
    pub native: Vec<Option<ProcessCode>>,
    /// The same if there is code for all of them, and room for all steps at once.
    pub fast: Vec<ProcessCode>,
    /// When the code was looked for last, as [`Seats`](crate::seats::Seats) counts.
    pub version: u64,
    /// How many steps a state may have, rendezvous excepted.
    pub steps: usize,
    /// Targets of all steps might need too much memory at once.
    pub careful: bool,
    pub words: usize,
}

impl Shape {
    /// Whether it is that of a state. Its length decides if no process is made or ends.
    #[inline]
    fn fits(&self, machine: &Machine, facts: &Facts, state: &[u32]) -> bool {
        let kind = machine.head.proctype;
        self.words == state.len()
            && (facts.words.is_some()
                || self
                    .processes
                    .iter()
                    .all(|p| kind.get(&state[p.offset as usize / 4..]) == p.ty as i32))
    }

    /// The shape of a state.
    fn new(machine: &Machine, facts: &Facts, state: &[u32]) -> Shape {
        let kind = machine.head.proctype;
        let mut shape = Shape { words: state.len(), version: u64::MAX, ..Shape::default() };
        let mut end = machine.hidden_words + machine.global_words;
        let mut component = 2;
        for channel in &machine.global_channels {
            shape.push_channel(machine, facts, channel.ty, &mut end, &mut component);
        }
        while (end as usize) < state.len() {
            let ty = kind.get(&state[end as usize..]) as usize;
            let first_channel = shape.channels.len() as u32;
            let pid = shape.processes.len() as u32;
            shape.seats.push(Seat {
                proctype: ty as u16,
                pid,
                offset: end,
                first_channel,
                component: component as u32,
            });
            let mask = component_mask(component);
            let ty = ty as u32;
            shape.processes.push(ProcessEntry { offset: end * 4, ty, first_channel, mask });
            let proctype = &machine.proctypes[ty as usize];
            end += proctype.words;
            let behind = component + usize::from(machine.process_components);
            component += 1;
            for channel in &proctype.channels {
                shape.push_channel(machine, facts, channel.ty, &mut end, &mut component);
            }
            component = component.max(behind);
        }
        assert_eq!(end as usize, state.len(), "the records of a state tile it");
        shape.native = vec![None; shape.processes.len()];
        shape.steps = shape.processes.iter().map(|p| facts.most_edges[p.ty as usize]).sum();
        shape.careful = shape.steps * shape.words > MAX_ROOM;
        shape
    }

    fn push_channel(
        &mut self,
        machine: &Machine,
        facts: &Facts,
        ty: u16,
        end: &mut u32,
        component: &mut usize,
    ) {
        let class = facts.class_of[usize::from(ty)];
        let mask = component_mask(*component);
        self.channels.push(ChannelEntry { offset: *end * 4, class, mask });
        *end += machine.channel_types[usize::from(ty)].words;
        *component += 1;
    }
}

/// The shapes of the states that were seen.
#[derive(Default)]
pub(crate) struct Shapes {
    all: Vec<Shape>,
    current: usize,
}

impl Shapes {
    /// Makes the shape of a state the current one; whether it was not before.
    #[inline]
    pub fn find(&mut self, machine: &Machine, facts: &Facts, state: &[u32]) -> bool {
        match self.all.get(self.current) {
            Some(shape) if shape.fits(machine, facts, state) => false,
            _ => {
                self.look_up(machine, facts, state);
                true
            }
        }
    }

    #[inline(never)]
    fn look_up(&mut self, machine: &Machine, facts: &Facts, state: &[u32]) {
        let known = self.all.iter().position(|shape| shape.fits(machine, facts, state));
        self.current = known.unwrap_or_else(|| {
            if self.all.len() == MAX_SHAPES {
                self.all.clear();
            }
            self.all.push(Shape::new(machine, facts, state));
            self.all.len() - 1
        });
    }

    /// The current one; there is one after [`Shapes::find`].
    #[inline]
    pub fn current(&self) -> &Shape {
        &self.all[self.current]
    }

    #[inline]
    pub fn current_mut(&mut self) -> &mut Shape {
        &mut self.all[self.current]
    }
}
