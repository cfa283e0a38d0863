//! Subroutines of old class files (`jsr` and `ret`): every call gets a copy of the code, so that each
//! return leads to one place.

use rustc_hash::FxHashMap;

use super::{Code, Handler, Insn, Switch, Variable, op};

/// The most instructions that copies may make of a method.
const MOST: usize = 1 << 18;

/// A copy of a subroutine: where its call returns to, and in which copy.
struct Copy {
    returns: Option<(u32, usize)>,
}

/// The instructions of the copies that can be reached.
struct Copies<'a> {
    code: &'a Code,
    copies: Vec<Copy>,
    /// The copy that a call in a copy leads to.
    calls: FxHashMap<(u32, usize), usize>,
    /// The instructions of each copy.
    reached: Vec<Vec<bool>>,
    work: Vec<(u32, usize)>,
}

impl Copies<'_> {
    fn reach(&mut self, pc: u32, copy: usize) -> Result<(), &'static str> {
        let known = self.reached[copy].get_mut(pc as usize);
        let known = known.ok_or("the code does not end with a return")?;
        if !std::mem::replace(known, true) {
            self.work.push((pc, copy));
        }
        Ok(())
    }

    fn step(&mut self, pc: u32, copy: usize) -> Result<(), &'static str> {
        let code = self.code;
        for handler in &code.handlers {
            if (handler.start..handler.end).contains(&pc) {
                self.reach(handler.target, copy)?;
            }
        }
        let insn = code.insns[pc as usize];
        match insn.op {
            op::JSR => {
                if self.copies.len() * code.insns.len() > MOST {
                    return Err("there are too many calls of subroutines");
                }
                let made = self.copies.len();
                self.copies.push(Copy { returns: Some((pc + 1, copy)) });
                self.reached.push(vec![false; code.insns.len()]);
                self.calls.insert((pc, copy), made);
                self.reach(insn.b, made)
            }
            op::RET => match self.copies[copy].returns {
                Some((to, of)) => self.reach(to, of),
                None => Err("a subroutine returns that nobody called"),
            },
            _ => {
                let mut next = Vec::new();
                code.successors(pc, |pc| next.push(pc));
                next.into_iter().try_for_each(|pc| self.reach(pc, copy))
            }
        }
    }
}

/// The same code without subroutines.
pub(super) fn without_subroutines(code: Code) -> Result<Code, &'static str> {
    if !code.insns.iter().any(|insn| matches!(insn.op, op::JSR | op::RET)) {
        return Ok(code);
    }
    let count = code.insns.len();
    let mut all = Copies {
        code: &code,
        copies: vec![Copy { returns: None }],
        calls: FxHashMap::default(),
        reached: vec![vec![false; count]],
        work: Vec::new(),
    };
    all.reach(0, 0)?;
    while let Some((pc, copy)) = all.work.pop() {
        all.step(pc, copy)?;
    }
    // Copies follow each other; a call is two instructions: something on the stack, and a jump.
    let mut places: Vec<Vec<u32>> = Vec::new();
    let mut length = 0;
    for reached in &all.reached {
        let mut of_copy = Vec::with_capacity(count + 1);
        for (pc, &reached) in reached.iter().enumerate() {
            of_copy.push(length);
            if reached {
                length += if code.insns[pc].op == op::JSR { 2 } else { 1 };
            }
        }
        of_copy.push(length);
        places.push(of_copy);
    }
    let mut made = Code::made(Vec::new(), code.max_locals, code.max_stack, Vec::new());
    for (copy, reached) in all.reached.iter().enumerate() {
        let place = |pc: u32| places[copy][pc as usize];
        for pc in (0..count as u32).filter(|&pc| reached[pc as usize]) {
            let mut insn = code.insns[pc as usize];
            match insn.op {
                op::JSR => {
                    made.insns.push(Insn::new(op::ACONST_NULL, 0, 0));
                    made.opcodes.push(code.opcodes[pc as usize]);
                    insn = Insn::new(op::GOTO, 0, places[all.calls[&(pc, copy)]][insn.b as usize]);
                }
                op::RET => {
                    let (to, of) = all.copies[copy].returns.unwrap_or((0, 0));
                    insn = Insn::new(op::GOTO, 0, places[of][to as usize]);
                }
                op::IFEQ..=op::GOTO | op::IFNULL | op::IFNONNULL => insn.b = place(insn.b),
                op::TABLESWITCH | op::LOOKUPSWITCH => {
                    let switch = &code.switches[insn.b as usize];
                    let cases = switch.cases.iter().map(|&(key, pc)| (key, place(pc))).collect();
                    made.switches.push(Switch { default: place(switch.default), cases });
                    insn.b = made.switches.len() as u32 - 1;
                }
                _ => {}
            }
            made.insns.push(insn);
            made.opcodes.push(code.opcodes[pc as usize]);
        }
        let range = |start: u32, end: u32| {
            let (start, end) = (place(start), place(end));
            (start < end).then_some((start, end))
        };
        for handler in &code.handlers {
            if let Some((start, end)) = range(handler.start, handler.end) {
                let target = place(handler.target);
                made.handlers.push(Handler { start, end, target, class: handler.class });
            }
        }
        let lines = code.lines.iter().filter(|(pc, _)| (*pc as usize) < count);
        made.lines.extend(lines.map(|&(pc, line)| (place(pc), line)));
        for variable in &code.names {
            let last = count as u32;
            if let Some((start, end)) = range(variable.start.min(last), variable.end.min(last)) {
                made.names.push(Variable { start, end, ..variable.clone() });
            }
        }
    }
    Ok(made)
}
