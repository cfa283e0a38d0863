//! Evaluates conditions in states. What has to be executed for that is executed by an observer: a thread that
//! exists for the moment of the evaluation, and of which nothing remains.

use everypath_model::Value;

use super::{Condition, Lock, Named, Part, Relation, Term, Way};
use crate::link::{Class, Method};
use crate::vm::observe::Answer;
use crate::vm::{Failure, Run, Trap, Worker};

/// A value that can be compared.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    Number(i64),
    Real(f64),
    Reference(u32),
}

impl Worker {
    /// Whether a state satisfies a condition. `None` where that cannot be told: a reference on the way is null, or
    /// an observer would have to wait for a lock or for the initialiser of a class.
    pub(crate) fn judge(&mut self, state: &[u32], condition: &Condition) -> Run<Option<bool>> {
        self.load(state);
        let mut classes = Vec::new();
        condition.classes(&mut classes);
        for class in classes {
            // As who looks at it would: a class is initialised when it is used.
            if self.heap.statics(&self.vm.base, class.id).is_none() {
                self.observer_initialises(class)?;
            }
        }
        self.evaluate(condition, state)
    }

    fn evaluate(&mut self, condition: &Condition, state: &[u32]) -> Run<Option<bool>> {
        Ok(match condition {
            Condition::Any(parts) => self.evaluate_all(parts, state, true)?,
            Condition::All(parts) => self.evaluate_all(parts, state, false)?,
            Condition::Not(inner) => self.evaluate(inner, state)?.map(|holds| !holds),
            Condition::Compare(left, relation, right) => {
                let values = self.term(left).zip(self.term(right));
                values.map(|(left, right)| compare(left, *relation, right))
            }
            Condition::Is(way) => match self.follow(way) {
                Some(Known::Number(number)) => Some(number != 0),
                _ => None,
            },
            Condition::Call(method) => self.answered(method, state)?,
            Condition::In(named, thread) => Some(
                self.called(thread.as_deref())
                    .into_iter()
                    .any(|thread| self.is_inside(thread, *named)),
            ),
            Condition::Held(lock, thread) => {
                let lock = match lock {
                    // Nobody has taken what nobody has made.
                    Lock::Class(class) => Some(class.mirror.get().copied().unwrap_or(0)),
                    Lock::At(way) => match self.follow(way) {
                        Some(Known::Reference(lock)) if lock != 0 => Some(lock),
                        _ => None,
                    },
                };
                let wanted = self.called(thread.as_deref());
                lock.map(|lock| {
                    let holder = if lock == 0 { None } else { self.who_holds(lock) };
                    holder.is_some_and(|holder| wanted.contains(&holder))
                })
            }
            Condition::Alive(thread) => Some(!self.called(Some(thread)).is_empty()),
        })
    }

    /// Some or all of several conditions.
    fn evaluate_all(
        &mut self,
        parts: &[Condition],
        state: &[u32],
        some: bool,
    ) -> Run<Option<bool>> {
        let mut all = Some(!some);
        for part in parts {
            match self.evaluate(part, state)? {
                Some(holds) if holds == some => return Ok(Some(some)),
                Some(_) => {}
                None => all = None,
            }
        }
        Ok(all)
    }

    fn term(&self, term: &Term) -> Option<Known> {
        let pair = |left: &Term, right: &Term| -> Option<(i64, i64)> {
            match (self.term(left)?, self.term(right)?) {
                (Known::Number(left), Known::Number(right)) => Some((left, right)),
                _ => None,
            }
        };
        Some(match term {
            Term::Number(number) => Known::Number(*number),
            Term::Null => Known::Reference(0),
            Term::Objects => Known::Number(self.heap.journal.loaded.objects as i64),
            Term::At(way) => self.follow(way)?,
            Term::Sum(left, right) => {
                let (left, right) = pair(left, right)?;
                Known::Number(left.wrapping_add(right))
            }
            Term::Difference(left, right) => {
                let (left, right) = pair(left, right)?;
                Known::Number(left.wrapping_sub(right))
            }
            Term::Product(left, right) => {
                let (left, right) = pair(left, right)?;
                Known::Number(left.wrapping_mul(right))
            }
        })
    }

    /// The value that a way leads to.
    fn follow(&self, way: &Way) -> Option<Known> {
        let field = way.start;
        if self.heap.statics(&self.vm.base, field.class.id).is_none() {
            return Some(known(field.descriptor.as_bytes()[0], 0));
        }
        let high = if field.wide() { u64::from(self.get_static(field, 1)) << 32 } else { 0 };
        let bits = u64::from(self.get_static(field, 0)) | high;
        let mut here = known(field.descriptor.as_bytes()[0], bits);
        for part in &way.parts {
            let Known::Reference(object) = here else { return None };
            if object == 0 {
                return None;
            }
            here = match part {
                Part::Field(field) => {
                    let bits = match field.wide() {
                        true => self.get_long(object, field.slot),
                        false => u64::from(self.get(object, field.slot)),
                    };
                    known(field.descriptor.as_bytes()[0], bits)
                }
                Part::Length => Known::Number(i64::from(self.array_length(object))),
                Part::Element(index) => {
                    if *index >= self.array_length(object) {
                        return None;
                    }
                    let place = self.heap.place(&self.vm.base, object);
                    match self.class_of(object).has_reference_elements() {
                        true => Known::Reference(self.load_word(place, *index)),
                        false => match self.element_value(object, *index) {
                            Value::Int(number) => Known::Number(number),
                            Value::Bool(truth) => Known::Number(i64::from(truth)),
                            _ => return None,
                        },
                    }
                }
            };
        }
        Some(here)
    }

    /// The threads of a name, or all.
    fn called(&self, name: Option<&str>) -> Vec<usize> {
        (0..self.threads.len())
            .filter(|&thread| self.is_alive(thread))
            .filter(|&thread| name.is_none_or(|name| self.thread_name(thread) == name))
            .collect()
    }

    fn is_inside(&self, thread: usize, named: Named) -> bool {
        self.calls(thread).iter().any(|call| named.is(call.method))
    }

    /// Who holds a lock: the monitor of an object, or what the object stands for as one of the library's locks.
    fn who_holds(&self, lock: u32) -> Option<usize> {
        if let Some(owner) = self.owner(lock) {
            return Some(owner);
        }
        let sync = self.class_of(lock).field("sync").filter(|field| field.class.library)?;
        let sync = self.get(lock, sync.slot);
        if sync == 0 {
            return None;
        }
        let owner = self.class_of(sync).field("exclusiveOwnerThread")?;
        self.thread_of(self.get(sync, owner.slot))
    }

    /// What a method of the program answers.
    fn answered(&mut self, method: &'static Method, state: &[u32]) -> Run<Option<bool>> {
        let refused = |what: String| {
            let name = format!("{}.{}", method.class.java_name(), method.name);
            Trap::Fail(Failure::Broken(format!("{name} cannot be an invariant: {what}")))
        };
        let answer = self.observer_calls(method)?;
        let changed = self.observer_changed();
        // What others of its conditions look at is the state as it was.
        self.load(state);
        match (answer, changed) {
            (Answer::Chooses, _) => Err(refused("it makes a choice".to_owned())),
            (_, Some(what)) => Err(refused(format!("it changes {what}"))),
            (Answer::Word(word), None) => Ok(Some(word & 1 != 0)),
            // Who fails does not say that all is well.
            (Answer::Threw, None) => Ok(Some(false)),
            (Answer::Waits, None) => Ok(None),
        }
    }

    /// The values that a condition names, with their names.
    pub(crate) fn values_in(&self, condition: &Condition) -> Vec<(String, Value)> {
        let mut found: Vec<(String, Value)> = Vec::new();
        let mut look = |way: &Way| {
            if self.heap.statics(&self.vm.base, way.start.class.id).is_none() {
                return;
            }
            let class = crate::describe::simple_name(way.start.class);
            let mut name = format!("{class}.{}", way.start.name);
            for part in &way.parts {
                name += &match part {
                    Part::Field(field) if &*field.name == "value" && field.class.library => {
                        String::new()
                    }
                    Part::Field(field) => format!(".{}", field.name),
                    Part::Element(index) => format!("[{index}]"),
                    Part::Length => ".length".to_owned(),
                };
            }
            let value = match (self.follow(way), way.parts.last()) {
                (Some(Known::Reference(object)), _) => self.reference(object, 1),
                (Some(Known::Real(number)), _) => Value::Name(number.to_string()),
                (Some(Known::Number(number)), None) if &*way.start.descriptor == "Z" => {
                    Value::Bool(number != 0)
                }
                (Some(Known::Number(number)), _) => Value::Int(number),
                (None, _) => return,
            };
            if !found.iter().any(|(known, _)| *known == name) {
                found.push((name, value));
            }
        };
        condition.ways(&mut look);
        if condition.counts_objects() {
            found.extend(self.most_objects());
        }
        found
    }

    /// How many objects there are, and the class that has most of them.
    fn most_objects(&self) -> Vec<(String, Value)> {
        let mut counts: std::collections::BTreeMap<String, i64> = Default::default();
        let all = self.heap.journal.loaded.objects;
        for dense in 0..all {
            let class =
                self.heap.word(&self.vm.dictionary, self.heap.objects[dense], crate::heap::CLASS);
            *counts.entry(self.vm.registry.class_of(class).java_name()).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        let mut told = vec![("the number of objects".to_owned(), Value::Int(all as i64))];
        told.extend(most.map(|(name, count)| (format!("that of {name}"), Value::Int(count))));
        told
    }
}

fn known(kind: u8, bits: u64) -> Known {
    match kind {
        b'L' | b'[' => Known::Reference(bits as u32),
        b'J' => Known::Number(bits as i64),
        b'F' => Known::Real(f64::from(f32::from_bits(bits as u32))),
        b'D' => Known::Real(f64::from_bits(bits)),
        _ => Known::Number(i64::from(bits as u32 as i32)),
    }
}

fn compare(left: Known, relation: Relation, right: Known) -> bool {
    let ordering = match (left, right) {
        (Known::Number(left), Known::Number(right)) => Some(left.cmp(&right)),
        (Known::Reference(left), Known::Reference(right)) => {
            return match relation {
                Relation::Equal => left == right,
                Relation::Unequal => left != right,
                _ => false,
            };
        }
        (Known::Real(left), Known::Real(right)) => left.partial_cmp(&right),
        (Known::Real(left), Known::Number(right)) => left.partial_cmp(&(right as f64)),
        (Known::Number(left), Known::Real(right)) => (left as f64).partial_cmp(&right),
        _ => None,
    };
    let Some(ordering) = ordering else { return relation == Relation::Unequal };
    match relation {
        Relation::Equal => ordering.is_eq(),
        Relation::Unequal => ordering.is_ne(),
        Relation::Less => ordering.is_lt(),
        Relation::LessEqual => ordering.is_le(),
        Relation::Greater => ordering.is_gt(),
        Relation::GreaterEqual => ordering.is_ge(),
    }
}

impl Condition {
    fn ways<'a>(&'a self, look: &mut dyn FnMut(&'a Way)) {
        match self {
            Condition::Any(parts) | Condition::All(parts) => {
                parts.iter().for_each(|part| part.ways(look));
            }
            Condition::Not(inner) => inner.ways(look),
            Condition::Compare(left, _, right) => {
                left.ways(look);
                right.ways(look);
            }
            Condition::Is(way) | Condition::Held(Lock::At(way), _) => look(way),
            Condition::Held(Lock::Class(_), _)
            | Condition::Call(_)
            | Condition::In(..)
            | Condition::Alive(_) => {}
        }
    }

    /// Whether it is about the number of objects.
    fn counts_objects(&self) -> bool {
        match self {
            Condition::Any(parts) | Condition::All(parts) => {
                parts.iter().any(Condition::counts_objects)
            }
            Condition::Not(inner) => inner.counts_objects(),
            Condition::Compare(left, _, right) => left.counts_objects() || right.counts_objects(),
            _ => false,
        }
    }

    /// The classes whose fields it reads itself.
    fn classes(&self, classes: &mut Vec<&'static Class>) {
        self.ways(&mut |way| {
            if !classes.contains(&way.start.class) {
                classes.push(way.start.class);
            }
        });
    }
}

impl Term {
    fn counts_objects(&self) -> bool {
        match self {
            Term::Objects => true,
            Term::Number(_) | Term::Null | Term::At(_) => false,
            Term::Sum(left, right) | Term::Difference(left, right) | Term::Product(left, right) => {
                left.counts_objects() || right.counts_objects()
            }
        }
    }
}
