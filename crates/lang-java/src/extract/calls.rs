//! Calls in the graph of a method: of the program's own methods, and of the library by their meaning.

use everypath_flow::{NodeId, Op, What};

use super::body::{Callee, is_library};
use super::emit::{Body, Step};
use super::library::{Role, declared, role};
use super::points::{CtxId, NULL};
use super::sets::ObjId;
use super::values::{Kind, Value, Var, test};
use crate::code::Insn;
use crate::link::Method;

impl Body<'_, '_, '_> {
    pub fn call(&mut self, step: &mut Step, insn: Insn) {
        let (taken, put) = self.method.class.effect(insn).unwrap_or((0, 0));
        let start = step.stack.len().saturating_sub(taken);
        let given: Vec<Value> = step.stack.split_off(start);
        let words = self.words();
        let callees = self.emitter.points.callees(self.method, insn, &words);
        let Some((callees, _)) = callees else {
            step.stack.resize(step.stack.len() + put, Value::Any);
            return self.go(step.at, self.pc + 1, step.stack.clone());
        };
        let count = callees.len();
        if count == 0 {
            // The receiver is always null, or the call is never reached.
            step.stack.resize(step.stack.len() + put, Value::Any);
            return self.go(step.at, self.pc + 1, step.stack.clone());
        }
        for callee in callees {
            let mut one = step.clone();
            match callee {
                Callee::Own(method, object) => self.own(&mut one, method, object, &given, put),
                Callee::Library(method, object) => {
                    self.library(&mut one, method, object, &given, put);
                }
            }
        }
    }

    fn own(
        &mut self,
        step: &mut Step,
        method: &'static Method,
        object: ObjId,
        given: &[Value],
        put: usize,
    ) {
        let known = &self.emitter.points.contexts[self.context as usize].children;
        let Some(&child) = known.get(&(self.pc, method.id, object)) else { return };
        let receiver = self.single(object);
        step.behind(self.method_events(step.at, What::Call, method, receiver));
        let mut arguments = Vec::new();
        let mut word = usize::from(!method.is_static());
        for kind in &method.descriptor.parameters {
            if let Some(kind) = Kind::of(kind).filter(|&kind| kind != Kind::Reference) {
                // It is written as the local variable that gets it.
                let named =
                    method.code().is_ok_and(|code| code.local_name(0, word as u16).is_some());
                let kind = if named { kind } else { Kind::Number };
                let value = given.get(word).and_then(|value| value.show(kind));
                arguments.push(value.unwrap_or_else(|| "?".to_owned()));
            }
            word += kind.words();
        }
        let result = Kind::of(&method.descriptor.result).filter(|&kind| kind != Kind::Reference);
        let result = result.map(|kind| {
            let name = format!("{}@{}", method.name, self.pc);
            Var { name, kind, shared: false, field: None }
        });
        if let Some(var) = &result {
            self.keep_local(&var.name);
            step.forget_var(&var.name);
            arguments.push(var.name.clone());
        }
        step.forget();
        let procedure = self.emitter.procedure(child);
        step.at = self.then(step.at, Op::Call { procedure, arguments });
        self.fail(step.at, child);
        step.behind(self.method_events(step.at, What::Return, method, receiver));
        match result {
            Some(var) => step.stack.push(Value::Var(var)),
            None => step.stack.resize(step.stack.len() + put, Value::Any),
        }
        self.go(step.at, self.pc + 1, step.stack.clone());
    }

    /// Where exceptions of a call lead.
    fn fail(&mut self, call: NodeId, child: CtxId) {
        let thrown = self.emitter.points.contexts[child as usize].thrown;
        let routes = self.routes(thrown);
        self.handlers(call, routes);
    }

    fn single(&self, object: ObjId) -> Option<ObjId> {
        let of = &self.emitter.points.objects[object as usize];
        (object != NULL && !of.many).then_some(object)
    }

    fn library(
        &mut self,
        step: &mut Step,
        method: &'static Method,
        object: ObjId,
        given: &[Value],
        put: usize,
    ) {
        let single = self.single(object);
        let monitor = matches!(role(method), Role::Wait { .. } | Role::Notify | Role::NotifyAll);
        let name = single.and_then(|object| self.emitter.points.lock_of(object, monitor));
        step.behind(self.method_events(step.at, What::Call, method, single));
        let before = step.at;
        let mut thrown = declared(self.emitter.points, method);
        if self.emitter.points.expects(self.context, self.pc) {
            let anything = self.emitter.points.anything();
            thrown = self.emitter.points.sets.union(thrown, anything);
        }
        let mut result = Value::Any;
        match (role(method), name) {
            (Role::Start, _) => {
                if let Some(thread) = self.thread_of(object) {
                    self.out_of_order("starts threads");
                    step.forget();
                    step.at = self.lock_op(step.at, Op::Start(thread.clone()));
                    // What it runs may be something of the library that runs more.
                    self.callbacks(step, Some(&thread));
                }
            }
            (Role::Join { timed: false }, _) if single.is_some() => {
                let root = self.root_of(object);
                let one = root.is_some_and(|root| !self.emitter.points.roots[root].many);
                if let Some(thread) = self.thread_of(object).filter(|_| one) {
                    self.out_of_order("waits");
                    step.forget();
                    step.at = self.lock_op(step.at, Op::Join(thread));
                }
            }
            (Role::Wait { timed }, Some(lock)) => {
                self.out_of_order("waits");
                step.forget();
                // One that ends wakes those who wait for it, and so may the library.
                let class = self.emitter.points.objects[object as usize].class;
                let woken = class.supertypes.iter().any(|&id| {
                    let class = self.emitter.points.program.vm.registry.class_of(id);
                    is_library(class) && &*class.name != "java/lang/Object" && !class.is_interface()
                });
                let again = timed || woken || self.emitter.points.interrupts;
                if again {
                    // It ends by itself, too.
                    let back = self.lock_op(before, Op::Pause(lock.clone()));
                    for target in self.routes(thrown) {
                        self.link(back, target);
                    }
                    self.go(back, self.pc + 1, step.stack.clone());
                }
                step.at = self.lock_op(before, Op::Wait(lock));
            }
            (Role::Notify, Some(lock)) => {
                self.out_of_order("wakes threads");
                step.forget();
                step.at = self.lock_op(step.at, Op::Notify(lock));
            }
            (Role::NotifyAll, Some(lock)) => {
                self.out_of_order("wakes threads");
                step.forget();
                step.at = self.lock_op(step.at, Op::NotifyAll(lock));
            }
            (Role::Lock, Some(lock)) => {
                step.forget();
                step.at = self.lock_op(step.at, Op::Lock(lock));
            }
            (Role::Unlock, Some(lock)) => {
                step.forget();
                step.at = self.lock_op(step.at, Op::Unlock(lock));
            }
            (Role::TryLock, Some(lock)) => {
                let mut missed = step.clone();
                missed.stack.push(Value::Int(0));
                self.go(missed.at, self.pc + 1, missed.stack);
                step.forget();
                step.at = self.lock_op(step.at, Op::Lock(lock));
                result = Value::Int(1);
            }
            (Role::Await, _) => {
                // The lock of the condition is given back meanwhile; which one that is, is not known.
                step.forget();
                for lock in self.locks() {
                    let back = self.lock_op(before, Op::Pause(lock));
                    for target in self.routes(thrown) {
                        self.link(back, target);
                    }
                    let mut stack = step.stack.clone();
                    stack.resize(stack.len() + put, Value::Any);
                    self.go(back, self.pc + 1, stack);
                }
            }
            (Role::Get, _) => {
                if let Some(var) = self.shared_number(single) {
                    result = Value::Var(var);
                }
            }
            (Role::Set, _) => {
                if let Some(var) = self.shared_number(single) {
                    self.set_number(step, &var, given.get(1));
                }
            }
            (Role::Update, _) => {
                if let Some(var) = self.shared_number(single) {
                    self.set_number(step, &var, None);
                }
                self.callbacks(step, None);
            }
            (Role::CompareAndSet, _) => {
                if let Some(var) = self.shared_number(single) {
                    return self.compare_and_set(step, &var, given);
                }
            }
            _ => {
                if &*method.name == "<init>"
                    && let Some(var) = self.shared_number(single)
                    && let Some(value) = given.get(1)
                {
                    self.set_number(step, &var, Some(value));
                }
                self.callbacks(step, None);
            }
        }
        // It may fail before it has done anything, and after that.
        for target in self.routes(thrown) {
            self.link(before, target);
            let calls = [Role::Other, Role::Update, Role::Execute, Role::Handle, Role::Parallel];
            if calls.contains(&role(method)) {
                self.link(step.at, target);
            }
        }
        let behind = self.method_events(step.at, What::Return, method, single);
        if behind != step.at && matches!(result, Value::Var(_)) {
            result = Value::Any;
        }
        step.behind(behind);
        if put > 0 {
            step.stack.push(result);
            step.stack.resize(step.stack.len() + put - 1, Value::Any);
        }
        self.go(step.at, self.pc + 1, step.stack.clone());
    }

    fn root_of(&self, object: ObjId) -> Option<usize> {
        let roots = &self.emitter.points.roots;
        roots.iter().position(|root| root.object == Some(object))
    }

    fn thread_of(&self, object: ObjId) -> Option<String> {
        self.root_of(object).map(|root| self.emitter.threads[root].clone())
    }

    /// The locks of java.util.concurrent of which there is one.
    fn locks(&self) -> Vec<String> {
        let points = &self.emitter.points;
        let registry = &points.program.vm.registry;
        let Ok(lock) = registry.class("java/util/concurrent/locks/ReentrantLock") else {
            return Vec::new();
        };
        let objects = (0..).zip(&points.objects);
        objects
            .filter(|(_, object)| object.class.is_subtype_of(lock))
            .filter_map(|(id, _)| points.lock_of(id, false))
            .collect()
    }

    /// The variable of an atomic number.
    fn shared_number(&self, object: Option<ObjId>) -> Option<Var> {
        let of = &self.emitter.points.objects[object? as usize];
        let kind = match &*of.class.name {
            "java/util/concurrent/atomic/AtomicBoolean" => Kind::Boolean,
            "java/util/concurrent/atomic/AtomicInteger" => Kind::Number,
            _ => return None,
        };
        let name = format!("{}.value", of.name);
        let field = Some((name.clone(), Some(of.name.clone())));
        of.exact.then_some(Var { name, kind, shared: true, field })
    }

    fn set_number(&mut self, step: &mut Step, var: &Var, value: Option<&Value>) {
        self.emitter.variable(&var.name, var.kind.initial());
        self.foreign(var);
        let value = value.and_then(|value| value.show(var.kind));
        self.emit(step, Op::Assign { variable: var.name.clone(), value });
    }

    fn compare_and_set(&mut self, step: &mut Step, var: &Var, given: &[Value]) {
        self.emitter.variable(&var.name, var.kind.initial());
        self.foreign(var);
        let text = |index: usize| given.get(index).and_then(|value| value.show(var.kind));
        let (expected, new) = (text(1), text(2));
        for done in [true, false] {
            let mut one = step.clone();
            if let Some(expected) = &expected {
                self.emit(&mut one, test(var, done, expected));
            }
            if done {
                self.emit(&mut one, Op::Assign { variable: var.name.clone(), value: new.clone() });
            }
            one.stack.push(Value::Int(i32::from(done)));
            self.go(one.at, self.pc + 1, one.stack);
        }
    }

    /// What the library may call, any number of times, and the threads that it may start, but for one.
    fn callbacks(&mut self, step: &mut Step, except: Option<&str>) {
        let pc = self.pc;
        let context = &self.emitter.points.contexts[self.context as usize];
        let called: Vec<(ObjId, CtxId)> = context
            .children
            .range((pc, 0, 0)..=(pc, u32::MAX, u32::MAX))
            .map(|(&(_, _, object), &c)| (object, c))
            .collect();
        let started: Vec<String> = self
            .emitter
            .points
            .roots
            .iter()
            .zip(&self.emitter.threads)
            .filter(|(root, _)| root.starts.contains(&(self.context, pc)))
            .map(|(_, name)| name.clone())
            .filter(|name| except != Some(name))
            .collect();
        if called.is_empty() && started.is_empty() {
            return;
        }
        if !started.is_empty() {
            self.out_of_order("starts threads");
        }
        step.forget();
        let hub = self.then(step.at, Op::Nothing);
        for (object, child) in called {
            let method = self.emitter.points.contexts[child as usize].method;
            let mut arguments: Vec<String> = method
                .descriptor
                .parameters
                .iter()
                .filter(|kind| Kind::of(kind).is_some_and(|kind| kind != Kind::Reference))
                .map(|_| "?".to_owned())
                .collect();
            if Kind::of(&method.descriptor.result).is_some_and(|kind| kind != Kind::Reference) {
                let name = format!("{}@{pc}", method.name);
                self.keep_local(&name);
                arguments.push(name);
            }
            let procedure = self.emitter.procedure(child);
            let before = self.method_events(hub, What::Call, method, self.single(object));
            let call = self.then(before, Op::Call { procedure, arguments });
            self.link(call, hub);
            let thrown = self.emitter.points.contexts[child as usize].thrown;
            let mut routes = self.routes(thrown);
            // The library may catch it.
            routes.push(hub);
            self.handlers(call, routes);
        }
        for thread in started {
            let start = self.lock_op(hub, Op::Start(thread));
            self.link(start, hub);
        }
        step.at = self.then(hub, Op::Nothing);
    }
}
