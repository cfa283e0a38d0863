//! Which records a state vector consists of.

use crate::machine::Machine;

/// A live process in a vector.
#[derive(Clone, Copy, Debug)]
pub struct ProcessSlot {
    /// First word.
    pub offset: u32,
    /// Its proctype.
    pub ty: u16,
    /// Its component.
    pub component: u16,
    /// Index of the first channel it owns.
    pub first_channel: u16,
}

/// A live channel in a vector.
#[derive(Clone, Copy, Debug)]
pub struct ChannelSlot {
    /// First word.
    pub offset: u32,
    /// Its kind.
    pub ty: u16,
    /// Its component.
    pub component: u16,
}

/// The records of a vector: component 0 holds the hidden variables, 1 the global ones, then come
/// the global channels, then each process followed by its channels, and by nothing where it has fewer
/// than others (see [`Machine::process_components`]).
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The processes, oldest first.
    pub processes: Vec<ProcessSlot>,
    /// The channels; the id of a channel is its place in this list, from 1.
    pub channels: Vec<ChannelSlot>,
    /// Words so far.
    pub end: u32,
    /// Components so far.
    pub components: u16,
}

/// The component of the hidden variables.
pub(crate) const HIDDEN: usize = 0;
/// The component of the global variables.
pub(crate) const GLOBALS: usize = 1;

impl Shape {
    /// The shape of a vector without processes.
    pub fn reset(&mut self, machine: &Machine) {
        self.processes.clear();
        self.channels.clear();
        self.end = machine.hidden_words + machine.global_words;
        self.components = 2;
        for channel in &machine.global_channels {
            self.push_channel(machine, channel.ty);
        }
    }

    /// Adds a process with its channels behind what is there.
    pub fn push_process(&mut self, machine: &Machine, ty: u16) {
        let proctype = &machine.proctypes[usize::from(ty)];
        self.processes.push(ProcessSlot {
            offset: self.end,
            ty,
            component: self.components,
            first_channel: self.channels.len() as u16,
        });
        self.end += proctype.words;
        self.components += 1;
        let first = self.components - 1;
        for channel in &proctype.channels {
            self.push_channel(machine, channel.ty);
        }
        self.components = self.components.max(first + machine.process_components);
    }

    fn push_channel(&mut self, machine: &Machine, ty: u16) {
        self.channels.push(ChannelSlot { offset: self.end, ty, component: self.components });
        self.end += machine.channel_types[usize::from(ty)].words;
        self.components += 1;
    }

    /// Whether this is the shape of a vector already: the kinds of processes tell.
    fn fits(&self, machine: &Machine, state: &[u32]) -> bool {
        self.components != 0
            && self.end as usize == state.len()
            && self
                .processes
                .iter()
                .all(|p| machine.head.proctype.get(&state[p.offset as usize..]) == i32::from(p.ty))
    }

    /// Reads the shape off a vector.
    pub fn walk(&mut self, machine: &Machine, state: &[u32]) {
        if self.fits(machine, state) {
            return;
        }
        self.reset(machine);
        while (self.end as usize) < state.len() {
            let ty = machine.head.proctype.get(&state[self.end as usize..]);
            self.push_process(machine, ty as u16);
        }
    }
}
