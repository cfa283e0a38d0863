//! Conditions on states of a program that the user writes: `Account.balance >= 0`, `Account.isSound`,
//! `in(Bank.pay, main)`, `held(Bank.lock)`, `objects() <= 100`. They are invariants, or the propositions of formulas.

mod judge;
mod read;

use everypath_model::{Fault, FaultInfo, ModelError};

use crate::link::{Class, Field, Method};
use crate::program::{Program, failed};
use crate::system::JavaWorker;
use crate::vm::observe::{Observed, Watchword};
pub(crate) use read::Reader;

/// What is asked of a program besides what every program is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Conditions that every state has to satisfy.
    pub invariants: Vec<String>,
    /// Conditions that the letters of states are made of, the first one for the lowest bit.
    pub propositions: Vec<String>,
    /// Events that are noted, with what they are: `call Class.method` or `exit Class.method`.
    pub events: Vec<(String, String)>,
    /// Every instruction of the program is a step: slow, and obviously right.
    pub every_instruction: bool,
}

impl Asked {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        *self == Asked::default()
    }
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// A part of the way to a value.
#[derive(Clone)]
pub(crate) enum Part {
    Field(&'static Field),
    Element(u32),
    Length,
}

/// A static field, and what it leads to.
#[derive(Clone)]
pub(crate) struct Way {
    pub start: &'static Field,
    pub parts: Vec<Part>,
}

/// Something that can be locked.
#[derive(Clone)]
pub(crate) enum Lock {
    At(Way),
    /// The lock of static synchronized methods.
    Class(&'static Class),
}

/// What has a value.
#[derive(Clone)]
pub(crate) enum Term {
    Number(i64),
    Null,
    At(Way),
    /// How many objects there are.
    Objects,
    Sum(Box<Term>, Box<Term>),
    Difference(Box<Term>, Box<Term>),
    Product(Box<Term>, Box<Term>),
}

/// A method by class and name; overridden ones count.
#[derive(Clone, Copy)]
pub(crate) struct Named {
    pub class: &'static Class,
    /// The method that the class has, declared there or above.
    pub method: &'static Method,
}

impl Named {
    pub fn is(&self, method: &'static Method) -> bool {
        std::ptr::eq(method, self.method)
            || (method.name == self.method.name && method.class.is_subtype_of(self.class))
    }
}

/// A condition.
#[derive(Clone)]
pub(crate) enum Condition {
    Any(Vec<Condition>),
    All(Vec<Condition>),
    Not(Box<Condition>),
    Compare(Term, Relation, Term),
    /// A boolean.
    Is(Way),
    /// What a static method answers.
    Call(&'static Method),
    /// A thread, or this one, is inside of a method.
    In(Named, Option<String>),
    /// A thread, or this one, holds a lock.
    Held(Lock, Option<String>),
    /// There is a thread of this name.
    Alive(String),
}

/// What is asked of a program, read.
#[derive(Default)]
pub(crate) struct Conditions {
    /// With the text.
    invariants: Vec<(String, Condition)>,
    faults: Vec<Fault>,
    propositions: Vec<Condition>,
}

impl Conditions {
    /// Number of invariants.
    pub fn count(&self) -> usize {
        self.invariants.len()
    }
}

impl Program {
    /// Reads what is asked, and sees to it that steps end where it matters. It is asked once, before all searches.
    pub fn ask(&mut self, asked: &Asked) -> Result<(), String> {
        if asked.is_empty() {
            return Ok(());
        }
        let reader = Reader { registry: &self.vm.registry, main: self.main.class };
        let mut conditions = Conditions::default();
        for text in &asked.invariants {
            conditions.invariants.push((text.clone(), reader.condition(text)?));
        }
        for text in &asked.propositions {
            conditions.propositions.push(reader.condition(text)?);
        }
        let mut words = Vec::new();
        for (name, what) in &asked.events {
            let (kind, method) = what.trim().split_once(' ').unwrap_or(("", what));
            let named = |method: &str| reader.method(method.trim());
            words.push(match kind {
                "call" => Watchword::Call(named(method)?),
                "exit" => Watchword::Exit(named(method)?),
                _ => {
                    return Err(format!(
                        "event {name}: `{what}` is neither `call Class.method` nor `exit Class.method`"
                    ));
                }
            });
        }
        let observed = &self.vm.observed;
        let all = conditions.invariants.iter().map(|(_, one)| one).chain(&conditions.propositions);
        let mut watch = Vec::new();
        all.for_each(|condition| condition.watch(observed, &reader, &mut watch));
        observed.begin(words, watch, asked.every_instruction);
        for (index, (text, _)) in conditions.invariants.iter().enumerate() {
            let info = || FaultInfo {
                code: INVARIANT,
                kind: "invariant",
                message: format!("invariant can be false: {text}"),
                span: None,
                parts: Vec::new(),
                stack: Vec::new(),
                exception: None,
            };
            conditions.faults.push(self.names.fault_of(format!("invariant {index}"), info));
        }
        self.conditions = conditions;
        Ok(())
    }

    /// The invariants as the user wrote them.
    pub fn invariants(&self) -> Vec<String> {
        self.conditions.invariants.iter().map(|(text, _)| text.clone()).collect()
    }

    /// Which invariant a fault is about.
    pub fn invariant_of(&self, fault: Fault) -> Option<usize> {
        self.conditions.faults.iter().position(|&known| known == fault)
    }

    /// The fault of an invariant that a state does not satisfy.
    pub(crate) fn violated(
        &self,
        worker: &mut JavaWorker,
        state: &[u32],
        index: usize,
    ) -> Result<Option<Fault>, ModelError> {
        let Some((_, condition)) = self.conditions.invariants.get(index) else { return Ok(None) };
        let holds = worker.inner.judge(state, condition).map_err(failed)?;
        Ok((holds == Some(false)).then(|| self.conditions.faults[index]))
    }

    /// Why a state does not satisfy an invariant.
    pub(crate) fn why_violated(&self, state: &[u32], fault: Fault) -> FaultInfo {
        let mut info = self.names.fault(fault);
        let found = self.invariant_of(fault).map(|index| &self.conditions.invariants[index].1);
        let Some(condition) = found else { return info };
        let values = self.with_state(state, |worker| worker.values_in(condition));
        info.parts = values.unwrap_or_default();
        let told: Vec<String> =
            info.parts.iter().map(|(name, value)| format!("{name} is {value}")).collect();
        if !told.is_empty() {
            info.message = format!("{}, but {}", info.message, told.join(" and "));
        }
        info
    }

    /// The propositions that hold in a state, a bit each.
    pub fn letter(&self, worker: &mut JavaWorker, state: &[u32]) -> Result<u64, ModelError> {
        let mut letter = 0;
        for (bit, condition) in self.conditions.propositions.iter().enumerate() {
            let holds = worker.inner.judge(state, condition).map_err(failed)?;
            letter |= u64::from(holds == Some(true)) << bit;
        }
        Ok(letter)
    }

    /// The events of a step, by their position in what was asked.
    pub fn events_of(
        &self,
        worker: &mut JavaWorker,
        before: &[u32],
        action: everypath_model::Action,
    ) -> Result<Vec<usize>, ModelError> {
        let inner = &mut worker.inner;
        inner.load(before);
        let moves = self.moves(inner).map_err(failed)?;
        let step = moves.iter().find(|step| self.action_of(inner, step) == action);
        let Some(step) = step else {
            return Err(ModelError("a step is not there any more".to_owned()));
        };
        inner.happened.clear();
        inner.transition(step.thread, step.alternative).map_err(failed)?;
        Ok(inner.happened.iter().map(|&event| event as usize).collect())
    }
}

/// The code of a violated invariant.
const INVARIANT: &str = "EP0114";

impl Condition {
    /// Sees to it that steps end before what may change the condition.
    fn watch(&self, observed: &Observed, reader: &Reader<'_>, methods: &mut Vec<Named>) {
        let way = |way: &Way| {
            observed.watch_field(way.start);
            for part in &way.parts {
                match part {
                    Part::Field(field) => observed.watch_field(field),
                    Part::Element(_) => observed.watch_arrays(),
                    Part::Length => {}
                }
            }
        };
        match self {
            Condition::Any(parts) | Condition::All(parts) => {
                parts.iter().for_each(|part| part.watch(observed, reader, methods));
            }
            Condition::Not(inner) => inner.watch(observed, reader, methods),
            Condition::Compare(left, _, right) => {
                left.ways(&mut |one| way(one));
                right.ways(&mut |one| way(one));
            }
            Condition::Is(one) => way(one),
            // What it reads is found out when it is called.
            Condition::Call(_) => {}
            // Threads end by steps of their own.
            Condition::Alive(_) => methods.extend(reader.method("java.lang.Thread.start").ok()),
            Condition::In(named, _) => methods.push(*named),
            Condition::Held(lock, _) => {
                if let Lock::At(one) = lock {
                    way(one);
                }
                observed.watch_monitors();
                let owner = "java/util/concurrent/locks/AbstractOwnableSynchronizer";
                let field = reader.registry.class(owner).ok();
                if let Some(field) = field.and_then(|class| class.field("exclusiveOwnerThread")) {
                    observed.watch_field(field);
                }
            }
        }
    }
}

impl Term {
    /// Looks at all ways to values.
    pub(crate) fn ways<'a>(&'a self, look: &mut dyn FnMut(&'a Way)) {
        match self {
            Term::Number(_) | Term::Null | Term::Objects => {}
            Term::At(way) => look(way),
            Term::Sum(left, right) | Term::Difference(left, right) | Term::Product(left, right) => {
                left.ways(look);
                right.ways(look);
            }
        }
    }
}
