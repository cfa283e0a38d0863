//! Code as it is executed: instructions of one size, with targets that are numbers of instructions.

mod decode;
mod descriptor;
mod fate;
mod flow;
pub(crate) mod op;
mod subroutines;
mod types;

use std::sync::OnceLock;
use std::sync::atomic::AtomicU8;

pub(crate) use decode::decode;
pub(crate) use descriptor::{Descriptor, Type, java_name, primitive_name};
pub(crate) use fate::{Called, Fate, Meanings, Origin, Use};
pub(crate) use flow::{Flow, Meaning, Point, effect};
pub(crate) use types::Classes;

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Insn {
    /// One of [`op`].
    pub op: u8,
    /// A small operand: the kind of an array, a number of dimensions.
    pub x: u8,
    /// A local variable or an entry of the pool.
    pub a: u16,
    /// A constant, a target, a number of a switch.
    pub b: u32,
}

impl Insn {
    pub const fn new(op: u8, a: u16, b: u32) -> Insn {
        Insn { op, x: 0, a, b }
    }
}

/// A switch: its default target, and keys with targets in ascending order.
#[derive(Debug)]
pub(crate) struct Switch {
    pub default: u32,
    pub cases: Vec<(i32, u32)>,
}

/// A row of the exception table, in instructions.
#[derive(Debug)]
pub(crate) struct Handler {
    pub start: u32,
    pub end: u32,
    pub target: u32,
    /// The class in the pool, 0 for any.
    pub class: u16,
}

/// A local variable with a name.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// The first instruction where it has a value.
    pub start: u32,
    /// One past the last one.
    pub end: u32,
    pub name: Box<str>,
    /// Its type, as descriptors have it.
    pub kind: Box<str>,
    pub slot: u16,
}

/// The code of one method.
pub(crate) struct Code {
    pub insns: Vec<Insn>,
    /// What each instruction is in the class file; empty where there is none.
    pub opcodes: Vec<u8>,
    pub max_stack: u16,
    pub max_locals: u16,
    pub handlers: Vec<Handler>,
    pub switches: Vec<Switch>,
    /// First instruction and line, ascending.
    pub lines: Vec<(u32, u16)>,
    /// The variables that the compiler told about.
    pub names: Vec<Variable>,
    /// What was executed of it, if that is asked or it has assertions: flags by instruction.
    pub cover: OnceLock<Box<[AtomicU8]>>,
    /// What is where at each instruction, found when it is first needed.
    pub flow: OnceLock<Result<Flow, String>>,
    /// Whether the classes of objects were told beforehand, once that was tried.
    pub typed: OnceLock<bool>,
}

impl Code {
    /// No instructions.
    pub fn empty() -> Code {
        Code::made(Vec::new(), 0, 0, Vec::new())
    }

    /// Code that is in no class file.
    pub fn made(insns: Vec<Insn>, max_locals: u16, max_stack: u16, handlers: Vec<Handler>) -> Code {
        Code {
            insns,
            opcodes: Vec::new(),
            max_stack,
            max_locals,
            handlers,
            switches: Vec::new(),
            lines: Vec::new(),
            names: Vec::new(),
            cover: OnceLock::new(),
            flow: OnceLock::new(),
            typed: OnceLock::new(),
        }
    }

    /// The line of an instruction.
    pub fn line(&self, pc: u32) -> Option<u16> {
        let behind = self.lines.partition_point(|&(start, _)| start <= pc);
        Some(self.lines[behind.checked_sub(1)?].1)
    }

    /// The name of a local variable at an instruction.
    pub fn local_name(&self, pc: u32, slot: u16) -> Option<&str> {
        let mut names = self.names.iter();
        let found = names.find(|v| v.slot == slot && (v.start..v.end).contains(&pc))?;
        Some(&found.name)
    }
}
