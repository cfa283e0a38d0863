//! What is in each word of a frame before each instruction: how deep the stack is, which words are
//! references, which locals are still read. A frame is stored with that, and code that passes can
//! be executed without leaving its frame.

use super::{Code, Descriptor, Insn, Type, op};

/// The most words of all instructions of a method together.
const LARGEST: usize = 1 << 26;

/// The content of a word: nothing that is known, a number or a part of one, a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Unknown,
    Number,
    Reference,
}
use Word::{Number, Reference, Unknown};

/// A frame before an instruction.
#[derive(Debug)]
pub(crate) struct Point {
    /// Words (locals, then stack) that count: the others are not read any more.
    pub live: Box<[u64]>,
    /// Those of them that are references.
    pub references: Box<[u64]>,
}

/// The frames of a method.
#[derive(Debug)]
pub(crate) struct Flow {
    points: Vec<Option<Point>>,
}

impl Flow {
    /// The frame before an instruction that can be reached.
    pub fn at(&self, pc: u32) -> Option<&Point> {
        self.points.get(pc as usize)?.as_ref()
    }
}

/// What the pool says about an instruction.
pub(crate) enum Meaning {
    /// The type of a field, of a loaded constant.
    Value(Type),
    /// The types of a call.
    Call(Descriptor),
    /// Nothing: the entry is not of the right kind.
    Wrong,
}

/// The depth of the stack, then locals and stack; `None` if it is not known that one comes there.
type State = Option<(usize, Box<[Word]>)>;

struct Analysis<'a> {
    code: &'a Code,
    pool: &'a dyn Fn(Insn) -> Meaning,
    locals: usize,
    /// Before each instruction: the depth, then locals and stack.
    states: Vec<State>,
    work: Vec<u32>,
}

impl Code {
    /// Analyses a method whose first locals are of these types; the receiver counts to the end if its
    /// monitor is left then.
    pub fn analyse(
        &self,
        parameters: &[Type],
        result: &Type,
        keep_receiver: bool,
        pool: &dyn Fn(Insn) -> Meaning,
    ) -> Result<Flow, String> {
        let locals = usize::from(self.max_locals);
        let slots = locals + usize::from(self.max_stack);
        if slots * self.insns.len() > LARGEST {
            return Err("the method is too large".to_owned());
        }
        let given = match result {
            Type::Primitive(b'V') => op::RETURN,
            Type::Primitive(b'J' | b'D') => op::LRETURN,
            Type::Primitive(_) => op::IRETURN,
            Type::Reference(_) => op::ARETURN,
        };
        let mut returns = self.insns.iter().filter(|i| (op::IRETURN..=op::RETURN).contains(&i.op));
        if returns.any(|insn| insn.op != given) {
            return Err("a return is not of the type of the method".to_owned());
        }
        let mut first = vec![Unknown; slots];
        let mut at = 0;
        for parameter in parameters {
            let word = if parameter.is_reference() { Reference } else { Number };
            let end = at + parameter.words();
            if end > locals {
                return Err("there are more parameters than local variables".to_owned());
            }
            first[at..end].fill(word);
            at = end;
        }
        let mut analysis = Analysis {
            code: self,
            pool,
            locals,
            states: (0..self.insns.len()).map(|_| None).collect(),
            work: Vec::new(),
        };
        analysis.merge(0, 0, &first)?;
        while let Some(pc) = analysis.work.pop() {
            analysis.step(pc)?;
        }
        let live = live(self, &analysis.states);
        let points = analysis
            .states
            .iter()
            .enumerate()
            .map(|(pc, state)| {
                let (depth, words) = state.as_ref()?;
                let used = (locals + depth).div_ceil(64);
                let mut point =
                    Point { live: vec![0; used].into(), references: vec![0; used].into() };
                for (slot, word) in words[..locals + depth].iter().enumerate() {
                    let alive =
                        slot >= locals || bit(&live[pc], slot) || slot == 0 && keep_receiver;
                    if alive && *word != Unknown {
                        point.live[slot / 64] |= 1 << (slot % 64);
                        if *word == Reference {
                            point.references[slot / 64] |= 1 << (slot % 64);
                        }
                    }
                }
                Some(point)
            })
            .collect();
        Ok(Flow { points })
    }
}

impl Code {
    /// The instructions that can follow one, apart from handlers.
    pub fn successors(&self, pc: u32, mut each: impl FnMut(u32)) {
        let insn = self.insns[pc as usize];
        match insn.op {
            op::GOTO => each(insn.b),
            op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL => {
                each(insn.b);
                each(pc + 1);
            }
            op::TABLESWITCH | op::LOOKUPSWITCH => {
                let switch = &self.switches[insn.b as usize];
                each(switch.default);
                switch.cases.iter().for_each(|&(_, target)| each(target));
            }
            op::IRETURN..=op::RETURN | op::ATHROW | op::THREAD_END => {}
            _ => each(pc + 1),
        }
    }
}

fn bit(set: &[u64], index: usize) -> bool {
    set[index / 64] >> (index % 64) & 1 == 1
}

/// For each instruction the locals that may be read from it on.
fn live(code: &Code, states: &[State]) -> Vec<Box<[u64]>> {
    let width = usize::from(code.max_locals).div_ceil(64);
    let mut live: Vec<Box<[u64]>> = code.insns.iter().map(|_| vec![0; width].into()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for pc in (0..code.insns.len()).rev().filter(|&pc| states[pc].is_some()) {
            let insn = code.insns[pc];
            let mut set = vec![0u64; width];
            let mut join = |from: u32| {
                let from = &live[from as usize];
                set.iter_mut().zip(from.iter()).for_each(|(set, from)| *set |= from);
            };
            code.successors(pc as u32, &mut join);
            let slot = usize::from(insn.a);
            match insn.op {
                op::ISTORE | op::ASTORE => set[slot / 64] &= !(1 << (slot % 64)),
                op::LSTORE => {
                    set[slot / 64] &= !(1 << (slot % 64));
                    set[(slot + 1) / 64] &= !(1 << ((slot + 1) % 64));
                }
                op::ILOAD | op::ALOAD | op::IINC => set[slot / 64] |= 1 << (slot % 64),
                op::LLOAD => {
                    set[slot / 64] |= 1 << (slot % 64);
                    set[(slot + 1) / 64] |= 1 << ((slot + 1) % 64);
                }
                _ => {}
            }
            for handler in &code.handlers {
                if (handler.start..handler.end).contains(&(pc as u32)) {
                    let from = &live[handler.target as usize];
                    set.iter_mut().zip(from.iter()).for_each(|(set, from)| *set |= from);
                }
            }
            if live[pc][..] != set[..] {
                live[pc] = set.into();
                changed = true;
            }
        }
    }
    live
}

impl Analysis<'_> {
    fn merge(&mut self, pc: u32, depth: usize, words: &[Word]) -> Result<(), String> {
        let Some(state) = self.states.get_mut(pc as usize) else {
            return Err("the code does not end with a return".to_owned());
        };
        match state {
            None => {
                *state = Some((depth, words.into()));
                self.work.push(pc);
            }
            Some((known, old)) => {
                if *known != depth {
                    return Err(format!("the stack has two heights at instruction {pc}"));
                }
                let mut changed = false;
                let used = self.locals + depth;
                for (old, new) in old[..used].iter_mut().zip(words) {
                    if *old != *new && *old != Unknown {
                        *old = Unknown;
                        changed = true;
                    }
                }
                if changed {
                    self.work.push(pc);
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, pc: u32) -> Result<(), String> {
        let Some((depth, words)) = self.states[pc as usize].clone() else { return Ok(()) };
        for handler in &self.code.handlers {
            if (handler.start..handler.end).contains(&pc) {
                if self.locals == words.len() {
                    return Err("there is no room for an exception".to_owned());
                }
                let mut caught = words.clone();
                caught[self.locals] = Reference;
                self.merge(handler.target, 1, &caught)?;
            }
        }
        let insn = self.code.insns[pc as usize];
        let mut frame = Frame { words, locals: self.locals, depth };
        frame.execute(insn, self.pool).map_err(|what| format!("instruction {pc}: {what}"))?;
        let mut next = Vec::new();
        self.code.successors(pc, |pc| next.push(pc));
        next.into_iter().try_for_each(|pc| self.merge(pc, frame.depth, &frame.words))
    }
}

struct Frame {
    words: Box<[Word]>,
    locals: usize,
    depth: usize,
}

type Checked<T> = Result<T, &'static str>;

impl Frame {
    fn pop(&mut self) -> Checked<Word> {
        self.depth = self.depth.checked_sub(1).ok_or("the stack is empty")?;
        Ok(self.words[self.locals + self.depth])
    }

    fn take(&mut self, wanted: Word, count: usize) -> Checked<()> {
        for _ in 0..count {
            if self.pop()? != wanted {
                return Err("a word on the stack is of the wrong kind");
            }
        }
        Ok(())
    }

    fn push(&mut self, word: Word) -> Checked<()> {
        let at = self.locals + self.depth;
        *self.words.get_mut(at).ok_or("the stack is full")? = word;
        self.depth += 1;
        Ok(())
    }

    fn give(&mut self, kind: &Type) -> Checked<()> {
        let word = if kind.is_reference() { Reference } else { Number };
        (0..kind.words()).try_for_each(|_| self.push(word))
    }

    fn take_value(&mut self, kind: &Type) -> Checked<()> {
        let word = if kind.is_reference() { Reference } else { Number };
        self.take(word, kind.words())
    }

    fn load(&mut self, slot: u16, count: usize, wanted: Word) -> Checked<()> {
        for slot in usize::from(slot)..usize::from(slot) + count {
            if slot >= self.locals {
                return Err("there is no such local variable");
            }
            if self.words[slot] != wanted {
                return Err("a local variable is of the wrong kind");
            }
            self.push(wanted)?;
        }
        Ok(())
    }

    fn store(&mut self, slot: u16, count: usize, wanted: Word) -> Checked<()> {
        self.take(wanted, count)?;
        let slot = usize::from(slot);
        if slot + count > self.locals {
            return Err("there is no such local variable");
        }
        self.words[slot..slot + count].fill(wanted);
        Ok(())
    }

    /// Copies the top `count` words below the `below` words under them.
    fn dup(&mut self, count: usize, below: usize) -> Checked<()> {
        let mut top = Vec::new();
        for _ in 0..count + below {
            top.push(self.pop()?);
        }
        top[..count].iter().copied().rev().try_for_each(|word| self.push(word))?;
        top.into_iter().rev().try_for_each(|word| self.push(word))
    }

    /// Takes and gives numbers.
    fn numbers(&mut self, taken: usize, given: usize) -> Checked<()> {
        self.take(Number, taken)?;
        (0..given).try_for_each(|_| self.push(Number))
    }

    fn execute(&mut self, insn: Insn, pool: &dyn Fn(Insn) -> Meaning) -> Checked<()> {
        let field = || match pool(insn) {
            Meaning::Value(kind) => Ok(kind),
            _ => Err("a constant is of the wrong kind"),
        };
        match insn.op {
            op::NOP | op::GOTO | op::RETURN | op::THREAD_END | op::INITIALISE => Ok(()),
            op::ACONST_NULL => self.push(Reference),
            op::NEW => self.push(Reference),
            op::ICONST => self.push(Number),
            op::LCONST | op::DCONST | op::LDC2 => self.numbers(0, 2),
            op::LDC => self.give(&field()?),
            op::ILOAD => self.load(insn.a, 1, Number),
            op::LLOAD => self.load(insn.a, 2, Number),
            op::ALOAD => self.load(insn.a, 1, Reference),
            op::ISTORE => self.store(insn.a, 1, Number),
            op::LSTORE => self.store(insn.a, 2, Number),
            op::ASTORE => self.store(insn.a, 1, Reference),
            op::IALOAD | op::FALOAD | op::BALOAD..=op::SALOAD => {
                self.take(Number, 1)?;
                self.take(Reference, 1)?;
                self.push(Number)
            }
            op::LALOAD | op::DALOAD => {
                self.take(Number, 1)?;
                self.take(Reference, 1)?;
                self.numbers(0, 2)
            }
            op::AALOAD => {
                self.take(Number, 1)?;
                self.take(Reference, 1)?;
                self.push(Reference)
            }
            op::IASTORE | op::FASTORE | op::BASTORE..=op::SASTORE => {
                self.take(Number, 2)?;
                self.take(Reference, 1)
            }
            op::LASTORE | op::DASTORE => {
                self.take(Number, 3)?;
                self.take(Reference, 1)
            }
            op::AASTORE => {
                self.take(Reference, 1)?;
                self.take(Number, 1)?;
                self.take(Reference, 1)
            }
            op::POP => self.pop().map(|_| ()),
            op::POP2 => self.pop().and_then(|_| self.pop()).map(|_| ()),
            op::DUP => self.dup(1, 0),
            op::DUP_X1 => self.dup(1, 1),
            op::DUP_X2 => self.dup(1, 2),
            op::DUP2 => self.dup(2, 0),
            op::DUP2_X1 => self.dup(2, 1),
            op::DUP2_X2 => self.dup(2, 2),
            op::SWAP => {
                let (top, under) = (self.pop()?, self.pop()?);
                self.push(top)?;
                self.push(under)
            }
            op::IADD..=op::DREM => match insn.op % 4 {
                0 | 2 => self.numbers(2, 1),
                _ => self.numbers(4, 2),
            },
            op::INEG | op::FNEG => self.numbers(1, 1),
            op::LNEG | op::DNEG => self.numbers(2, 2),
            op::ISHL | op::ISHR | op::IUSHR | op::IAND | op::IOR | op::IXOR => self.numbers(2, 1),
            op::LSHL | op::LSHR | op::LUSHR => self.numbers(3, 2),
            op::LAND | op::LOR | op::LXOR => self.numbers(4, 2),
            op::IINC => {
                let known = self.words[..self.locals].get(usize::from(insn.a));
                if known == Some(&Number) { Ok(()) } else { Err("there is no number to increase") }
            }
            op::I2L | op::I2D | op::F2L | op::F2D => self.numbers(1, 2),
            op::I2F | op::F2I | op::I2B..=op::I2S => self.numbers(1, 1),
            op::L2I | op::L2F | op::D2I | op::D2F => self.numbers(2, 1),
            op::L2D | op::D2L => self.numbers(2, 2),
            op::LCMP | op::DCMPL | op::DCMPG => self.numbers(4, 1),
            op::FCMPL | op::FCMPG => self.numbers(2, 1),
            op::IFEQ..=op::IFLE | op::TABLESWITCH | op::LOOKUPSWITCH => self.take(Number, 1),
            op::IF_ICMPEQ..=op::IF_ICMPLE => self.take(Number, 2),
            op::IF_ACMPEQ | op::IF_ACMPNE => self.take(Reference, 2),
            op::IFNULL | op::IFNONNULL | op::ATHROW | op::MONITORENTER | op::MONITOREXIT => {
                self.take(Reference, 1)
            }
            op::IRETURN => self.take(Number, 1),
            op::LRETURN => self.take(Number, 2),
            op::ARETURN => self.take(Reference, 1),
            op::GETSTATIC | op::ASSERTING => self.give(&field()?),
            op::PUTSTATIC => self.take_value(&field()?),
            op::GETFIELD => {
                self.take(Reference, 1)?;
                self.give(&field()?)
            }
            op::PUTFIELD => {
                self.take_value(&field()?)?;
                self.take(Reference, 1)
            }
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => {
                let Meaning::Call(call) = pool(insn) else {
                    return Err("a constant is of the wrong kind");
                };
                for parameter in call.parameters.iter().rev() {
                    self.take_value(parameter)?;
                }
                if !matches!(insn.op, op::INVOKESTATIC | op::INVOKEDYNAMIC) {
                    self.take(Reference, 1)?;
                }
                self.give(&call.result)
            }
            op::NEWARRAY | op::ANEWARRAY => {
                self.take(Number, 1)?;
                self.push(Reference)
            }
            op::ARRAYLENGTH | op::INSTANCEOF => {
                self.take(Reference, 1)?;
                self.push(Number)
            }
            op::CHECKCAST => {
                self.take(Reference, 1)?;
                self.push(Reference)
            }
            op::MULTIANEWARRAY => {
                self.take(Number, usize::from(insn.x))?;
                self.push(Reference)
            }
            _ => Err("there is no such instruction"),
        }
    }
}

/// How many words an instruction takes from the stack and puts there; `None` if it only moves words, or
/// cannot be told.
pub(crate) fn effect(insn: Insn, meaning: impl FnOnce(Insn) -> Meaning) -> Option<(usize, usize)> {
    let value = |meaning: Meaning| match meaning {
        Meaning::Value(kind) => Some(kind.words()),
        _ => None,
    };
    Some(match insn.op {
        op::NOP | op::GOTO | op::RETURN | op::IINC | op::CHECKCAST => (0, 0),
        op::THREAD_END | op::INITIALISE => (0, 0),
        op::ACONST_NULL | op::NEW | op::ICONST | op::ILOAD | op::ALOAD => (0, 1),
        op::LCONST | op::DCONST | op::LDC2 | op::LLOAD => (0, 2),
        op::LDC | op::GETSTATIC | op::ASSERTING => (0, value(meaning(insn))?),
        op::PUTSTATIC => (value(meaning(insn))?, 0),
        op::GETFIELD => (1, value(meaning(insn))?),
        op::PUTFIELD => (value(meaning(insn))? + 1, 0),
        op::LALOAD | op::DALOAD => (2, 2),
        op::IALOAD..=op::SALOAD => (2, 1),
        op::LASTORE | op::DASTORE => (4, 0),
        op::IASTORE..=op::SASTORE => (3, 0),
        op::ISTORE | op::ASTORE | op::POP => (1, 0),
        op::LSTORE | op::POP2 => (2, 0),
        op::IADD..=op::DREM if insn.op.is_multiple_of(2) => (2, 1),
        op::IADD..=op::DREM => (4, 2),
        op::INEG | op::FNEG | op::I2F | op::F2I | op::I2B..=op::I2S => (1, 1),
        op::LNEG | op::DNEG | op::L2D | op::D2L => (2, 2),
        op::ISHL | op::ISHR | op::IUSHR | op::IAND | op::IOR | op::IXOR => (2, 1),
        op::LSHL | op::LSHR | op::LUSHR => (3, 2),
        op::LAND | op::LOR | op::LXOR => (4, 2),
        op::I2L | op::I2D | op::F2L | op::F2D => (1, 2),
        op::L2I | op::L2F | op::D2I | op::D2F | op::FCMPL | op::FCMPG => (2, 1),
        op::LCMP | op::DCMPL | op::DCMPG => (4, 1),
        op::IFEQ..=op::IFLE | op::TABLESWITCH | op::LOOKUPSWITCH => (1, 0),
        op::IF_ICMPEQ..=op::IF_ACMPNE => (2, 0),
        op::IFNULL | op::IFNONNULL | op::ATHROW | op::MONITORENTER | op::MONITOREXIT => (1, 0),
        op::IRETURN | op::ARETURN => (1, 0),
        op::LRETURN => (2, 0),
        op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => {
            let Meaning::Call(call) = meaning(insn) else { return None };
            let receiver = !matches!(insn.op, op::INVOKESTATIC | op::INVOKEDYNAMIC);
            (call.words + usize::from(receiver), call.result.words())
        }
        op::NEWARRAY | op::ANEWARRAY | op::ARRAYLENGTH | op::INSTANCEOF => (1, 1),
        op::MULTIANEWARRAY => (usize::from(insn.x), 1),
        _ => return None,
    })
}
