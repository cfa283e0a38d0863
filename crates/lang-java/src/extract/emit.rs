//! From contexts to the procedures of a flow graph.

use everypath_flow::{Binding, Node, NodeId, Op, Procedure, Site, What};
use everypath_model::Span;
use rustc_hash::FxHashMap;

use super::body::{Words, is_library, may_be, shuffle};
use super::points::{CtxId, NULL, Points, method_names, simple};
use super::sets::{EMPTY, ObjId, SetId};
use super::values::{Kind, Outcome, Value, Var, equal, test};
use crate::classfile::flags;
use crate::code::{Code, Insn, op};
use crate::link::{Field, Method};

/// States of the stack that are told apart at an instruction, at most.
const MOST_STATES: usize = 24;

/// What all procedures share while they are made.
pub(super) struct Emitter<'e, 'a> {
    pub points: &'e mut Points<'a>,
    pub binding: &'e Binding,
    pub procedures: Vec<Option<Procedure>>,
    pub numbers: FxHashMap<CtxId, usize>,
    todo: Vec<CtxId>,
    /// The names of the threads, by root.
    pub threads: Vec<String>,
    /// Variables that all threads see, with what they are at first.
    pub variables: Vec<(String, String)>,
}

impl<'e, 'a> Emitter<'e, 'a> {
    pub fn new(points: &'e mut Points<'a>, binding: &'e Binding, threads: Vec<String>) -> Self {
        Emitter {
            points,
            binding,
            procedures: Vec::new(),
            numbers: FxHashMap::default(),
            todo: Vec::new(),
            threads,
            variables: Vec::new(),
        }
    }

    /// The procedure of a context, which is made later.
    pub fn procedure(&mut self, context: CtxId) -> usize {
        if let Some(&number) = self.numbers.get(&context) {
            return number;
        }
        let number = self.procedures.len();
        self.procedures.push(None);
        self.numbers.insert(context, number);
        self.todo.push(context);
        number
    }

    /// Makes the procedures that are wanted, and those that they want.
    pub fn finish(&mut self) {
        while let Some(context) = self.todo.pop() {
            let number = self.numbers[&context];
            let made = Body::new(self, context).make(number);
            self.procedures[number] = Some(made);
        }
    }

    /// The events of a thread's first calls. An initialiser of a class is not called.
    pub fn called(&mut self, root: usize, context: CtxId) -> Vec<String> {
        let of = &self.points.contexts[context as usize];
        if of.method.name.starts_with("<clinit>") {
            return Vec::new();
        }
        let on = of.params.first().filter(|_| !of.method.is_static());
        let object = on.and_then(|&on| self.points.only(on));
        let class = object.map(|object| self.points.objects[object as usize].class);
        let names = method_names(&self.points.program.vm.registry, of.method, class);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let object = object.map(|object| self.name(object));
        let thread = &self.threads[root];
        let (what, value) = (What::Call, None);
        let events = self.binding.events(&Site { what, names: &names, object, value, thread });
        let method = of.method;
        if !events.is_empty() {
            self.points.noted.insert(method.id, method);
        }
        events
    }

    pub fn variable(&mut self, name: &str, initial: &str) {
        if self.variables.iter().all(|(known, _)| known != name) {
            self.variables.push((name.to_owned(), initial.to_owned()));
        }
    }

    pub fn name(&self, object: ObjId) -> &str {
        &self.points.objects[object as usize].name
    }
}

/// The graph of one context.
pub(super) struct Body<'b, 'e, 'a> {
    pub emitter: &'b mut Emitter<'e, 'a>,
    pub context: CtxId,
    pub method: &'static Method,
    code: &'static Code,
    states: Vec<Option<Words>>,
    nodes: Vec<Node>,
    entries: FxHashMap<(u32, Vec<Value>), NodeId>,
    counts: FxHashMap<u32, usize>,
    work: Vec<(u32, Vec<Value>, NodeId)>,
    locals: Vec<String>,
    raise: Option<NodeId>,
    /// The lock of a synchronized method.
    lock: Option<String>,
    pub pc: u32,
}

impl<'b, 'e, 'a> Body<'b, 'e, 'a> {
    fn new(emitter: &'b mut Emitter<'e, 'a>, context: CtxId) -> Self {
        let method = emitter.points.contexts[context as usize].method;
        let states = emitter.points.states(context);
        static NO_CODE: std::sync::OnceLock<Code> = std::sync::OnceLock::new();
        let code = method.code().unwrap_or_else(|_| NO_CODE.get_or_init(Code::empty));
        let lock = match method.is(flags::SYNCHRONIZED) {
            true if method.is_static() => {
                Some(format!("{}.class", emitter.points.class_name(method.class)))
            }
            true => {
                let this = emitter.points.contexts[context as usize].params[0];
                emitter.points.only(this).and_then(|object| emitter.points.lock_of(object, true))
            }
            false => None,
        };
        Body {
            emitter,
            context,
            method,
            code,
            states,
            nodes: Vec::new(),
            entries: FxHashMap::default(),
            counts: FxHashMap::default(),
            work: Vec::new(),
            locals: Vec::new(),
            raise: None,
            lock,
            pc: 0,
        }
    }

    fn make(mut self, number: usize) -> Procedure {
        let entry = self.node(Op::Nothing);
        let mut at = entry;
        if let Some(lock) = self.lock.clone() {
            at = self.lock_op(at, Op::Lock(lock));
        }
        at = self.method_events(at, What::Enter, self.method, self.this());
        let mut parameters = Vec::new();
        let mut word = usize::from(!self.method.is_static());
        for (index, kind) in self.method.descriptor.parameters.iter().enumerate() {
            if Kind::of(kind).is_some_and(|kind| kind != Kind::Reference) {
                let parameter = format!("arg@{index}");
                let name = self.local_name(0, word as u16);
                self.keep_local(&name);
                let op = Op::Assign { variable: name, value: Some(parameter.clone()) };
                at = self.then(at, op);
                parameters.push(parameter);
            }
            word += kind.words();
        }
        if self.result_kind().is_some() {
            parameters.push("result@".to_owned());
        }
        match self.code.insns.is_empty() {
            true => {
                self.then(at, Op::Return);
            }
            false => {
                let first = self.entry(0, Vec::new());
                self.link(at, first);
            }
        }
        while let Some((pc, stack, node)) = self.work.pop() {
            self.pc = pc;
            let mut step = Step { at: node, stack };
            step.behind(self.line_events(pc, node));
            self.instruction(&mut step);
        }
        let of = self.method;
        let name = format!("{}.{}@{number}", simple(of.class), of.name);
        Procedure { name, parameters, locals: self.locals, nodes: self.nodes, entry }
    }

    /// The kind of what the method gives, if it can be followed.
    pub fn result_kind(&self) -> Option<Kind> {
        Kind::of(&self.method.descriptor.result).filter(|&kind| kind != Kind::Reference)
    }

    fn this(&self) -> Option<ObjId> {
        let params = &self.emitter.points.contexts[self.context as usize].params;
        match self.method.is_static() {
            true => None,
            false => self.emitter.points.only(*params.first()?),
        }
    }

    fn span(&self) -> Option<Span> {
        let program = self.emitter.points.program;
        program.names.span(&program.sources, self.method, self.pc)
    }

    pub fn node(&mut self, op: Op) -> NodeId {
        let span = self.span();
        self.nodes.push(Node { op, next: Vec::new(), handlers: Vec::new(), span });
        self.nodes.len() - 1
    }

    pub fn link(&mut self, from: NodeId, to: NodeId) {
        let next = &mut self.nodes[from].next;
        if !next.contains(&to) {
            next.push(to);
        }
    }

    /// A node behind another one.
    pub fn then(&mut self, at: NodeId, op: Op) -> NodeId {
        let node = self.node(op);
        self.link(at, node);
        node
    }

    pub fn handlers(&mut self, node: NodeId, handlers: Vec<NodeId>) {
        self.nodes[node].handlers = handlers;
    }

    /// Where an instruction begins with what is known of the stack.
    fn entry(&mut self, pc: u32, stack: Vec<Value>) -> NodeId {
        if let Some(&node) = self.entries.get(&(pc, stack.clone())) {
            return node;
        }
        let count = self.counts.entry(pc).or_insert(0);
        *count += 1;
        let stack = match *count > MOST_STATES {
            true => vec![Value::Any; stack.len()],
            false => stack,
        };
        if let Some(&node) = self.entries.get(&(pc, stack.clone())) {
            return node;
        }
        let node = self.node(Op::Nothing);
        self.entries.insert((pc, stack.clone()), node);
        self.work.push((pc, stack, node));
        node
    }

    pub fn go(&mut self, at: NodeId, pc: u32, stack: Vec<Value>) {
        let entry = self.entry(pc, stack);
        self.link(at, entry);
    }

    fn next(&mut self, step: &Step) {
        self.go(step.at, self.pc + 1, step.stack.clone());
    }

    pub fn keep_local(&mut self, name: &str) {
        if self.locals.iter().all(|known| known != name) {
            self.locals.push(name.to_owned());
        }
    }

    /// A local variable as an instruction sees it.
    fn local_name(&self, pc: u32, slot: u16) -> String {
        match self.code.local_name(pc, slot) {
            // Parts of names are looked up among local variables, so theirs are unlike those of objects.
            Some(name) => format!("{name}@"),
            None => format!("v{slot}@"),
        }
    }

    /// Emits something that others may notice: what the stack knows of shared variables is old then.
    pub fn emit(&mut self, step: &mut Step, op: Op) {
        step.forget();
        step.at = self.then(step.at, op);
    }

    fn events(&mut self, at: NodeId, site: &Site<'_>) -> NodeId {
        let mut at = at;
        for event in self.emitter.binding.events(site) {
            self.out_of_order(&format!("makes the event `{event}`"));
            at = self.then(at, Op::Event(event));
        }
        at
    }

    /// In the graph, classes are initialised before everything else. What an initialiser does may come too early then.
    pub fn out_of_order(&mut self, what: &str) {
        if let Some(class) = self.emitter.points.initialising(self.context) {
            let name = class.java_name();
            let doubt =
                format!("the initialiser of {name} {what}, and when it runs is not followed");
            self.emitter.points.doubts.insert(doubt);
        }
    }

    /// An initialiser tests or changes a variable that is neither its class's nor that of an object which it made.
    pub fn foreign(&mut self, var: &Var) {
        let Some(class) = self.emitter.points.initialising(self.context) else { return };
        let own = match &var.field {
            Some((_, Some(owner))) => {
                let points = &self.emitter.points;
                let made = points.objects.iter().find(|object| object.name == *owner);
                made.and_then(|object| object.made).is_some_and(|(context, _)| {
                    points.initialising(context).is_some_and(|by| std::ptr::eq(by, class))
                })
            }
            Some((name, None)) => {
                let own = self.emitter.points.class_name(class);
                name.rsplit_once('.').is_some_and(|(of, _)| of == own)
            }
            None => true,
        };
        if !own {
            self.out_of_order(&format!("uses {}", var.name));
        }
    }

    fn thread(&self) -> String {
        let root = self.emitter.points.contexts[self.context as usize].root;
        self.emitter.threads[root].clone()
    }

    /// The events of a method that is called, begins or ends.
    pub fn method_events(
        &mut self,
        at: NodeId,
        what: What,
        method: &'static Method,
        object: Option<ObjId>,
    ) -> NodeId {
        let on = object.map(|object| self.emitter.points.objects[object as usize].class);
        let names = method_names(&self.emitter.points.program.vm.registry, method, on);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let object = object.filter(|&object| object != NULL);
        let object = object.map(|object| self.emitter.name(object).to_owned());
        let thread = self.thread();
        let site =
            Site { what, names: &names, object: object.as_deref(), value: None, thread: &thread };
        let behind = self.events(at, &site);
        if behind != at {
            self.emitter.points.noted.insert(method.id, method);
        }
        behind
    }

    /// The events of something that has a name.
    fn named_events(&mut self, at: NodeId, what: What, name: &str) -> NodeId {
        let thread = self.thread();
        let site = Site { what, names: &[name], object: Some(name), value: None, thread: &thread };
        self.events(at, &site)
    }

    fn field_events(&mut self, at: NodeId, what: What, var: &Var, value: Option<&str>) -> NodeId {
        let Some((field, object)) = &var.field else { return at };
        let short = field.rsplit('.').next().unwrap_or(field).to_owned();
        let names = [field.as_str(), short.as_str(), var.name.as_str()];
        let thread = self.thread();
        let site = Site { what, names: &names, object: object.as_deref(), value, thread: &thread };
        self.events(at, &site)
    }

    fn line_events(&mut self, pc: u32, at: NodeId) -> NodeId {
        if !self.emitter.binding.is_about(What::At) {
            return at;
        }
        let Some(&(_, line)) = self.code.lines.iter().find(|(start, _)| *start == pc) else {
            return at;
        };
        let file = self.method.class.file.as_ref().and_then(|file| file.source_file());
        let place = format!("{}:{line}", file.unwrap_or(""));
        self.named_events(at, What::At, &place)
    }

    /// Takes or gives back a lock, waits or notifies, starts or joins a thread.
    pub fn lock_op(&mut self, at: NodeId, op: Op) -> NodeId {
        let what = match &op {
            Op::Lock(_) => What::Lock,
            Op::Unlock(_) => What::Unlock,
            Op::Wait(_) | Op::Pause(_) => What::Wait,
            Op::Notify(_) | Op::NotifyAll(_) => What::Notify,
            Op::Start(_) => What::Start,
            _ => What::Join,
        };
        let name = op.name().unwrap_or_default().to_owned();
        // Events of what gives something up come before it, so that they are still protected.
        match what {
            What::Unlock | What::Wait | What::Start => {
                let at = self.named_events(at, what, &name);
                self.then(at, op)
            }
            _ => {
                let at = self.then(at, op);
                self.named_events(at, what, &name)
            }
        }
    }

    /// What a word of the stack may be, from the top.
    pub fn set(&self, back: usize) -> SetId {
        let words = self.states[self.pc as usize].as_ref();
        let word = words.and_then(|words| words.len().checked_sub(back).map(|at| words[at]));
        word.unwrap_or(EMPTY)
    }

    pub fn words(&self) -> Words {
        self.states[self.pc as usize].clone().unwrap_or_default()
    }

    /// Where an exception leads that nobody catches here.
    pub fn raising(&mut self) -> NodeId {
        if let Some(node) = self.raise {
            return node;
        }
        let first = self.node(Op::Nothing);
        self.raise = Some(first);
        let mut at = self.method_events(first, What::Exit, self.method, self.this());
        if let Some(lock) = self.lock.clone() {
            at = self.lock_op(at, Op::Unlock(lock));
        }
        self.then(at, Op::Throw);
        first
    }

    /// Where exceptions of these classes lead.
    pub fn routes(&mut self, thrown: SetId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut raised = false;
        let class = self.method.class;
        let code = self.code;
        let guarded = self.emitter.points.is_guarded(self.context);
        for object in self.emitter.points.sets.get(thrown).to_vec() {
            if object == NULL {
                continue;
            }
            let mut caught = false;
            for handler in &code.handlers {
                if !(handler.start..handler.end).contains(&self.pc) {
                    continue;
                }
                let by = match handler.class {
                    0 => None,
                    by => class.class_at(&self.emitter.points.program.vm.registry, by).ok(),
                };
                let of = &self.emitter.points.objects[object as usize];
                let sure = by.is_none_or(|by| of.class.is_subtype_of(by));
                if sure || by.is_none_or(|by| may_be(of, by)) {
                    let entry = self.entry(handler.target, vec![Value::Any]);
                    if !found.contains(&entry) {
                        found.push(entry);
                    }
                }
                if sure {
                    caught = true;
                    break;
                }
            }
            // What nobody around names does not happen.
            raised |= !caught && (guarded || !self.emitter.points.is_unchecked(object));
        }
        if raised {
            found.push(self.raising());
        }
        found
    }

    /// Exceptions of the virtual machine and of the library happen where a handler around names them.
    pub fn unchecked(&mut self, at: NodeId) {
        let words = self.words();
        let failures = self.emitter.points.failures(self.context, self.pc, &words);
        for target in self.routes(failures) {
            self.link(at, target);
        }
    }

    fn instruction(&mut self, step: &mut Step) {
        let insn = self.code.insns[self.pc as usize];
        self.unchecked(step.at);
        match insn.op {
            op::ICONST => step.stack.push(Value::Int(insn.b as i32)),
            op::ACONST_NULL => step.stack.push(Value::Null),
            op::ILOAD => {
                let name = self.local_name(self.pc, insn.a);
                step.stack.push(Value::Var(Var {
                    name,
                    kind: self.local_kind(self.pc, insn.a),
                    shared: false,
                    field: None,
                }));
            }
            op::ISTORE => {
                let name = self.local_name(self.pc + 1, insn.a);
                let kind = self.local_kind(self.pc + 1, insn.a);
                let var = Var { name, kind, shared: false, field: None };
                let value = step.pop();
                return self.assign(step, &[var], false, &value);
            }
            op::IINC => {
                let name = self.local_name(self.pc, insn.a);
                let var = Var { name, kind: Kind::Number, shared: false, field: None };
                return self.assign(step, &[var], false, &Value::Any);
            }
            op::GETFIELD | op::GETSTATIC => {
                let owners = if insn.op == op::GETFIELD { self.set(1) } else { EMPTY };
                if insn.op == op::GETFIELD {
                    step.pop();
                }
                let field =
                    self.method.class.field_at(&self.emitter.points.program.vm.registry, insn.a);
                let Ok(field) = field else { return self.other(step, insn) };
                let vars = self.field_vars(field, owners);
                match (vars.0.as_slice(), vars.1) {
                    ([var], false) if self.stays(field) => step.stack.push(Value::Var(var.clone())),
                    _ => {
                        let value = self.known_object(field, owners);
                        step.stack.push(value);
                        step.stack.resize(step.stack.len() + field.kind.words() - 1, Value::Any);
                    }
                }
            }
            op::PUTFIELD | op::PUTSTATIC => return self.put(step, insn),
            op::DUP..=op::SWAP => shuffle_values(insn.op, &mut step.stack),
            op::NEW => {
                let made = self.object_made();
                step.stack.push(made);
            }
            op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL => {
                return self.branch(step, insn);
            }
            op::TABLESWITCH | op::LOOKUPSWITCH => return self.switch(step, insn),
            op::MONITORENTER | op::MONITOREXIT => {
                let set = self.set(1);
                step.pop();
                let points = &self.emitter.points;
                let lock = points.only(set).and_then(|object| points.lock_of(object, true));
                if let Some(name) = lock {
                    let op = match insn.op {
                        op::MONITORENTER => Op::Lock(name),
                        _ => Op::Unlock(name),
                    };
                    step.forget();
                    step.at = self.lock_op(step.at, op);
                }
            }
            op::IRETURN..=op::RETURN => return self.give_back(step, insn),
            op::ATHROW => {
                let thrown = self.set(1);
                for target in self.routes(thrown) {
                    self.link(step.at, target);
                }
                return;
            }
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => return self.call(step, insn),
            op::INVOKEDYNAMIC if self.calls() => return self.call(step, insn),
            op::INVOKEDYNAMIC => {
                let (taken, put) = self.method.class.effect(insn).unwrap_or((0, 0));
                step.stack.truncate(step.stack.len().saturating_sub(taken));
                step.stack.resize(step.stack.len() + put, Value::Any);
            }
            op::CHECKCAST => self.lost(insn),
            op::GOTO => {
                return self.go(step.at, insn.b, step.stack.clone());
            }
            _ => return self.other(step, insn),
        }
        self.next(step);
    }

    /// Whether the graph has a call for the instruction.
    fn calls(&self) -> bool {
        let children = &self.emitter.points.contexts[self.context as usize].children;
        children.range((self.pc, 0, 0)..=(self.pc, u32::MAX, u32::MAX)).next().is_some()
    }

    /// An instruction of which only the size of the stack matters.
    fn other(&mut self, step: &mut Step, insn: Insn) {
        let (taken, put) = self.method.class.effect(insn).unwrap_or((0, 0));
        step.stack.truncate(step.stack.len().saturating_sub(taken));
        step.stack.resize(step.stack.len() + put, Value::Any);
        self.next(step);
    }

    /// A cast to a class of the program of something that the library gave, of which it is not known what it may be.
    fn lost(&mut self, insn: Insn) {
        let registry = &self.emitter.points.program.vm.registry;
        let Ok(to) = self.method.class.class_at(registry, insn.a) else { return };
        if is_library(to) || to.element().is_some() {
            return;
        }
        let given = self.set(1);
        let kept = self.emitter.points.cast(given, to);
        let points = &self.emitter.points;
        let own = |&object: &ObjId| points.objects[object as usize].is_own();
        let exact = |object: ObjId| points.objects[object as usize].exact;
        let other = |&object: &ObjId| object != NULL && !own(&object) && !exact(object);
        let (kept, given) = (points.sets.get(kept), points.sets.get(given));
        if !kept.iter().any(own) && given.iter().any(other) {
            let doubt = format!("what {} casts to {} is not known", self.method.java(), simple(to));
            self.emitter.points.doubts.insert(doubt);
        }
    }

    fn local_kind(&self, pc: u32, slot: u16) -> Kind {
        let mut names = self.code.names.iter();
        let known = names.find(|v| v.slot == slot && (v.start..v.end).contains(&pc));
        match known {
            Some(variable) if &*variable.kind == "Z" => Kind::Boolean,
            _ => Kind::Number,
        }
    }

    /// The object that the instruction makes, if there is one.
    fn object_made(&mut self) -> Value {
        let after = self.states.get(self.pc as usize + 1).and_then(Option::as_ref);
        let set = after.and_then(|words| words.last().copied()).unwrap_or(EMPTY);
        match self.emitter.points.only(set) {
            Some(object) => Value::Object(self.emitter.name(object).to_owned()),
            None => Value::Any,
        }
    }

    /// Whether nobody but the program's own instructions changes a field.
    fn stays(&self, field: &Field) -> bool {
        !is_library(field.class) && Kind::of(&field.kind).is_some()
    }

    /// A constant of an enumeration is always the same object.
    fn known_object(&mut self, field: &Field, owners: SetId) -> Value {
        let points = &self.emitter.points;
        let constant = field.is(flags::ENUM) && owners == EMPTY;
        if !constant || self.method.name.starts_with('<') {
            return Value::Any;
        }
        let set = points.cell(super::points::Cell::of_static(field));
        match points.only(set) {
            Some(object) => Value::Object(self.emitter.name(object).to_owned()),
            None => Value::Any,
        }
    }

    /// The variables that a field may be, and whether it may be another one.
    fn field_vars(&mut self, field: &Field, owners: SetId) -> (Vec<Var>, bool) {
        let Some(kind) = Kind::of(&field.kind) else { return (Vec::new(), true) };
        let class = self.emitter.points.class_name(field.class);
        let names = format!("{class}.{}", field.name);
        if field.is(flags::STATIC) {
            // A constant that never changes needs no variable.
            let fixed = field.is(flags::FINAL);
            let var = Var { name: names.clone(), kind, shared: true, field: Some((names, None)) };
            return match fixed {
                true => (Vec::new(), true),
                false => (vec![var], false),
            };
        }
        let mut others = false;
        let mut vars = Vec::new();
        for object in self.emitter.points.sets.get(owners).to_vec() {
            if object == NULL {
                continue;
            }
            let of = &self.emitter.points.objects[object as usize];
            if of.many || !of.is_own() {
                others = true;
                continue;
            }
            let owner = of.name.clone();
            // A field may have the name of another one of a superclass.
            let hidden =
                of.class.field(&field.name).is_some_and(|first| !std::ptr::eq(first, field));
            let name = match hidden {
                true => format!("{owner}.{}@{class}", field.name),
                false => format!("{owner}.{}", field.name),
            };
            vars.push(Var { name, kind, shared: true, field: Some((names.clone(), Some(owner))) });
        }
        (vars, others)
    }

    fn put(&mut self, step: &mut Step, insn: Insn) {
        let field = self.method.class.field_at(&self.emitter.points.program.vm.registry, insn.a);
        let Ok(field) = field else { return self.other(step, insn) };
        let size = field.kind.words();
        let owners = if insn.op == op::PUTFIELD { self.set(1 + size) } else { EMPTY };
        let about = |rule: &everypath_flow::Rule| {
            let last = rule.name.rsplit('.').next().unwrap_or(&rule.name);
            rule.what == What::Assign && (last.contains('*') || last == &*field.name)
        };
        if self.emitter.binding.rules.iter().any(about) {
            self.emitter.points.changed.push(field);
        }
        let mut value = step.pop();
        if size == 2 {
            step.pop();
            value = Value::Any;
        }
        if insn.op == op::PUTFIELD {
            step.pop();
        }
        if field.kind.is_reference() && !matches!(value, Value::Null | Value::Var(_)) {
            value = match self.emitter.points.only(self.set(1)) {
                Some(object) if !self.emitter.points.sets.get(self.set(1)).contains(&NULL) => {
                    Value::Object(self.emitter.name(object).to_owned())
                }
                _ => Value::Any,
            };
        }
        let (vars, others) = self.field_vars(field, owners);
        if vars.is_empty() {
            // Rules may still be about it.
            let name = format!("{}.{}", simple(field.class), field.name);
            let kind = Kind::of(&field.kind).unwrap_or(Kind::Number);
            let var = Var { name: name.clone(), kind, shared: true, field: Some((name, None)) };
            step.behind(self.field_events(
                step.at,
                What::Assign,
                &var,
                value.show(kind).as_deref(),
            ));
            return self.next(step);
        }
        self.assign(step, &vars, others, &value);
    }

    /// One of some variables gets a value, or another one that is none of them.
    fn assign(&mut self, step: &mut Step, vars: &[Var], others: bool, value: &Value) {
        let before = step.at;
        for var in vars {
            if var.shared {
                self.emitter.variable(&var.name, var.kind.initial());
                self.foreign(var);
            } else {
                self.keep_local(&var.name);
            }
            for (tested, value) in self.split(var.kind, value) {
                let mut one = Step { at: before, stack: step.stack.clone() };
                if let Some((from, text)) = tested {
                    self.test(&mut one, &from, true, &text);
                }
                let op = Op::Assign { variable: var.name.clone(), value: value.clone() };
                match var.shared {
                    true => self.emit(&mut one, op),
                    false => {
                        one.at = self.then(one.at, op);
                        one.forget_var(&var.name);
                    }
                }
                one.at = self.field_events(one.at, What::Assign, var, value.as_deref());
                self.next(&one);
            }
        }
        if others {
            step.at = before;
            self.next(step);
        }
    }

    /// What a value may be: a truth value of a variable is one of two.
    #[allow(clippy::type_complexity)]
    fn split(&self, kind: Kind, value: &Value) -> Vec<(Option<(Var, String)>, Option<String>)> {
        match value {
            Value::Var(var) if kind == Kind::Boolean && var.kind == Kind::Boolean => {
                let one =
                    |text: &str| (Some((var.clone(), text.to_owned())), Some(text.to_owned()));
                vec![one("true"), one("false")]
            }
            value => vec![(None, value.show(kind))],
        }
    }

    fn test(&mut self, step: &mut Step, var: &Var, is: bool, value: &str) {
        if var.shared {
            self.emitter.variable(&var.name, var.kind.initial());
            self.foreign(var);
            self.emit(step, test(var, is, value));
        } else {
            self.keep_local(&var.name);
            step.at = self.then(step.at, test(var, is, value));
        }
        let found = match (is, value) {
            (true, value) => Some(value.to_owned()),
            (false, "true") => Some("false".to_owned()),
            (false, "false") => Some("true".to_owned()),
            _ => None,
        };
        step.at = self.field_events(step.at, What::Test, var, found.as_deref());
    }

    fn branch(&mut self, step: &mut Step, insn: Insn) {
        let second = match insn.op {
            op::IF_ICMPEQ..=op::IF_ACMPNE => step.pop(),
            op::IFNULL | op::IFNONNULL => Value::Null,
            _ => Value::Int(0),
        };
        let first = step.pop();
        let known = |a: &Value, b: &Value| match (a, b) {
            (Value::Int(a), Value::Int(b)) => Some((*a, *b)),
            _ => None,
        };
        let outcome = match insn.op {
            op::IFEQ | op::IF_ICMPEQ | op::IF_ACMPEQ | op::IFNULL => equal(&first, &second),
            op::IFNE | op::IF_ICMPNE | op::IF_ACMPNE | op::IFNONNULL => {
                match equal(&first, &second) {
                    Outcome::Known(same) => Outcome::Known(!same),
                    other => other,
                }
            }
            other => match known(&first, &second) {
                Some((a, b)) => Outcome::Known(match other {
                    op::IFLT | op::IF_ICMPLT => a < b,
                    op::IFGE | op::IF_ICMPGE => a >= b,
                    op::IFGT | op::IF_ICMPGT => a > b,
                    _ => a <= b,
                }),
                None => Outcome::Open,
            },
        };
        let negated = matches!(insn.op, op::IFNE | op::IF_ICMPNE | op::IF_ACMPNE | op::IFNONNULL);
        match outcome {
            Outcome::Known(true) => self.go(step.at, insn.b, step.stack.clone()),
            Outcome::Known(false) => self.next(step),
            Outcome::Open => {
                self.go(step.at, insn.b, step.stack.clone());
                self.next(step);
            }
            Outcome::Test(var, value) => {
                for taken in [true, false] {
                    let mut one = Step { at: step.at, stack: step.stack.clone() };
                    self.test(&mut one, &var, taken != negated, &value);
                    match taken {
                        true => self.go(one.at, insn.b, one.stack),
                        false => self.next(&one),
                    }
                }
            }
        }
    }

    fn switch(&mut self, step: &mut Step, insn: Insn) {
        let value = step.pop();
        let switch = &self.code.switches[insn.b as usize];
        let mut rest = Step { at: step.at, stack: step.stack.clone() };
        for &(key, target) in &switch.cases {
            match equal(&value, &Value::Int(key)) {
                Outcome::Known(true) => return self.go(step.at, target, step.stack.clone()),
                Outcome::Known(false) => {}
                Outcome::Open => self.go(step.at, target, step.stack.clone()),
                Outcome::Test(var, text) => {
                    let mut one = Step { at: step.at, stack: step.stack.clone() };
                    self.test(&mut one, &var, true, &text);
                    self.go(one.at, target, one.stack);
                    // That it is none of them is known only at one moment, so only of variables of the thread.
                    if !var.shared {
                        rest.at = self.then(rest.at, test(&var, false, &text));
                    }
                }
            }
        }
        self.go(rest.at, switch.default, rest.stack);
    }

    fn give_back(&mut self, step: &mut Step, insn: Insn) {
        let before = step.at;
        let value = if insn.op == op::IRETURN { step.pop() } else { Value::Any };
        let kind = self.result_kind();
        let ways = match kind {
            Some(kind) => self.split(kind, &value),
            None => vec![(None, None)],
        };
        for (tested, value) in ways {
            let mut one = Step { at: before, stack: Vec::new() };
            if let Some((var, text)) = tested {
                self.test(&mut one, &var, true, &text);
            }
            if kind.is_some() {
                let op = Op::Assign { variable: "result@".to_owned(), value };
                one.at = self.then(one.at, op);
            }
            one.at = self.method_events(one.at, What::Exit, self.method, self.this());
            if let Some(lock) = self.lock.clone() {
                one.at = self.lock_op(one.at, Op::Unlock(lock));
            }
            self.then(one.at, Op::Return);
        }
    }
}

/// Where the graph of a method is being made, and what is known of the stack there.
#[derive(Clone)]
pub(super) struct Step {
    pub at: NodeId,
    pub stack: Vec<Value>,
}

impl Step {
    pub fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or(Value::Any)
    }

    /// Goes on behind events, if there are any: what was read before them is old then.
    pub fn behind(&mut self, at: NodeId) {
        if at != self.at {
            self.forget();
            self.at = at;
        }
    }

    /// Shared variables may have changed.
    pub fn forget(&mut self) {
        for value in &mut self.stack {
            if matches!(value, Value::Var(var) if var.shared) {
                *value = Value::Any;
            }
        }
    }

    /// A variable has changed.
    pub fn forget_var(&mut self, name: &str) {
        for value in &mut self.stack {
            if matches!(value, Value::Var(var) if var.name == name) {
                *value = Value::Any;
            }
        }
    }
}

fn shuffle_values(operation: u8, stack: &mut Vec<Value>) {
    // Places instead of values, which are no plain words.
    let mut places: Vec<usize> = (0..stack.len()).collect();
    shuffle(operation, &mut places);
    *stack = places.iter().map(|&place| stack[place].clone()).collect();
}
