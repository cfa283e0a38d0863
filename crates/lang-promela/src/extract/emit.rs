//! The nodes of one process.

use std::collections::HashMap;

use everypath_flow::{Node, NodeId, Op, Site, What};
use everypath_model::{Sources, Span};

use super::Extraction;
use super::cells::{Cell, Cells, Env, Known, Test, View, for_each_read};
use super::channels::Pending;
use super::control::Step;
use super::instance::Instance;
use crate::ast::*;
use crate::visit::{self, Visit};

/// The nodes of a process.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub nodes: Vec<Node>,
    pub entry: NodeId,
    /// Nodes that start a process, and which.
    pub starts: Vec<(NodeId, usize)>,
    /// Messages whose partners are not known yet.
    pub pending: Vec<Pending>,
}

impl Made {
    /// Whether a node can be reached from itself.
    pub fn comes_back(&self, node: NodeId) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        let mut work = self.nodes[node].next.clone();
        while let Some(at) = work.pop() {
            if at == node {
                return true;
            }
            if !std::mem::replace(&mut seen[at], true) {
                work.extend(&self.nodes[at].next);
            }
        }
        false
    }
}

/// Makes the nodes of a process.
pub(super) struct Body<'e, 'm> {
    pub shared: &'e mut Extraction<'m>,
    pub id: usize,
    pub made: Made,
    places: HashMap<(usize, Env), NodeId>,
    work: Vec<(usize, Env, NodeId)>,
    pub span: Option<Span>,
    /// Whether variables that change are followed by themselves.
    followed: bool,
}

impl<'e, 'm> Body<'e, 'm> {
    pub fn new(shared: &'e mut Extraction<'m>, id: usize, followed: bool) -> Self {
        let made = Made { nodes: Vec::new(), entry: 0, starts: Vec::new(), pending: Vec::new() };
        Body { shared, id, made, places: HashMap::new(), work: Vec::new(), span: None, followed }
    }

    /// The nodes; `None` if there are more than so many.
    pub fn make(mut self, limit: usize) -> Option<Made> {
        let instances = self.shared.instances.len();
        let env = self.beginning();
        let proctype = self.instance().proctype.index();
        let entry = self.shared.controls[proctype].entry;
        let first = self.place(entry, env);
        self.made.entry = first;
        while let Some((control, env, at)) = self.work.pop() {
            self.step(control, env, at);
            if self.made.nodes.len() > limit && self.followed {
                // What was started on the way is forgotten.
                self.shared.instances.truncate(instances);
                let known = |_: &ProcId, id: &mut usize| *id < instances;
                self.shared.shared.retain(known);
                return None;
            }
        }
        Some(self.made)
    }

    pub fn instance(&self) -> &Instance {
        &self.shared.instances[self.id]
    }

    pub fn view<'v>(&'v self, env: &'v Env) -> View<'v> {
        View { model: self.shared.model, instance: self.instance(), env }
    }

    /// What is known when the process begins; the others of its variables are declared.
    fn beginning(&mut self) -> Env {
        let model = self.shared.model;
        let proctype = &model.proctypes[self.instance().proctype.index()];
        let mut env = Env::new();
        let arguments = self.instance().arguments.clone();
        for (&var, argument) in proctype.params.iter().zip(arguments) {
            let ty = model.vars[var.index()].ty;
            let known = argument.and_then(|known| match known {
                Known::Int(value) => View::stored(ty, value).map(Known::Int),
                chan => Some(chan),
            });
            match (known, self.instance().is_followed(var)) {
                // No channel is no value of a channel.
                (Some(Known::Int(_)), true) if ty == Type::Chan => {}
                (Some(known), true) => {
                    env.insert(var, known);
                }
                (Some(Known::Int(value)), false) => self.declare(var, &env, Some(value)),
                _ => self.declare(var, &env, None),
            }
        }
        for &var in &proctype.locals[..proctype.startup] {
            match self.instance().is_followed(var) {
                true => self.follow(var, &mut env),
                false => {
                    let cells = self.view(&env).all_cells(var);
                    for (cell, value) in self.initial(var, &cells, &env) {
                        self.variable(&cell, value, &env);
                    }
                }
            }
        }
        env
    }

    /// A followed variable gets its initial value.
    fn follow(&mut self, var: VarId, env: &mut Env) {
        let of = &self.shared.model.vars[var.index()];
        let known = match &of.init {
            Init::Channel(_) => self.shared.own_channel(self.id, var, 0).map(Known::Chan),
            _ if of.ty == Type::Chan => None,
            Init::None => Some(Known::Int(0)),
            Init::Expr(e) => {
                let value = self.view(env).eval(e).and_then(|value| View::stored(of.ty, value));
                value.map(Known::Int)
            }
            Init::List(values) => {
                let value = values.first().copied().unwrap_or(0);
                View::stored(of.ty, value).map(Known::Int)
            }
        };
        match known {
            Some(known) => env.insert(var, known),
            None => env.remove(&var),
        };
    }

    fn declare(&mut self, var: VarId, env: &Env, value: Option<i32>) {
        for cell in self.view(env).all_cells(var) {
            self.variable(&cell, value, env);
        }
    }

    fn variable(&mut self, cell: &Cell, value: Option<i32>, env: &Env) {
        let text = value.map(|value| self.view(env).text(cell.ty, value));
        self.shared.variables.insert(cell.name.clone(), text);
    }

    /// The values of the scalars of a variable where it is declared.
    fn initial(&self, var: VarId, cells: &[Cell], env: &Env) -> Vec<(Cell, Option<i32>)> {
        let of = &self.shared.model.vars[var.index()];
        // What fields begin with is not followed.
        let plain = !matches!(of.ty, Type::Struct(_));
        let value = |place: usize| match &of.init {
            _ if !plain => None,
            Init::None => Some(0),
            Init::Expr(e) => self.view(env).eval(e),
            Init::List(values) => values.get(place).or(values.last()).copied(),
            Init::Channel(_) => None,
        };
        let stored = |(place, cell): (usize, &Cell)| {
            (cell.clone(), value(place).and_then(|value| View::stored(cell.ty, value)))
        };
        cells.iter().enumerate().map(stored).collect()
    }

    pub fn node(&mut self, op: Op) -> NodeId {
        let span = self.span;
        self.made.nodes.push(Node { op, next: Vec::new(), handlers: Vec::new(), span });
        self.made.nodes.len() - 1
    }

    pub fn link(&mut self, from: NodeId, to: NodeId) {
        let next = &mut self.made.nodes[from].next;
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

    /// The node before a place of the control flow.
    fn place(&mut self, control: usize, env: Env) -> NodeId {
        if let Some(&known) = self.places.get(&(control, env.clone())) {
            return known;
        }
        let node = self.node(Op::Nothing);
        self.places.insert((control, env.clone()), node);
        self.work.push((control, env, node));
        node
    }

    fn step(&mut self, control: usize, env: Env, at: NodeId) {
        let proctype = self.instance().proctype.index();
        let node = self.shared.controls[proctype].nodes[control].clone();
        let mut env = env;
        self.span = match &node.step {
            Step::Do(stmt) => Some(stmt.span),
            _ => None,
        };
        let behind = match &node.step {
            Step::Nothing | Step::MayEnd => Some(at),
            Step::End => {
                self.then(at, Op::Return);
                None
            }
            Step::Label(name) => Some(self.label(at, name)),
            Step::Else(conditions) => {
                let mut at = Some(at);
                for condition in conditions {
                    at = at.and_then(|at| self.guard(at, condition, false, &env));
                }
                at
            }
            Step::Do(stmt) => self.statement(at, stmt, &mut env),
        };
        let Some(behind) = behind else { return };
        for next in node.next {
            let target = self.place(next, env.clone());
            self.link(behind, target);
        }
    }

    fn label(&mut self, at: NodeId, label: &str) -> NodeId {
        let proctype = &self.shared.model.proctypes[self.instance().proctype.index()].name;
        let full = format!("{proctype}.{label}");
        self.events(at, What::Call, &[&full, label], None)
    }

    fn statement(&mut self, at: NodeId, s: &Stmt, env: &mut Env) -> Option<NodeId> {
        let at = self.line(at, s.span);
        let at = self.runs(at, s, env);
        match &s.kind {
            StmtKind::Decl(var) => Some(self.declaration(at, *var, env)),
            StmtKind::Send { channel, args, .. } => Some(self.send(at, channel, args, env)),
            StmtKind::Receive { channel, args, copy, .. } => {
                Some(self.receive(at, channel, args, *copy, env))
            }
            StmtKind::Assign(Target::Var(r), e) => Some(self.assign(at, r, e, env)),
            StmtKind::Increment(r) | StmtKind::Decrement(r) => {
                let op = match &s.kind {
                    StmtKind::Increment(_) => BinaryOp::Add,
                    _ => BinaryOp::Sub,
                };
                let expr = |kind| Box::new(Expr { kind, span: s.span });
                let one = expr(ExprKind::Const(1));
                let kind = ExprKind::Binary(op, expr(ExprKind::Var(r.clone())), one);
                Some(self.assign(at, r, &Expr { kind, span: s.span }, env))
            }
            // A process that is started is no number 0.
            StmtKind::Expr(Expr { kind: ExprKind::Run { .. }, .. }) => Some(at),
            StmtKind::Expr(e) => self.guard(at, e, true, env),
            _ => Some(at),
        }
    }

    /// Starts the processes that a statement starts.
    fn runs(&mut self, at: NodeId, s: &Stmt, env: &Env) -> NodeId {
        let mut found: Vec<(ProcId, Vec<Expr>)> = Vec::new();
        for_each_run(s, &mut |proctype, args| found.push((proctype, args.to_vec())));
        let mut at = at;
        for (proctype, args) in found {
            let mut arguments = Vec::new();
            for arg in &args {
                arguments.push(self.known(arg, env));
            }
            let started = self.shared.started(self.id, proctype, arguments);
            let name = self.shared.instances[started].name.clone();
            let plain = self.shared.model.proctypes[proctype.index()].name.clone();
            at = self.events(at, What::Start, &[&name, &plain], None);
            at = self.then(at, Op::Start(name));
            self.made.starts.push((at, started));
        }
        at
    }

    fn known(&mut self, e: &Expr, env: &Env) -> Option<Known> {
        if let ExprKind::Var(r) = &e.kind
            && let Some(&[channel]) = self.candidates(r, env).as_deref()
        {
            return Some(Known::Chan(channel));
        }
        self.view(env).eval(e).map(Known::Int)
    }

    fn declaration(&mut self, at: NodeId, var: VarId, env: &mut Env) -> NodeId {
        if self.instance().is_followed(var) {
            self.follow(var, env);
            return at;
        }
        let cells = self.view(env).all_cells(var);
        let mut at = at;
        for (cell, value) in self.initial(var, &cells, env) {
            at = self.store(at, &cell, value, env);
        }
        at
    }

    /// A variable gets the value of an expression.
    fn assign(&mut self, at: NodeId, r: &VarRef, e: &Expr, env: &mut Env) -> NodeId {
        let of = &self.shared.model.vars[r.var.index()];
        let (ty, name) = (of.ty, of.name.clone());
        if self.instance().is_followed(r.var) {
            let known = match ty {
                Type::Chan => self.known(e, env).filter(|known| matches!(known, Known::Chan(_))),
                _ => {
                    let value = self.view(env).eval(e);
                    value.and_then(|value| View::stored(ty, value)).map(Known::Int)
                }
            };
            let text = match known {
                Some(Known::Int(value)) => Some(self.view(env).text(ty, value)),
                _ => None,
            };
            match known {
                Some(known) => env.insert(r.var, known),
                None => env.remove(&r.var),
            };
            let full = format!("{}.{name}", self.instance().name);
            return self.events(at, What::Assign, &[&full, &name], text.as_deref());
        }
        match self.view(env).cells(r) {
            Cells::One(cell) => {
                let end = self.node(Op::Nothing);
                for (tests, value) in self.view(env).outcomes(e) {
                    let at = self.tests(at, &tests, env);
                    let value = value.and_then(|value| View::stored(cell.ty, value));
                    let at = self.store(at, &cell, value, env);
                    self.link(at, end);
                }
                end
            }
            Cells::Some(cells) => self.forget(at, &cells, env),
            // Its own variables have no names of their own if there are several of the process.
            Cells::Unknown => self.events(at, What::Assign, &[&name], None),
        }
    }

    /// One scalar gets a value.
    pub fn store(&mut self, at: NodeId, cell: &Cell, value: Option<i32>, env: &Env) -> NodeId {
        let text = value.map(|value| self.view(env).text(cell.ty, value));
        self.known_variable(cell, env);
        let op = Op::Assign { variable: cell.name.clone(), value: text.clone() };
        let at = self.then(at, op);
        self.events(at, What::Assign, &[&cell.name, &cell.plain], text.as_deref())
    }

    /// Some of several scalars get a value.
    pub fn forget(&mut self, at: NodeId, cells: &[Cell], env: &Env) -> NodeId {
        let mut at = at;
        for cell in cells {
            self.known_variable(cell, env);
            at = self.then(at, Op::Assign { variable: cell.name.clone(), value: None });
            // It is only one of them that does.
            let end = self.node(Op::Nothing);
            self.link(at, end);
            let done = self.events(at, What::Assign, &[&cell.name, &cell.plain], None);
            self.link(done, end);
            at = end;
        }
        at
    }

    /// Global variables are declared where they are met first.
    fn known_variable(&mut self, cell: &Cell, env: &Env) {
        if self.shared.variables.contains_key(&cell.name) {
            return;
        }
        let model = self.shared.model;
        let var =
            model.globals.iter().copied().find(|var| {
                self.view(env).all_cells(*var).iter().any(|known| known.name == cell.name)
            });
        let Some(var) = var else {
            self.shared.variables.insert(cell.name.clone(), None);
            return;
        };
        let cells = self.view(env).all_cells(var);
        for (cell, value) in self.initial(var, &cells, &Env::new()) {
            self.variable(&cell, value, env);
        }
    }

    /// Control goes on only if a condition is true, or false; `None` if it never is.
    fn guard(&mut self, at: NodeId, e: &Expr, wanted: bool, env: &Env) -> Option<NodeId> {
        let ways = self.view(env).ways(e, wanted);
        let at = self.reads(at, e, &ways, env);
        let end = match ways.len() {
            0 => return None,
            1 => return Some(self.tests(at, &ways[0], env)),
            _ => self.node(Op::Nothing),
        };
        for tests in ways {
            let done = self.tests(at, &tests, env);
            self.link(done, end);
        }
        Some(end)
    }

    fn tests(&mut self, at: NodeId, tests: &[Test], env: &Env) -> NodeId {
        let mut at = at;
        for (cell, is, value) in tests {
            self.known_variable(cell, env);
            let text = self.view(env).text(cell.ty, *value);
            let op = Op::Test { variable: cell.name.clone(), is: *is, value: text.clone() };
            at = self.then(at, op);
            let found = is.then_some(text.as_str());
            at = self.events(at, What::Test, &[&cell.name, &cell.plain], found);
        }
        at
    }

    /// Variables that a condition reads without a test of them may be found to have any value.
    fn reads(&mut self, at: NodeId, e: &Expr, ways: &[Vec<Test>], env: &Env) -> NodeId {
        if !self.shared.binding.is_about(What::Test) {
            return at;
        }
        let mut names: Vec<(String, String)> = Vec::new();
        for_each_read(e, &mut |r| {
            let plain = &self.shared.model.vars[r.var.index()].name;
            let cells = match self.view(env).cells(r) {
                Cells::One(cell) => vec![cell.name],
                Cells::Some(cells) => cells.into_iter().map(|cell| cell.name).collect(),
                Cells::Unknown => vec![format!("{}.{plain}", self.instance().name)],
            };
            names.extend(cells.into_iter().map(|name| (name, plain.clone())));
        });
        let mut at = at;
        for (name, plain) in names {
            if !ways.iter().flatten().any(|(cell, ..)| cell.name == name) {
                at = self.perhaps(at, What::Test, &[&name, &plain]);
            }
        }
        at
    }

    fn line(&mut self, at: NodeId, span: Span) -> NodeId {
        if !self.shared.binding.is_about(What::At) {
            return at;
        }
        let names = line_names(self.shared.sources, span);
        self.events(at, What::At, &[&names[0], &names[1]], None)
    }

    /// The events of a place behind a node. If the value is not known, events of a value may be or not.
    pub fn events(
        &mut self,
        at: NodeId,
        what: What,
        names: &[&str],
        value: Option<&str>,
    ) -> NodeId {
        let thread = self.instance().name.clone();
        let object = Some(thread.as_str());
        let site = Site { what, names, object, value, thread: &thread };
        let sure = self.shared.binding.events(&site);
        let mut at = at;
        for event in &sure {
            at = self.then(at, Op::Event(event.clone()));
        }
        let unknown = value.is_none() && matches!(what, What::Assign | What::Test);
        if unknown {
            let possible = self.possible(what, names);
            let more = possible.into_iter().filter(|event| !sure.contains(event));
            at = self.optional(at, more.collect());
        }
        at
    }

    /// Events that may be at a place or not.
    pub fn perhaps(&mut self, at: NodeId, what: What, names: &[&str]) -> NodeId {
        let events = self.possible(what, names);
        self.optional(at, events)
    }

    /// The events of a place whatever the value is.
    fn possible(&self, what: What, names: &[&str]) -> Vec<String> {
        let thread = self.instance().name.as_str();
        let binding = self.shared.binding;
        let mut values: Vec<Option<&str>> = vec![None];
        values.extend(binding.rules.iter().map(|rule| rule.value.as_deref()));
        let mut found: Vec<String> = Vec::new();
        for value in values {
            let site = Site { what, names, object: Some(thread), value, thread };
            for event in binding.events(&site) {
                if !found.contains(&event) {
                    found.push(event);
                }
            }
        }
        found
    }

    pub fn optional(&mut self, at: NodeId, events: Vec<String>) -> NodeId {
        let mut at = at;
        for event in events {
            let end = self.node(Op::Nothing);
            self.link(at, end);
            let node = self.then(at, Op::Event(event));
            self.link(node, end);
            at = end;
        }
        at
    }
}

/// The names of a line: with its file alone, and with the whole path.
pub(super) fn line_names(sources: &Sources, span: Span) -> [String; 2] {
    let (line, _) = sources.start(span);
    let path = &sources.file(span.file).path;
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
    [format!("{}:{line}", file.unwrap_or_default()), format!("{}:{line}", path.display())]
}

/// The processes that a statement starts.
pub(super) fn for_each_run(s: &Stmt, found: &mut dyn FnMut(ProcId, &[Expr])) {
    struct Runs<'f>(&'f mut dyn FnMut(ProcId, &[Expr]));
    impl Visit for Runs<'_> {
        fn expr(&mut self, e: &Expr) {
            visit::walk_expr(self, e);
            if let ExprKind::Run { proctype, args, .. } = &e.kind {
                (self.0)(*proctype, args);
            }
        }
    }
    Runs(found).stmt(s);
}
