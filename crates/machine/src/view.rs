//! A state taken apart: where each process is, and what its variables and the channels hold.

use everypath_model::Value;

use crate::interpreter::Interpreter;
use crate::machine::{Cell, Kind};
use crate::shape::Shape;

/// A state taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The global variables in order of declaration.
    pub globals: Vec<Variable>,
    /// The live processes, oldest first.
    pub processes: Vec<ProcessView>,
    /// The live channels; the id of a channel is its place in this list, from 1.
    pub channels: Vec<ChannelView>,
}

/// A variable with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name with indices and fields.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// The id of the channel that it holds.
    pub channel: Option<usize>,
}

/// A live process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessView {
    /// Index of its proctype.
    pub proctype: usize,
    /// Index of its location in the proctype.
    pub location: usize,
    /// Its priority; 1 if priorities play no part.
    pub priority: i32,
    /// Its variables in order of declaration.
    pub variables: Vec<Variable>,
}

/// A live channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelView {
    /// Its name, as in [`Message::channel`](everypath_model::Message::channel).
    pub name: String,
    /// Whether it has room for messages: a rendezvous channel has none.
    pub buffered: bool,
    /// Its messages, oldest first.
    pub messages: Vec<Vec<Value>>,
}

impl Interpreter {
    /// Takes a state apart.
    pub fn view(&self, state: &[u32]) -> View {
        let machine = self.machine();
        let mut shape = Shape::default();
        shape.walk(machine, state);
        let variables = |record: &[u32], cells: &[Cell]| -> Vec<Variable> {
            let shown = cells.iter().filter(|cell| !cell.synthetic);
            let variable = |cell: &Cell| {
                let value = cell.field.get(record);
                let channel = matches!(cell.kind, Kind::Channel);
                Variable {
                    name: cell.name.clone(),
                    value: machine.show(cell.kind, value),
                    channel: channel.then_some(value).and_then(|id| usize::try_from(id).ok()),
                }
            };
            shown.map(variable).collect()
        };
        let processes = shape.processes.iter().map(|slot| {
            let record = &state[slot.offset as usize..];
            ProcessView {
                proctype: usize::from(slot.ty),
                location: machine.head.location.get(record) as usize,
                priority: if machine.uses_priorities {
                    machine.head.priority.get(record)
                } else {
                    1
                },
                variables: variables(record, &machine.proctypes[usize::from(slot.ty)].cells),
            }
        });
        let channels = shape.channels.iter().enumerate().map(|(index, slot)| {
            let ty = &machine.channel_types[usize::from(slot.ty)];
            let record = &state[slot.offset as usize..];
            let fields = |slot: u32| {
                let fields = ty.message(record, slot).into_iter().zip(&ty.kinds);
                fields.map(|(value, &kind)| machine.show(kind, value)).collect()
            };
            ChannelView {
                name: machine.channel_name(&shape, index),
                buffered: ty.capacity > 0,
                messages: (0..ty.length(record)).map(fields).collect(),
            }
        });
        let mut globals = variables(&state[machine.hidden_words as usize..], &machine.global_cells);
        globals.extend(variables(state, &machine.hidden_cells));
        View { globals, processes: processes.collect(), channels: channels.collect() }
    }
}
