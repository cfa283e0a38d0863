//! What of the program was executed: lines, methods, the two ways of conditions. It is noted for all
//! runs together and never forgotten. Whether an `assert` was reached is always known; everything else
//! only if it is asked.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, Ordering};

use everypath_model::{ActionInfo, Span};

use crate::classfile::{ClassFile, flags};
use crate::code::{Code, op};
use crate::link::{Class, Method};
use crate::program::Program;

/// The instruction was executed.
pub(crate) const EXECUTED: u8 = 1;
/// It jumped.
pub(crate) const TAKEN: u8 = 2;
/// It did not jump.
pub(crate) const PASSED: u8 = 4;

/// The flag that `assert` asks.
const FLAG: &str = "$assertionsDisabled";

/// Marks the instructions with which assertions begin.
pub(crate) fn mark_assertions(file: &ClassFile, code: &mut Code) {
    for insn in code.insns.iter_mut().filter(|insn| insn.op == op::GETSTATIC) {
        let member = file.pool.member(&file.bytes, insn.a);
        if member.is_ok_and(|(_, name, _)| name == FLAG) {
            insn.op = op::ASSERTING;
        }
    }
}

impl Code {
    /// Notes something about an instruction.
    pub(crate) fn note(&self, pc: u32, flag: u8) {
        let flags = self.cover.get_or_init(|| {
            self.insns.iter().map(|_| AtomicU8::new(0)).collect::<Vec<_>>().into_boxed_slice()
        });
        let known = &flags[pc as usize];
        if known.load(Ordering::Relaxed) & flag == 0 {
            known.fetch_or(flag, Ordering::Relaxed);
        }
    }

    fn noted(&self, pc: usize, flag: u8) -> bool {
        self.cover.get().is_some_and(|flags| flags[pc].load(Ordering::Relaxed) & flag != 0)
    }
}

impl Program {
    /// The operations of the program's class files that were executed, by their numbers, if coverage was
    /// asked for.
    pub fn operations(&self) -> Vec<u8> {
        let mut executed = [false; 256];
        for method in self.vm.registry.methods() {
            if let Some(Ok(code)) = method.code.get() {
                for (pc, &opcode) in code.opcodes.iter().enumerate() {
                    executed[usize::from(opcode)] |= code.noted(pc, EXECUTED);
                }
            }
        }
        (0..u8::MAX).filter(|&opcode| executed[usize::from(opcode)]).collect()
    }
}

/// How much of something was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Executed at least once.
    pub reached: u64,
    /// All.
    pub total: u64,
}

impl Part {
    fn add(&mut self, reached: bool) {
        self.reached += u64::from(reached);
        self.total += 1;
    }
}

/// What the search executed, of the classes that were loaded.
#[derive(Clone, Debug, Default)]
pub struct Covered {
    /// Lines with code.
    pub lines: Part,
    /// Methods that were entered.
    pub methods: Part,
    /// Ways of conditions that were taken: each has two.
    pub branches: Part,
    /// Lines that were not executed.
    pub unreached: Vec<ActionInfo>,
}

impl Program {
    /// The places of the assertions in order, with whether each was executed.
    pub fn assertions(&self) -> Vec<(Span, bool)> {
        let mut found: BTreeMap<(u32, u32), (Span, bool)> = BTreeMap::new();
        for method in self.program_methods() {
            let Ok(code) = method.code() else { continue };
            for (pc, insn) in code.insns.iter().enumerate() {
                if insn.op != op::ASSERTING {
                    continue;
                }
                let Some(span) = self.names.span(&self.sources, method, pc as u32) else {
                    continue;
                };
                let reached = code.noted(pc, EXECUTED);
                let known = found.entry((span.file.0, span.start)).or_insert((span, false));
                known.1 |= reached;
            }
        }
        found.into_values().collect()
    }

    /// What was executed, if that was asked.
    pub fn covered(&self) -> Option<Covered> {
        if !self.vm.settings.coverage {
            return None;
        }
        let mut covered = Covered::default();
        let mut lines: BTreeMap<(u32, u32), (Span, bool)> = BTreeMap::new();
        for method in self.program_methods() {
            let Ok(code) = method.code() else { continue };
            if method.is(flags::SYNTHETIC) && !method.name.starts_with("lambda$")
                || self.is_implied(method, code)
            {
                continue;
            }
            covered.methods.add(code.noted(0, EXECUTED));
            for (pc, insn) in code.insns.iter().enumerate() {
                let span = self.names.span(&self.sources, method, pc as u32);
                let Some(span) = span else { continue };
                let known = lines.entry((span.file.0, span.start)).or_insert((span, false));
                known.1 |= code.noted(pc, EXECUTED);
                let asserts = self.sources.text(span).starts_with("assert");
                if is_condition(insn.op) && !asserts {
                    covered.branches.add(code.noted(pc, TAKEN));
                    covered.branches.add(code.noted(pc, PASSED));
                }
            }
        }
        for (span, reached) in lines.into_values() {
            covered.lines.add(reached);
            if !reached {
                let text = self.sources.text(span).to_owned();
                covered.unreached.push(ActionInfo { text, span });
            }
        }
        Some(covered)
    }

    /// The methods of the program's classes that were loaded.
    fn program_methods(&self) -> impl Iterator<Item = &'static Method> {
        let registry = &self.vm.registry;
        let classes = (0..registry.class_count() as u32).map(|id| registry.class_of(id));
        classes
            .filter(|class| !class.library && !class.hidden && is_written(class))
            .flat_map(|class| class.linked().methods.iter().copied())
    }

    /// Whether nobody wrote a method: a constructor or an initialiser that stands where its class is
    /// declared.
    fn is_implied(&self, method: &'static Method, code: &Code) -> bool {
        if !matches!(&*method.name, "<init>" | "<clinit>") {
            return false;
        }
        let span = self.names.span(&self.sources, method, 0);
        let declares = |text: &str| ["class ", "enum ", "record "].iter().any(|w| text.contains(w));
        let one = code.lines.windows(2).all(|pair| pair[0].1 == pair[1].1);
        one && span.is_some_and(|span| declares(self.sources.text(span)))
    }
}

/// Whether a class comes from a file, and is not the library of choices.
fn is_written(class: &Class) -> bool {
    let of_library = |file: &str| file.strip_suffix(".java") == Some(&*class.name);
    class.file.is_some() && !crate::LIBRARY.iter().any(|(file, _)| of_library(file))
}

/// Whether an instruction jumps or does not.
pub(crate) fn is_condition(code: u8) -> bool {
    matches!(code, op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL)
}
