//! One method: what the words of its local variables and of its stack may be.

use super::library;
use super::points::{Cell, CtxId, LIBRARY_FIELD, MIRROR, NULL, OPAQUE, Obj, Points};
use super::sets::{EMPTY, ObjId, SetId};
use crate::classfile::Const;
use crate::code::{Code, Insn, Meaning, op};
use crate::dynamic::Site;
use crate::link::{Class, Method};

/// The words at an instruction: local variables, then the stack.
pub(super) type Words = Vec<SetId>;

/// A call: what is called, and for which receiver.
#[derive(Clone, Copy)]
pub(super) enum Callee {
    /// A method of the program.
    Own(&'static Method, ObjId),
    /// One of the library.
    Library(&'static Method, ObjId),
}

impl Points<'_> {
    /// Looks at a method and hands on what it finds.
    pub fn visit(&mut self, context: CtxId) {
        let method = self.contexts[context as usize].method;
        if method.code().is_err() {
            self.doubts.insert(format!("{} has no code that can be looked at", method.java()));
            return;
        }
        self.states(context);
    }

    /// The words at every instruction that can be reached.
    pub fn states(&mut self, context: CtxId) -> Vec<Option<Words>> {
        let method = self.contexts[context as usize].method;
        let Ok(code) = method.code() else { return Vec::new() };
        let locals = usize::from(code.max_locals);
        let mut states: Vec<Option<Words>> = vec![None; code.insns.len()];
        if code.insns.is_empty() {
            return states;
        }
        let mut first = vec![EMPTY; locals];
        let params = &self.contexts[context as usize].params;
        first[..params.len()].copy_from_slice(params);
        states[0] = Some(first);
        let mut work = vec![0u32];
        while let Some(pc) = work.pop() {
            let Some(before) = states[pc as usize].clone() else { continue };
            let mut after = before.clone();
            let mut raised = self.step(context, method, code, pc, &mut after);
            let failures = self.failures(context, pc, &before);
            raised = self.sets.union(raised, failures);
            for handler in &code.handlers {
                if (handler.start..handler.end).contains(&pc) {
                    let mut words = before[..locals].to_vec();
                    let by = match handler.class {
                        0 => None,
                        by => method.class.class_at(&self.program.vm.registry, by).ok(),
                    };
                    words.push(by.map_or(raised, |by| self.caught(raised, by)));
                    self.merge(&mut states, &mut work, handler.target, words);
                }
            }
            let escaping = self.escaping(context, method.class, code, pc, raised);
            self.give_thrown(context, escaping);
            let mut next = Vec::new();
            code.successors(pc, |target| next.push(target));
            for target in next {
                self.merge(&mut states, &mut work, target, after.clone());
            }
        }
        states
    }

    fn merge(
        &mut self,
        states: &mut [Option<Words>],
        work: &mut Vec<u32>,
        target: u32,
        words: Words,
    ) {
        let Some(state) = states.get_mut(target as usize) else { return };
        match state {
            None => {
                *state = Some(words);
                work.push(target);
            }
            Some(known) => {
                let mut changed = false;
                for (known, word) in known.iter_mut().zip(words) {
                    let union = self.sets.union(*known, word);
                    changed |= union != *known;
                    *known = union;
                }
                if changed {
                    work.push(target);
                }
            }
        }
    }

    /// Executes one instruction; gives the objects that it may throw.
    fn step(
        &mut self,
        context: CtxId,
        method: &'static Method,
        code: &'static Code,
        pc: u32,
        words: &mut Words,
    ) -> SetId {
        let class = method.class;
        let insn = code.insns[pc as usize];
        let a = usize::from(insn.a);
        let top = |words: &Words, back: usize| {
            words.len().checked_sub(back).and_then(|at| words.get(at)).copied().unwrap_or(EMPTY)
        };
        match insn.op {
            op::ALOAD => words.push(words.get(a).copied().unwrap_or(EMPTY)),
            op::ASTORE => {
                let value = words.pop().unwrap_or(EMPTY);
                if let Some(local) = words.get_mut(a) {
                    *local = value;
                }
            }
            op::ISTORE | op::LSTORE => {
                let size = if insn.op == op::LSTORE { 2 } else { 1 };
                words.truncate(words.len().saturating_sub(size));
                for local in words.iter_mut().skip(a).take(size) {
                    *local = EMPTY;
                }
            }
            op::ACONST_NULL => {
                let null = self.sets.one(NULL);
                words.push(null);
            }
            op::LDC => {
                let value = self.constant(class, insn);
                words.push(value);
            }
            op::DUP..=op::SWAP => shuffle(insn.op, words),
            op::NEW => {
                if let Ok(made) = class.class_at(&self.program.vm.registry, insn.a) {
                    self.initialise(made);
                    let object = self.object_at(context, pc, made, true);
                    let set = self.sets.one(object);
                    words.push(set);
                } else {
                    words.push(EMPTY);
                }
            }
            op::NEWARRAY | op::ANEWARRAY | op::MULTIANEWARRAY => {
                let count = if insn.op == op::MULTIANEWARRAY { usize::from(insn.x) } else { 1 };
                words.truncate(words.len().saturating_sub(count));
                let set = self.new_array(context, class, pc, insn);
                words.push(set);
            }
            op::AALOAD => {
                let arrays = top(words, 2);
                words.truncate(words.len().saturating_sub(2));
                let mut value = self.sets.one(NULL);
                for array in self.sets.get(arrays).to_vec() {
                    let elements = self.read(context, Cell::Elements(array));
                    value = self.sets.union(value, elements);
                }
                words.push(value);
            }
            op::AASTORE => {
                let (arrays, value) = (top(words, 3), top(words, 1));
                words.truncate(words.len().saturating_sub(3));
                for array in self.sets.get(arrays).to_vec() {
                    self.grow_by(Cell::Elements(array), value);
                }
            }
            op::GETFIELD | op::GETSTATIC => self.get_field(context, class, insn, words),
            op::PUTFIELD | op::PUTSTATIC => self.put_field(class, insn, words),
            op::CHECKCAST => {
                let value = words.pop().unwrap_or(EMPTY);
                let to = class.class_at(&self.program.vm.registry, insn.a);
                let kept = match to {
                    Ok(to) => self.cast(value, to),
                    Err(_) => value,
                };
                words.push(kept);
            }
            op::ARETURN => {
                let value = top(words, 1);
                self.give_result(context, value);
            }
            op::ATHROW => {
                let value = top(words, 1);
                return self.sets.filter(value, |object| object != NULL);
            }
            op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => {
                return self.invoke(context, method, code, pc, words);
            }
            op::MONITORENTER | op::MONITOREXIT => {
                let locked = words.pop().unwrap_or(EMPTY);
                self.locks(context, pc, locked);
            }
            _ => {
                let (taken, put) = class.effect(insn).unwrap_or((0, 0));
                words.truncate(words.len().saturating_sub(taken));
                words.resize(words.len() + put, EMPTY);
            }
        }
        EMPTY
    }

    /// Objects of a set that may be of a class.
    pub fn cast(&mut self, set: SetId, to: &'static Class) -> SetId {
        let objects = &self.objects;
        self.sets.filter(set, |id| {
            let object = &objects[id as usize];
            match object.exact {
                true => object.class.is_subtype_of(to),
                // An object of the library of which little is known is none of a class of the program, but it may be
                // an array of such objects.
                false => id == NULL || to.library || to.is_interface() || to.element().is_some(),
            }
        })
    }

    /// Objects of a set that a handler for a class may catch.
    fn caught(&mut self, set: SetId, by: &'static Class) -> SetId {
        let objects = &self.objects;
        self.sets.filter(set, |id| may_be(&objects[id as usize], by))
    }

    /// What somebody expects the virtual machine or the library to throw at an instruction.
    pub fn failures(&mut self, context: CtxId, pc: u32, words: &Words) -> SetId {
        if !self.expects(context, pc) {
            return EMPTY;
        }
        match self.can_fail(context, pc, words) {
            true => self.anything(),
            false if self.may_initialise(context, pc) => self.errors(),
            false => EMPTY,
        }
    }

    /// Whether an instruction may run the initialiser of a class, which may fail, or have failed.
    fn may_initialise(&self, context: CtxId, pc: u32) -> bool {
        let method = self.contexts[context as usize].method;
        let Ok(code) = method.code() else { return false };
        let (insn, registry) = (code.insns[pc as usize], &self.program.vm.registry);
        let class = match insn.op {
            op::NEW => method.class.class_at(registry, insn.a).ok(),
            op::GETSTATIC | op::PUTSTATIC => {
                method.class.field_at(registry, insn.a).ok().map(|field| field.class)
            }
            op::INVOKESTATIC => {
                method.class.method_at(registry, insn.a).ok().map(|method| method.class)
            }
            _ => None,
        };
        let before = |class: &Class| method.class.supertypes.contains(&class.id);
        class.is_some_and(|class| {
            let all = class.supertypes.iter().map(|&id| registry.class_of(id));
            all.filter(|of| !is_library(of) && !self.is_first(of) && !before(of))
                .any(|of| of.linked().initialiser.is_some())
        })
    }

    /// Whether the virtual machine or the library may throw something at an instruction.
    pub fn can_fail(&mut self, context: CtxId, pc: u32, words: &Words) -> bool {
        let method = self.contexts[context as usize].method;
        let Ok(code) = method.code() else { return true };
        let insn = code.insns[pc as usize];
        let may_be_null = |points: &Points<'_>, back: usize| {
            let set = words.len().checked_sub(back).map_or(EMPTY, |at| words[at]);
            let objects = points.sets.get(set).iter();
            objects.copied().any(|object| {
                let of = &points.objects[object as usize];
                object == NULL || of.many && of.made.is_none()
            })
        };
        match insn.op {
            op::GETFIELD | op::MONITORENTER | op::ARRAYLENGTH | op::ATHROW => may_be_null(self, 1),
            op::PUTFIELD => {
                let field = method.class.field_at(&self.program.vm.registry, insn.a);
                field.map_or(true, |field| may_be_null(self, 1 + field.kind.words()))
            }
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => {
                let Some((callees, taken)) = self.callees(method, insn, words) else { return true };
                let fails = |callee: &Callee| match *callee {
                    Callee::Library(..) => true,
                    // It may be one call too many.
                    Callee::Own(method, object) => self.around(context, method, object).is_some(),
                };
                callees.iter().any(fails) || insn.op != op::INVOKESTATIC && may_be_null(self, taken)
            }
            op::IALOAD..=op::SALOAD
            | op::IASTORE..=op::SASTORE
            | op::IDIV
            | op::LDIV
            | op::IREM
            | op::LREM
            | op::CHECKCAST
            | op::NEWARRAY..=op::ANEWARRAY
            | op::MULTIANEWARRAY
            | op::INVOKEDYNAMIC => true,
            _ => false,
        }
    }

    fn constant(&mut self, class: &'static Class, insn: Insn) -> SetId {
        let is_class = class.file.as_ref().map(|file| file.pool.get(insn.a));
        if matches!(is_class, Some(Const::Class(_)))
            && let Ok(named) = class.class_at(&self.program.vm.registry, insn.a)
        {
            let mirror = self.fixed_object(MIRROR, 0, named);
            return self.sets.one(mirror);
        }
        match class.meaning(insn) {
            Meaning::Value(kind) if kind.is_reference() => self.sets.one(OPAQUE),
            _ => EMPTY,
        }
    }

    fn new_array(&mut self, context: CtxId, class: &'static Class, pc: u32, insn: Insn) -> SetId {
        let registry = &self.program.vm.registry;
        let array = match insn.op {
            op::ANEWARRAY => class
                .class_at(registry, insn.a)
                .ok()
                .and_then(|element| registry.array_of(element).ok()),
            op::MULTIANEWARRAY => class.class_at(registry, insn.a).ok(),
            _ => registry.array_of(registry.primitive(b'I')).ok(),
        };
        let Some(array) = array else { return self.sets.one(OPAQUE) };
        let object = self.object_at(context, pc, array, insn.op != op::NEWARRAY);
        // Arrays of arrays: one for each dimension.
        let (mut outer, mut element) = (object, array.element());
        let dimensions = if insn.op == op::MULTIANEWARRAY { u32::from(insn.x) } else { 1 };
        for _ in 1..dimensions {
            let Some(inner) = element else { break };
            let made = self.object_at(context, pc, inner, true);
            self.objects[made as usize].many = true;
            self.grow(Cell::Elements(outer), made);
            (outer, element) = (made, inner.element());
        }
        self.sets.one(object)
    }

    fn get_field(&mut self, context: CtxId, class: &'static Class, insn: Insn, words: &mut Words) {
        let is_static = insn.op == op::GETSTATIC;
        let objects = if is_static { EMPTY } else { words.pop().unwrap_or(EMPTY) };
        let Ok(field) = class.field_at(&self.program.vm.registry, insn.a) else {
            let (_, put) = class.effect(insn).unwrap_or((0, 1));
            words.resize(words.len() + put, EMPTY);
            return;
        };
        if is_static {
            self.initialise(field.class);
        }
        if !field.kind.is_reference() {
            words.resize(words.len() + field.kind.words(), EMPTY);
            return;
        }
        let mut value = self.sets.one(NULL);
        if is_static && field.class.library {
            let object = self.fixed_object(LIBRARY_FIELD, field.index as u32, field.class);
            value = self.sets.one(object);
        } else if is_static {
            let known = self.read(context, Cell::of_static(field));
            value = self.sets.union(value, known);
        }
        for object in self.sets.get(objects).to_vec() {
            let known = self.read(context, Cell::field(object, field));
            value = self.sets.union(value, known);
        }
        words.push(value);
    }

    fn put_field(&mut self, class: &'static Class, insn: Insn, words: &mut Words) {
        let Ok(field) = class.field_at(&self.program.vm.registry, insn.a) else {
            let (taken, _) = class.effect(insn).unwrap_or((0, 0));
            words.truncate(words.len().saturating_sub(taken));
            return;
        };
        let size = field.kind.words();
        let value = words.last().copied().unwrap_or(EMPTY);
        words.truncate(words.len().saturating_sub(size));
        if insn.op == op::PUTSTATIC {
            self.initialise(field.class);
            if field.kind.is_reference() {
                self.grow_by(Cell::of_static(field), value);
            }
            return;
        }
        let objects = words.pop().unwrap_or(EMPTY);
        if field.kind.is_reference() {
            for object in self.sets.get(objects).to_vec() {
                self.grow_by(Cell::field(object, field), value);
            }
        }
    }

    /// What a call may lead to.
    pub fn callees(
        &mut self,
        caller: &'static Method,
        insn: Insn,
        words: &Words,
    ) -> Option<(Vec<Callee>, usize)> {
        let class = caller.class;
        let (taken, _) = class.effect(insn)?;
        if insn.op == op::INVOKEDYNAMIC {
            return Some((vec![self.text_of(class, insn, words)?], taken));
        }
        let method = class.method_at(&self.program.vm.registry, insn.a).ok()?;
        if method.is_static() {
            let callee = match is_library(method.class) {
                true => Callee::Library(method, NULL),
                false => Callee::Own(method, NULL),
            };
            return Some((vec![callee], taken));
        }
        let receivers = words.get(words.len().checked_sub(taken)?).copied().unwrap_or(EMPTY);
        let mut callees = Vec::new();
        for &object in self.sets.get(receivers) {
            if object == NULL {
                continue;
            }
            let of = &self.objects[object as usize];
            let target = match insn.op {
                op::INVOKESPECIAL => method,
                _ if of.exact => {
                    let found = of.class.linked().virtuals.get(&method.selector);
                    found.copied().unwrap_or(method)
                }
                _ => method,
            };
            if is_library(target.class) || !of.is_own() && !of.exact {
                callees.push(Callee::Library(target, object));
            } else {
                callees.push(Callee::Own(target, object));
            }
        }
        Some((callees, taken))
    }

    /// What a concatenation or a method of a record asks the objects of the program for.
    fn text_of(&mut self, class: &'static Class, insn: Insn, words: &Words) -> Option<Callee> {
        let (taken, _) = class.effect(insn)?;
        let given = words.get(words.len().checked_sub(taken)?..)?;
        let known =
            given.iter().any(|&set| self.sets.get(set).iter().any(|&object| object > OPAQUE));
        match self.worker.site_at(class, insn.a) {
            Ok(Site::Call { method }) if known => Some(Callee::Own(method, NULL)),
            _ => None,
        }
    }

    fn invoke(
        &mut self,
        context: CtxId,
        caller: &'static Method,
        code: &'static Code,
        pc: u32,
        words: &mut Words,
    ) -> SetId {
        let class = caller.class;
        let insn = code.insns[pc as usize];
        let (taken, put) = class.effect(insn).unwrap_or((0, 0));
        let start = words.len().saturating_sub(taken);
        let given: Vec<SetId> = words[start..].to_vec();
        let mut result = EMPTY;
        let mut thrown = EMPTY;
        let callees = self.callees(caller, insn, words);
        if insn.op == op::INVOKEDYNAMIC && callees.is_none() {
            result = self.dynamic(context, class, pc, insn, &given);
        } else if let Some((callees, _)) = callees {
            for callee in callees {
                let given_result = match callee {
                    Callee::Own(method, object) => {
                        if method.is_static() {
                            self.initialise(method.class);
                        }
                        let child = self.child(context, pc, method, object);
                        for (word, &set) in given.iter().enumerate() {
                            let set = match word {
                                0 if !method.is_static() => self.sets.one(object),
                                _ => set,
                            };
                            self.give(child, word, set);
                        }
                        let raised = self.contexts[child as usize].thrown;
                        thrown = self.sets.union(thrown, raised);
                        self.contexts[child as usize].result
                    }
                    Callee::Library(method, object) => {
                        if library::is_about_a_lock(method) {
                            let on = given.first().copied().unwrap_or(EMPTY);
                            self.locks(context, pc, on);
                        } else if matches!(library::role(method), library::Role::Join { .. }) {
                            self.joined.insert(object);
                        }
                        let raised = library::declared(self, method);
                        thrown = self.sets.union(thrown, raised);
                        let result = library::call(self, context, pc, method, object, &given);
                        let raised = std::mem::replace(&mut self.raised, EMPTY);
                        thrown = self.sets.union(thrown, raised);
                        result
                    }
                };
                result = self.sets.union(result, given_result);
            }
        } else {
            self.doubts.insert(format!("a call through a method handle in {}", caller.java()));
            result = self.sets.one(OPAQUE);
        }
        words.truncate(start);
        if put > 0 {
            words.push(result);
            words.resize(start + put, EMPTY);
        }
        thrown
    }

    /// The object that a lambda makes; a text for a concatenation.
    fn dynamic(
        &mut self,
        context: CtxId,
        class: &'static Class,
        pc: u32,
        insn: Insn,
        given: &[SetId],
    ) -> SetId {
        match self.worker.site_at(class, insn.a) {
            Ok(Site::Object { class: made, .. }) => {
                let object = self.object_at(context, pc, made, true);
                let mut word = 0;
                for field in &made.linked().fields {
                    if field.kind.is_reference() {
                        let set = given.get(word).copied().unwrap_or(EMPTY);
                        self.grow_by(Cell::field(object, field), set);
                    }
                    word += field.kind.words();
                }
                self.sets.one(object)
            }
            Ok(_) => self.sets.one(OPAQUE),
            Err(_) => {
                self.doubts.insert(format!("a call site of {} is unknown", class.java_name()));
                self.sets.one(OPAQUE)
            }
        }
    }

    /// The objects among those thrown at an instruction that no handler of the method is sure to catch. What nobody
    /// around names does not happen.
    pub fn escaping(
        &mut self,
        context: CtxId,
        class: &'static Class,
        code: &'static Code,
        pc: u32,
        thrown: SetId,
    ) -> SetId {
        let registry = &self.program.vm.registry;
        let mut caught = Vec::new();
        for handler in &code.handlers {
            if (handler.start..handler.end).contains(&pc) {
                if handler.class == 0 {
                    return EMPTY;
                }
                if let Ok(of) = class.class_at(registry, handler.class) {
                    caught.push(of);
                }
            }
        }
        let unexpected = match self.is_guarded(context) {
            true => EMPTY,
            false => self.anything(),
        };
        let unexpected = self.sets.get(unexpected).to_vec();
        let objects = &self.objects;
        self.sets.filter(thrown, |id| {
            let of = objects[id as usize].class;
            !caught.iter().any(|&by| of.is_subtype_of(by)) && !unexpected.contains(&id)
        })
    }
}

/// Whether an object that is thrown may be of a class.
pub(super) fn may_be(object: &Obj, by: &Class) -> bool {
    object.class.is_subtype_of(by) || !object.exact && by.is_subtype_of(object.class)
}

/// Whether what a method of the class does is not looked at.
pub(super) fn is_library(class: &Class) -> bool {
    class.library && !class.hidden
}

/// The instructions on words of the stack.
pub(super) fn shuffle<T: Copy>(operation: u8, words: &mut Vec<T>) {
    let len = words.len();
    // How many words are copied, and how many lie between the copy and what it is a copy of.
    let (count, under) = match operation {
        op::DUP => (1, 0),
        op::DUP_X1 => (1, 1),
        op::DUP_X2 => (1, 2),
        op::DUP2 => (2, 0),
        op::DUP2_X1 => (2, 1),
        op::DUP2_X2 => (2, 2),
        _ => {
            if len >= 2 {
                words.swap(len - 1, len - 2);
            }
            return;
        }
    };
    if len < count + under {
        return;
    }
    let copied: Vec<T> = words[len - count..].to_vec();
    let at = len - count - under;
    words.splice(at..at, copied);
}

/// The instructions that may follow themselves.
pub(super) fn in_cycles(code: &Code) -> Vec<bool> {
    let count = code.insns.len();
    let next: Vec<Vec<u32>> = (0..count as u32)
        .map(|pc| {
            let mut next = Vec::new();
            code.successors(pc, |target| next.push(target));
            let covering = code.handlers.iter().filter(|h| (h.start..h.end).contains(&pc));
            next.extend(covering.map(|handler| handler.target));
            next.retain(|&target| (target as usize) < count);
            next
        })
        .collect();
    on_cycles(&next)
}

/// Whether each node of a graph lies on a cycle.
fn on_cycles(next: &[Vec<u32>]) -> Vec<bool> {
    let count = next.len();
    let mut found = vec![false; count];
    let (mut order, mut low) = (vec![u32::MAX; count], vec![0u32; count]);
    let mut open: Vec<u32> = Vec::new();
    let mut is_open = vec![false; count];
    let mut number = 0;
    for start in 0..count as u32 {
        if order[start as usize] != u32::MAX {
            continue;
        }
        let mut path: Vec<(u32, usize)> = vec![(start, 0)];
        while let Some(&mut (node, ref mut edge)) = path.last_mut() {
            let at = node as usize;
            if *edge == 0 {
                order[at] = number;
                low[at] = number;
                number += 1;
                open.push(node);
                is_open[at] = true;
            }
            if let Some(&target) = next[at].get(*edge) {
                *edge += 1;
                let to = target as usize;
                found[at] |= to == at;
                if order[to] == u32::MAX {
                    path.push((target, 0));
                } else if is_open[to] {
                    low[at] = low[at].min(order[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[at]);
            }
            if low[at] == order[at] {
                let from = open.iter().rposition(|&other| other == node).unwrap_or(0);
                let several = open.len() - from > 1;
                for &member in &open[from..] {
                    is_open[member as usize] = false;
                    found[member as usize] |= several;
                }
                open.truncate(from);
            }
        }
    }
    found
}
