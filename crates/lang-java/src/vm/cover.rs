//! Execution that notes what is executed, one instruction at a time.

use super::{Run, Trap, Worker, too_long};
use crate::code::Insn;
use crate::cover::{EXECUTED, PASSED, TAKEN, is_condition};

impl Worker {
    /// What `run` does, with notes about the code of the program.
    #[cold]
    pub(super) fn run_covered(&mut self) -> Trap {
        loop {
            let (method, code, pc) = (self.top.method, self.top.code, self.top.pc);
            let own = !method.class.library && !method.class.hidden;
            if let Some(trap) = self.cut_off() {
                return trap;
            }
            let trap = self.one_instruction();
            // Who stops before an instruction has not executed it.
            if own && !matches!(trap, Trap::Pause | Trap::Cut) {
                code.note(pc, EXECUTED);
                if is_condition(code.insns[pc as usize].op) {
                    let jumped = self.top.pc == code.insns[pc as usize].b;
                    code.note(pc, if jumped { TAKEN } else { PASSED });
                }
            }
            match trap {
                Trap::Spent | Trap::Cut => {}
                Trap::Throw(exception) => {
                    if let Err(trap) = self.unwind(exception) {
                        return trap;
                    }
                }
                trap => return trap,
            }
        }
    }

    /// Executes one instruction; `Spent` says that it is done.
    pub(crate) fn one_instruction(&mut self) -> Trap {
        let Some(floor) = self.budget.checked_sub(1) else { return too_long() };
        let events = self.happened.len();
        let noticed = match self.vm.observed.is_on() {
            true => match self.observe() {
                Ok(noticed) => noticed,
                Err(trap) => return trap,
            },
            false => false,
        };
        self.floor = floor;
        let trap = match self.execute() {
            Ok(never) => match never {},
            Err(trap) => trap,
        };
        self.floor = 0;
        match trap {
            // Who stops before an instruction has not executed it.
            Trap::Pause | Trap::Cut => self.happened.truncate(events),
            // An exception may leave frames, which is looked at then.
            Trap::Throw(_) => {}
            _ => self.fresh &= !noticed,
        }
        trap
    }

    /// What `run` does, with stops before what the user asks about.
    #[cold]
    pub(super) fn run_observed(&mut self) -> Trap {
        loop {
            if let Some(trap) = self.cut_off() {
                return trap;
            }
            match self.one_instruction() {
                Trap::Spent | Trap::Cut => {}
                Trap::Throw(exception) => {
                    if let Err(trap) = self.unwind(exception) {
                        return trap;
                    }
                }
                trap => return trap,
            }
        }
    }

    /// An `assert` begins.
    pub(super) fn asserting(&mut self, insn: Insn) -> Run<()> {
        self.top.code.note(self.top.pc, EXECUTED);
        self.static_get(insn)
    }
}
