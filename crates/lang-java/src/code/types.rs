//! Whether the objects that a method works with are of the classes that its instructions need, as far as
//! that can be told without running it. Where it cannot, the virtual machine looks at the objects.

use std::rc::Rc;

use super::{Code, Insn, Meaning, Type, op};

/// The most words of all instructions of a method together; larger ones are not followed.
const LARGEST: usize = 1 << 20;

/// What is known about a word.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    /// No reference, or nothing that is known.
    Other,
    Null,
    /// An object of a class, or null.
    Of(Rc<str>),
    /// Any object.
    Any,
}

/// What the analysis asks about classes.
pub(crate) struct Classes<'a> {
    /// The types in a constant.
    pub pool: &'a dyn Fn(Insn) -> Meaning,
    /// The class that a constant names, alone or as the owner of a member.
    pub owner: &'a dyn Fn(Insn) -> Option<Box<str>>,
    /// Whether objects of a class can be used as those of another.
    pub fits: &'a dyn Fn(&str, &str) -> bool,
    /// The class that two have in common.
    pub common: &'a dyn Fn(&str, &str) -> Option<Box<str>>,
}

struct Proof<'a> {
    code: &'a Code,
    classes: &'a Classes<'a>,
    result: &'a Type,
    locals: usize,
    /// Before each instruction: locals, then the stack.
    states: Vec<Option<Vec<Word>>>,
    work: Vec<u32>,
}

impl Code {
    /// Whether every instruction gets objects of the right classes.
    pub fn is_typed(&self, parameters: &[Type], result: &Type, classes: &Classes<'_>) -> bool {
        let locals = usize::from(self.max_locals);
        let slots = locals + usize::from(self.max_stack);
        if slots * self.insns.len() > LARGEST {
            return false;
        }
        let mut first = Vec::with_capacity(slots);
        parameters.iter().for_each(|parameter| first.extend(words_of(parameter)));
        if first.len() > locals {
            return false;
        }
        first.resize(locals, Word::Other);
        let states = self.insns.iter().map(|_| None).collect();
        let mut proof = Proof { code: self, classes, result, locals, states, work: Vec::new() };
        if proof.merge(0, first).is_none() {
            return false;
        }
        while let Some(pc) = proof.work.pop() {
            if proof.step(pc).is_none() {
                return false;
            }
        }
        true
    }
}

fn words_of(kind: &Type) -> Vec<Word> {
    match kind {
        Type::Reference(name) => vec![Word::Of((**name).into())],
        other => vec![Word::Other; other.words()],
    }
}

impl Proof<'_> {
    fn merge(&mut self, pc: u32, words: Vec<Word>) -> Option<()> {
        let state = self.states.get_mut(pc as usize)?;
        match state {
            None => {
                *state = Some(words);
                self.work.push(pc);
            }
            Some(old) => {
                if old.len() != words.len() {
                    return None;
                }
                let mut changed = false;
                for (old, new) in old.iter_mut().zip(words) {
                    let joined = match (&*old, new) {
                        (old, new) if *old == new => continue,
                        (Word::Other, _) | (_, Word::Other) => Word::Other,
                        (Word::Null, new) => new,
                        (Word::Of(_) | Word::Any, Word::Null) => continue,
                        (Word::Any, _) | (_, Word::Any) => Word::Any,
                        (Word::Of(a), Word::Of(b)) => match (self.classes.common)(a, &b) {
                            Some(name) => Word::Of((*name).into()),
                            None => Word::Any,
                        },
                    };
                    if *old != joined {
                        *old = joined;
                        changed = true;
                    }
                }
                if changed {
                    self.work.push(pc);
                }
            }
        }
        Some(())
    }

    fn step(&mut self, pc: u32) -> Option<()> {
        let mut words = self.states.get(pc as usize)?.clone()?;
        for handler in &self.code.handlers {
            if (handler.start..handler.end).contains(&pc) {
                let mut caught = words[..self.locals].to_vec();
                let name = match handler.class {
                    0 => "java/lang/Throwable".into(),
                    class => (self.classes.owner)(Insn::new(op::CHECKCAST, class, 0))?,
                };
                caught.push(Word::Of((*name).into()));
                self.merge(handler.target, caught)?;
            }
        }
        let insn = self.code.insns[pc as usize];
        self.execute(insn, &mut words)?;
        let mut next = Vec::new();
        self.code.successors(pc, |pc| next.push(pc));
        next.into_iter().try_for_each(|pc| self.merge(pc, words.clone()))
    }

    fn is(&self, word: &Word, wanted: &str) -> Option<()> {
        let fits = match word {
            Word::Null => true,
            Word::Of(name) => &**name == wanted || (self.classes.fits)(name, wanted),
            Word::Any => wanted == "java/lang/Object",
            Word::Other => false,
        };
        fits.then_some(())
    }

    fn take(&self, words: &mut Vec<Word>, kind: &Type) -> Option<()> {
        match kind {
            Type::Reference(name) => self.is(&words.pop()?, name),
            other => drop_words(words, other.words(), self.locals),
        }
    }

    fn element(&self, array: &Word, code: u8) -> Option<Word> {
        let name = match array {
            Word::Null => return Some(if code == op::AALOAD { Word::Null } else { Word::Other }),
            Word::Of(name) => name,
            _ => return None,
        };
        let fits = match code {
            op::IALOAD | op::IASTORE => &**name == "[I",
            op::LALOAD | op::LASTORE => &**name == "[J",
            op::FALOAD | op::FASTORE => &**name == "[F",
            op::DALOAD | op::DASTORE => &**name == "[D",
            op::BALOAD | op::BASTORE => matches!(&**name, "[B" | "[Z"),
            op::CALOAD | op::CASTORE => &**name == "[C",
            op::SALOAD | op::SASTORE => &**name == "[S",
            _ => match Type::of(name.strip_prefix('[')?)? {
                Type::Reference(element) => return Some(Word::Of((*element).into())),
                Type::Primitive(_) => false,
            },
        };
        fits.then_some(Word::Other)
    }

    fn execute(&self, insn: Insn, words: &mut Vec<Word>) -> Option<()> {
        let value = || match (self.classes.pool)(insn) {
            Meaning::Value(kind) => Some(kind),
            _ => None,
        };
        match insn.op {
            op::ACONST_NULL => words.push(Word::Null),
            op::LDC => words.extend(match value()? {
                // Which class a constant is of is not told by its type.
                Type::Reference(_) => vec![Word::Of((*(self.classes.owner)(insn)?).into())],
                other => words_of(&other),
            }),
            op::NEW => words.push(Word::Of((*(self.classes.owner)(insn)?).into())),
            op::ALOAD => words.push(words.get(usize::from(insn.a))?.clone()),
            op::ASTORE => {
                let value = words.pop()?;
                *words.get_mut(usize::from(insn.a))? = value;
            }
            op::ISTORE | op::LSTORE => {
                let count = if insn.op == op::LSTORE { 2 } else { 1 };
                drop_words(words, count, self.locals)?;
                let slot = usize::from(insn.a);
                words.get_mut(slot..slot + count)?.fill(Word::Other);
            }
            op::IALOAD..=op::SALOAD => {
                words.pop()?;
                let element = self.element(&words.pop()?, insn.op)?;
                let wide = matches!(insn.op, op::LALOAD | op::DALOAD);
                words.extend(vec![element; if wide { 2 } else { 1 }]);
            }
            op::IASTORE..=op::SASTORE => {
                let wide = matches!(insn.op, op::LASTORE | op::DASTORE);
                drop_words(words, if wide { 3 } else { 2 }, self.locals)?;
                self.element(&words.pop()?, insn.op)?;
            }
            op::DUP => copy(words, 1, 0)?,
            op::DUP_X1 => copy(words, 1, 1)?,
            op::DUP_X2 => copy(words, 1, 2)?,
            op::DUP2 => copy(words, 2, 0)?,
            op::DUP2_X1 => copy(words, 2, 1)?,
            op::DUP2_X2 => copy(words, 2, 2)?,
            op::SWAP => {
                let (top, under) = (words.pop()?, words.pop()?);
                words.extend([top, under]);
            }
            op::ARETURN => self.take(words, self.result)?,
            op::ATHROW => self.is(&words.pop()?, "java/lang/Throwable")?,
            op::GETSTATIC => words.extend(words_of(&value()?)),
            op::PUTSTATIC => self.take(words, &value()?)?,
            op::GETFIELD => {
                self.is(&words.pop()?, &(self.classes.owner)(insn)?)?;
                words.extend(words_of(&value()?));
            }
            op::PUTFIELD => {
                self.take(words, &value()?)?;
                self.is(&words.pop()?, &(self.classes.owner)(insn)?)?;
            }
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => {
                let Meaning::Call(call) = (self.classes.pool)(insn) else { return None };
                call.parameters.iter().rev().try_for_each(|kind| self.take(words, kind))?;
                if !matches!(insn.op, op::INVOKESTATIC | op::INVOKEDYNAMIC) {
                    self.is(&words.pop()?, &(self.classes.owner)(insn)?)?;
                }
                words.extend(words_of(&call.result));
            }
            op::NEWARRAY => {
                words.pop()?;
                let kind = b"ZCFDBSIJ".get(usize::from(insn.x).checked_sub(4)?)?;
                words.push(Word::Of(format!("[{}", char::from(*kind)).into()));
            }
            op::ANEWARRAY => {
                words.pop()?;
                let element = (self.classes.owner)(insn)?;
                let element = Type::Reference(element);
                words.push(Word::Of(format!("[{}", element.descriptor()).into()));
            }
            op::MULTIANEWARRAY => {
                drop_words(words, usize::from(insn.x), self.locals)?;
                words.push(Word::Of((*(self.classes.owner)(insn)?).into()));
            }
            op::ARRAYLENGTH => {
                match words.pop()? {
                    Word::Null => {}
                    Word::Of(name) if name.starts_with('[') => {}
                    _ => return None,
                }
                words.push(Word::Other);
            }
            op::CHECKCAST => {
                words.pop()?;
                words.push(Word::Of((*(self.classes.owner)(insn)?).into()));
            }
            _ => {
                let (taken, given) = super::effect(insn, |insn| (self.classes.pool)(insn))?;
                drop_words(words, taken, self.locals)?;
                words.extend(vec![Word::Other; given]);
            }
        }
        Some(())
    }
}

fn drop_words(words: &mut Vec<Word>, count: usize, locals: usize) -> Option<()> {
    let left = words.len().checked_sub(count).filter(|&left| left >= locals)?;
    words.truncate(left);
    Some(())
}

/// Copies the top `count` words below the `below` words under them.
fn copy(words: &mut Vec<Word>, count: usize, below: usize) -> Option<()> {
    let top = words.len().checked_sub(count)?;
    let at = top.checked_sub(below)?;
    let copied: Vec<Word> = words[top..].to_vec();
    words.splice(at..at, copied);
    Some(())
}
