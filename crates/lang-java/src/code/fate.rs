//! What becomes of the value that a call gives: whether anything that a method does later depends on it.
//!
//! Words are followed through the method alone. A value that is only printed, or that nobody
//! takes up, may be any value: what the program does is the same for all of them.

use super::{Code, Insn, op};

/// The most words of all instructions of a method together; larger ones are not followed.
const LARGEST: usize = 1 << 18;

/// What becomes of a value, the harmless first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// Nothing but output depends on it.
    Unseen,
    /// The method may return it, or something that was made of it; nothing else depends on it.
    Returned,
    /// Something depends on it.
    Seen,
}

/// What a call does with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Prints them, if the receiver is one of the standard streams.
    Prints,
    /// Only what it gives depends on them.
    Passes,
    /// Waits for so long, which orders nothing; a negative number is an error.
    Waits,
    /// What it gives and the receiver depend on them, and it gives the receiver or nothing.
    Gathers,
    Sees,
}

/// A call, as far as it matters here.
pub(crate) struct Called {
    pub with: Use,
    /// Words of the arguments, the receiver's too.
    pub taken: usize,
    /// Words of what it gives.
    pub given: usize,
}

/// What is asked about the constants of a class.
pub(crate) struct Meanings<'a> {
    pub effect: &'a dyn Fn(Insn) -> Option<(usize, usize)>,
    pub called: &'a dyn Fn(Insn) -> Option<Called>,
    /// Whether an instruction loads a number that is not negative.
    pub natural: &'a dyn Fn(Insn) -> bool,
    /// Whether an instruction loads one of the standard streams.
    pub stream: &'a dyn Fn(Insn) -> bool,
}

/// What a word has to do with the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Plain,
    /// It depends on the value.
    Marked,
    /// The same, and it is not negative.
    Natural,
    /// The same, and an int that is too large for sums.
    Large,
    /// A number that is not negative, and does not depend on the value.
    Given,
    /// An object that the instruction made, all references to which are in the frame.
    Made(u32),
    /// A standard stream.
    Stream,
}
use Word::{Given, Large, Made, Marked, Natural, Plain, Stream};

impl Word {
    fn is_marked(self) -> bool {
        matches!(self, Marked | Natural | Large)
    }
}

/// Something depends on the value.
struct Found;

struct Walk<'a> {
    code: &'a Code,
    meanings: &'a Meanings<'a>,
    origin: &'a Origin,
    locals: usize,
    states: Vec<Option<Vec<Word>>>,
    work: Vec<u32>,
    returned: bool,
}

/// Where a value comes from: any execution of a call.
pub(crate) struct Origin {
    /// The instruction of the call.
    pub pc: u32,
    /// A constructor gives nothing: the object below the arguments counts.
    pub constructor: bool,
    /// The value is not negative, nor more than half of the largest int.
    pub natural: bool,
}

impl Code {
    /// What becomes of the value that a call gives.
    pub fn fate(&self, origin: &Origin, parameters: usize, meanings: &Meanings<'_>) -> Fate {
        let locals = usize::from(self.max_locals);
        let slots = locals + usize::from(self.max_stack);
        if parameters > locals || slots * self.insns.len() > LARGEST {
            return Fate::Seen;
        }
        let states = self.insns.iter().map(|_| None).collect();
        let (work, returned) = (Vec::new(), false);
        let mut walk = Walk { code: self, meanings, origin, locals, states, work, returned };
        if walk.follow(vec![Plain; locals]).is_err() {
            return Fate::Seen;
        }
        if walk.returned { Fate::Returned } else { Fate::Unseen }
    }
}

impl Walk<'_> {
    fn follow(&mut self, words: Vec<Word>) -> Result<(), Found> {
        self.merge(0, words)?;
        while let Some(pc) = self.work.pop() {
            self.step(pc)?;
        }
        Ok(())
    }

    fn merge(&mut self, pc: u32, words: Vec<Word>) -> Result<(), Found> {
        let Some(state) = self.states.get_mut(pc as usize) else { return Err(Found) };
        let Some(old) = state else {
            *state = Some(words);
            self.work.push(pc);
            return Ok(());
        };
        if old.len() != words.len() {
            return Err(Found);
        }
        let mut changed = false;
        for (old, new) in old.iter_mut().zip(words) {
            let joined = match (*old, new) {
                (a, b) if a == b => a,
                (a, b) if a.is_marked() || b.is_marked() => Marked,
                _ => Plain,
            };
            changed |= *old != joined;
            *old = joined;
        }
        if changed {
            self.work.push(pc);
        }
        Ok(())
    }

    fn step(&mut self, pc: u32) -> Result<(), Found> {
        let Some(mut words) = self.states[pc as usize].clone() else { return Ok(()) };
        for handler in &self.code.handlers {
            if (handler.start..handler.end).contains(&pc) {
                let mut caught = words[..self.locals].to_vec();
                caught.push(Plain);
                self.merge(handler.target, caught)?;
            }
        }
        let insn = self.code.insns[pc as usize];
        self.execute(pc, insn, &mut words)?;
        if pc == self.origin.pc {
            self.begin(insn, &mut words)?;
        }
        let mut next = Vec::new();
        self.code.successors(pc, |pc| next.push(pc));
        next.into_iter().try_for_each(|pc| self.merge(pc, words.clone()))
    }

    /// The value is there.
    fn begin(&self, insn: Insn, words: &mut [Word]) -> Result<(), Found> {
        if self.origin.constructor {
            match words[self.locals..].last().copied() {
                Some(object @ Made(_)) => mark(words, object),
                Some(_) => return Err(Found),
                None => {}
            }
            return Ok(());
        }
        let given = (self.meanings.called)(insn).ok_or(Found)?.given;
        let first = words.len().checked_sub(given).ok_or(Found)?;
        words[first..].fill(if self.origin.natural { Natural } else { Marked });
        Ok(())
    }

    fn take(&self, words: &mut Vec<Word>, count: usize) -> Result<Vec<Word>, Found> {
        let left = words.len().checked_sub(count).filter(|&left| left >= self.locals);
        Ok(words.split_off(left.ok_or(Found)?))
    }

    fn execute(&mut self, pc: u32, insn: Insn, words: &mut Vec<Word>) -> Result<(), Found> {
        let slot = usize::from(insn.a);
        match insn.op {
            op::ILOAD | op::ALOAD => words.push(words[slot]),
            op::LLOAD => words.extend([words[slot], words[slot + 1]]),
            op::ISTORE | op::ASTORE => words[slot] = self.take(words, 1)?[0],
            op::LSTORE => {
                let taken = self.take(words, 2)?;
                words[slot..slot + 2].copy_from_slice(&taken);
            }
            op::POP => drop(self.take(words, 1)?),
            op::POP2 => drop(self.take(words, 2)?),
            op::DUP => self.copy(words, 1, 0)?,
            op::DUP_X1 => self.copy(words, 1, 1)?,
            op::DUP_X2 => self.copy(words, 1, 2)?,
            op::DUP2 => self.copy(words, 2, 0)?,
            op::DUP2_X1 => self.copy(words, 2, 1)?,
            op::DUP2_X2 => self.copy(words, 2, 2)?,
            op::SWAP => {
                let taken = self.take(words, 2)?;
                words.extend([taken[1], taken[0]]);
            }
            op::IINC if words[slot].is_marked() => words[slot] = Marked,
            op::IINC => words[slot] = Plain,
            op::CHECKCAST => {}
            op::ICONST | op::LCONST | op::DCONST | op::LDC | op::LDC2
                if (self.meanings.natural)(insn) =>
            {
                let wide = !matches!(insn.op, op::ICONST | op::LDC);
                words.extend(vec![Given; if wide { 2 } else { 1 }]);
            }
            op::NEW => {
                forget(words, Made(pc));
                words.push(Made(pc));
            }
            op::ANEWARRAY => {
                if self.take(words, 1)?[0].is_marked() {
                    return Err(Found);
                }
                forget(words, Made(pc));
                words.push(Made(pc));
            }
            op::AASTORE => {
                let taken = self.take(words, 3)?;
                match (taken[0], taken[1].is_marked(), taken[2].is_marked()) {
                    (_, true, _) => return Err(Found),
                    (Marked, _, true) => {}
                    (array @ Made(_), _, true) => mark(words, array),
                    (_, _, true) => return Err(Found),
                    _ => forget(words, taken[2]),
                }
            }
            op::GETSTATIC if (self.meanings.stream)(insn) => words.push(Stream),
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => self.call(insn, words)?,
            _ => self.other(insn, words)?,
        }
        Ok(())
    }

    fn other(&mut self, insn: Insn, words: &mut Vec<Word>) -> Result<(), Found> {
        let (taken, given) = (self.meanings.effect)(insn).ok_or(Found)?;
        let taken = self.take(words, taken)?;
        let marked = taken.iter().any(|word| word.is_marked());
        let all = |word: fn(Word) -> bool| taken.iter().all(|&taken| word(taken));
        let result = match insn.op {
            _ if !marked => {
                // The object gets to where it is no longer followed.
                if !matches!(insn.op, op::ARRAYLENGTH | op::GETFIELD | op::IFNULL | op::IFNONNULL) {
                    taken.iter().for_each(|&word| forget(words, word));
                }
                Plain
            }
            // A divisor may be zero.
            op::IDIV | op::IREM if taken[1].is_marked() => return Err(Found),
            op::LDIV | op::LREM if taken[2].is_marked() => return Err(Found),
            op::I2L | op::I2D | op::L2D if all(|word| matches!(word, Natural | Large)) => Natural,
            op::D2I | op::D2L if all(|word| word == Natural) => Large,
            op::IADD if all(|word| matches!(word, Natural | Given)) => Large,
            op::DMUL if all(|word| matches!(word, Natural | Given)) => Natural,
            op::IADD..=op::LXOR | op::I2L..=op::DCMPG => Marked,
            op::IRETURN | op::LRETURN | op::ARETURN => {
                self.returned = true;
                Plain
            }
            _ => return Err(Found),
        };
        words.extend(vec![result; given]);
        Ok(())
    }

    fn call(&self, insn: Insn, words: &mut Vec<Word>) -> Result<(), Found> {
        let Called { with, taken, given } = (self.meanings.called)(insn).ok_or(Found)?;
        let taken = self.take(words, taken)?;
        let receiver = taken.first().copied().unwrap_or(Plain);
        let marked = taken.iter().any(|word| word.is_marked());
        let result = match with {
            Use::Waits if taken.iter().all(|word| matches!(word, Natural | Large)) => Plain,
            // The stream itself is given by some.
            Use::Prints if receiver == Stream => Stream,
            Use::Gathers if marked => match receiver {
                Marked => Marked,
                Made(_) => {
                    mark(words, receiver);
                    Marked
                }
                _ => return Err(Found),
            },
            Use::Gathers => {
                taken[1..].iter().for_each(|&word| forget(words, word));
                receiver
            }
            Use::Passes if marked => Marked,
            Use::Passes => Plain,
            _ if marked => return Err(Found),
            _ => {
                taken.iter().for_each(|&word| forget(words, word));
                Plain
            }
        };
        words.extend(vec![result; given]);
        Ok(())
    }

    /// Copies the top `count` words below the `below` words under them.
    fn copy(&self, words: &mut Vec<Word>, count: usize, below: usize) -> Result<(), Found> {
        let top = words.len().checked_sub(count + below).filter(|&top| top >= self.locals);
        let at = top.ok_or(Found)?;
        let copied: Vec<Word> = words[words.len() - count..].to_vec();
        words.splice(at..at, copied);
        Ok(())
    }
}

/// An object depends on the value from now on.
fn mark(words: &mut [Word], object: Word) {
    words.iter_mut().filter(|word| **word == object).for_each(|word| *word = Marked);
}

/// An object is no longer followed.
fn forget(words: &mut [Word], object: Word) {
    if matches!(object, Made(_)) {
        words.iter_mut().filter(|word| **word == object).for_each(|word| *word = Plain);
    }
}
