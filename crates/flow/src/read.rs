//! The textual form.
//!
//! ```text
//! var fork1.isUp = false
//! proc up(f) {
//!   local success
//!   synchronized f {
//!     success = false
//!     while success == false {
//!       if f.isUp == true { wait f } else { f.isUp = true; success = true }
//!     }
//!     event f.up
//!   }
//! }
//! thread p1 { while * { call up(fork1) } }
//! task main { start p1 }
//! ```
//!
//! A `task` runs from the beginning, a `thread` once it is started. What every node does and where
//! control goes then can be said as well, as in `n3: lock f -> n4, n7`.

use std::collections::{BTreeMap, BTreeSet};

use everypath_model::{Diagnostic, FileId, Span};

use crate::graph::{Node, NodeId, Op, Procedure, Program, Thread, Variable};
use crate::tokens::{Token, tokens};

/// How deep statements may lie in each other.
const DEPTH: usize = 200;

/// Reads a program.
pub fn read(text: &str, file: FileId) -> Result<Program, Box<Diagnostic>> {
    let tokens = tokens(text, file)?;
    let mut reader = Reader {
        tokens,
        at: 0,
        program: Program::default(),
        calls: Vec::new(),
        bodies: Vec::new(),
        long: BTreeSet::new(),
    };
    reader.program()?;
    reader.resolve()?;
    Ok(reader.program)
}

struct Reader {
    tokens: Vec<(Token, Span)>,
    at: usize,
    program: Program,
    /// Calls whose procedures are looked up at the end: procedure, node, name, place.
    calls: Vec<(usize, NodeId, String, Span)>,
    /// Threads whose procedures are looked up at the end.
    bodies: Vec<(usize, String, Span)>,
    /// Channels on which somebody accepts with a body.
    long: BTreeSet<String>,
}

type Read<T> = Result<T, Box<Diagnostic>>;

fn wrong(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("EP1801", span, message.into()))
}

impl Reader {
    fn token(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.token(), Token::Sign(s) if *s == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Word(w) if w == word)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.next();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        match self.take(sign) {
            true => Ok(()),
            false => {
                let found = self.token().show();
                Err(wrong(self.span(), format!("expected `{sign}`, found {found}")))
            }
        }
    }

    fn name(&mut self, what: &str) -> Read<String> {
        match self.token().clone() {
            Token::Word(word) => {
                self.next();
                Ok(word)
            }
            other => Err(wrong(
                self.span(),
                format!("expected the name of {what}, found {}", other.show()),
            )),
        }
    }

    fn breaks(&mut self) {
        while *self.token() == Token::Break {
            self.next();
        }
    }

    fn names(&mut self, what: &str) -> Read<Vec<String>> {
        let mut names = Vec::new();
        self.expect("(")?;
        while !self.take(")") {
            if !names.is_empty() {
                self.expect(",")?;
            }
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn program(&mut self) -> Read<()> {
        loop {
            self.breaks();
            let span = self.span();
            let token = self.next();
            match &token {
                Token::End => return Ok(()),
                Token::Word(word) => match word.as_str() {
                    "var" => self.variable()?,
                    "proc" => self.procedure()?,
                    "task" | "thread" => self.thread(word == "task")?,
                    _ => return Err(outside(span, &token)),
                },
                _ => return Err(outside(span, &token)),
            }
        }
    }

    fn variable(&mut self) -> Read<()> {
        let span = self.span();
        let name = self.name("a variable")?;
        if self.program.variables.iter().any(|variable| variable.name == name) {
            return Err(wrong(span, format!("there are two variables `{name}`")));
        }
        let initial = match self.take("=") {
            true => Some(self.name("a value")?),
            false => None,
        };
        self.program.variables.push(Variable { name, initial });
        Ok(())
    }

    fn procedure(&mut self) -> Read<()> {
        let span = self.span();
        let name = self.name("a procedure")?;
        let parameters = self.names("a parameter")?;
        self.body(span, name, parameters).map(|_| ())
    }

    fn thread(&mut self, runs: bool) -> Read<()> {
        let span = self.span();
        let name = self.name("a thread")?;
        if self.program.thread(&name).is_some() {
            return Err(wrong(span, format!("there are two threads `{name}`")));
        }
        let thread = match self.take("=") {
            true => {
                let place = self.span();
                let procedure = self.name("a procedure")?;
                let arguments = self.names("an argument")?;
                self.bodies.push((self.program.threads.len(), procedure, place));
                Thread { name, body: usize::MAX, arguments, runs }
            }
            false => {
                let body = self.body(span, name.clone(), Vec::new())?;
                Thread { name, body, arguments: Vec::new(), runs }
            }
        };
        self.program.threads.push(thread);
        Ok(())
    }

    fn body(&mut self, span: Span, name: String, parameters: Vec<String>) -> Read<usize> {
        if self.program.procedure(&name).is_some() {
            return Err(wrong(span, format!("there are two procedures `{name}`")));
        }
        let index = self.program.procedures.len();
        let (nodes, entry) = (Vec::new(), 0);
        self.program.procedures.push(Procedure {
            name,
            parameters,
            locals: Vec::new(),
            nodes,
            entry,
        });
        let mut body = Body { index, ..Body::default() };
        self.expect("{")?;
        self.statements(&mut body, 0)?;
        let end = self.span();
        self.expect("}")?;
        if body.current.is_some() || body.nodes.is_empty() {
            body.place(Op::Return, end);
        }
        let entry = body.finish()?;
        let procedure = &mut self.program.procedures[index];
        (procedure.nodes, procedure.entry) = (body.nodes, entry);
        Ok(index)
    }

    /// Statements up to a `}`.
    fn statements(&mut self, body: &mut Body, depth: usize) -> Read<()> {
        if depth > DEPTH {
            return Err(wrong(self.span(), "statements lie too deep in each other"));
        }
        loop {
            self.breaks();
            if self.is("}") || *self.token() == Token::End {
                return Ok(());
            }
            self.statement(body, depth)?;
            // A block ends a statement as well.
            let block = self.tokens[self.at - 1].0 == Token::Sign("}");
            if !(block || self.is("}") || matches!(self.token(), Token::Break | Token::End)) {
                let found = self.token().show();
                return Err(wrong(
                    self.span(),
                    format!("expected a new line or `;`, found {found}"),
                ));
            }
        }
    }

    fn block(&mut self, body: &mut Body, depth: usize) -> Read<()> {
        self.expect("{")?;
        self.statements(body, depth + 1)?;
        self.expect("}")
    }

    fn statement(&mut self, body: &mut Body, depth: usize) -> Read<()> {
        let labelled = matches!(self.token(), Token::Word(_))
            && matches!(self.tokens.get(self.at + 1), Some((Token::Sign(":"), _)));
        let mut label = None;
        if labelled {
            let span = self.span();
            let name = self.name("a label")?;
            self.expect(":")?;
            self.breaks();
            if body.labels.contains_key(&name) {
                return Err(wrong(span, format!("there are two labels `{name}`")));
            }
            label = Some(name);
        }
        let span = self.span();
        let before = body.nodes.len();
        let structured =
            ["if", "while", "loop", "either", "synchronized", "try", "break", "continue", "goto"];
        let plain = !structured.iter().any(|word| self.is_word(word));
        if let Some(name) = label {
            let node = if plain { before } else { body.place(Op::Nothing, span) };
            body.labels.insert(name, node);
        }
        let word = self.name("a statement")?;
        match word.as_str() {
            "local" => {
                let name = self.name("a variable")?;
                self.program.procedures[body.index].locals.push(name);
                return Ok(());
            }
            "if" => return self.branch(body, depth),
            "while" => {
                let condition = self.condition()?;
                return self.repeat(body, depth, Some(condition), span);
            }
            "loop" => return self.repeat(body, depth, None, span),
            "either" => return self.either(body, depth, span),
            "synchronized" => return self.synchronized(body, depth, span),
            "try" => return self.attempt(body, depth, span),
            "break" | "continue" => {
                let Some(around) = body.loops.last() else {
                    return Err(wrong(span, format!("`{word}` is not in a loop")));
                };
                let (head, held) = (around.head, around.held);
                body.give_back(held, span);
                let Some(current) = body.current.take() else { return Ok(()) };
                match word.as_str() {
                    "continue" => body.nodes[current].next.push(head),
                    _ => {
                        let last = body.loops.len() - 1;
                        body.loops[last].breaks.push(current);
                    }
                }
                return Ok(());
            }
            "goto" => {
                let label = self.name("a label")?;
                match body.current.take() {
                    Some(current) => body.jumps.push((current, label, span, false)),
                    None if body.nodes.is_empty() => body.entry = Some((label, span)),
                    None => {}
                }
                return Ok(());
            }
            "return" => {
                body.give_back(0, span);
                body.place(Op::Return, span);
                body.current = None;
            }
            "throw" => {
                match body.handlers.last() {
                    Some(&handler) => {
                        let node = body.place(Op::Nothing, span);
                        body.nodes[node].next.push(handler);
                    }
                    None => {
                        body.place(Op::Throw, span);
                    }
                }
                body.current = None;
            }
            "call" => {
                let place = self.span();
                let name = self.name("a procedure")?;
                let arguments = self.names("an argument")?;
                let node = body.place(Op::Call { procedure: usize::MAX, arguments }, span);
                self.calls.push((body.index, node, name, place));
                body.nodes[node].handlers.extend(body.handlers.last());
            }
            "accept" => {
                let name = self.name("a channel")?;
                body.place(Op::Accept(name.clone()), span);
                if self.is("{") {
                    self.block(body, depth)?;
                    body.place(Op::Accept(end_of(&name)), span);
                    self.long.insert(name);
                    return Ok(());
                }
            }
            _ => {
                let op = self.simple(&word, span)?;
                body.place(op, span);
            }
        }
        self.arrows(body)
    }

    fn simple(&mut self, word: &str, span: Span) -> Read<Op> {
        Ok(match word {
            "skip" => Op::Nothing,
            "event" => Op::Event(self.name("an event")?),
            "lock" => Op::Lock(self.name("a lock")?),
            "unlock" => Op::Unlock(self.name("a lock")?),
            "wait" => Op::Wait(self.name("a lock")?),
            "pause" => Op::Pause(self.name("a lock")?),
            "notify" => Op::Notify(self.name("a lock")?),
            "notifyall" => Op::NotifyAll(self.name("a lock")?),
            "start" => Op::Start(self.name("a thread")?),
            "join" => Op::Join(self.name("a thread")?),
            "send" => Op::Send(self.name("a channel")?),
            "assume" => {
                let variable = self.name("a variable")?;
                let is = self.take("==");
                if !is {
                    self.expect("!=")?;
                }
                Op::Test { variable, is, value: self.name("a value")? }
            }
            variable => {
                if !self.is("=") {
                    return Err(wrong(span, format!("`{word}` is no statement")));
                }
                self.expect("=")?;
                let value = match self.take("?") {
                    true => None,
                    false => Some(self.name("a value")?),
                };
                Op::Assign { variable: variable.to_owned(), value }
            }
        })
    }

    /// `-> n1, n2 catch n3`
    fn arrows(&mut self, body: &mut Body) -> Read<()> {
        let node = body.nodes.len() - 1;
        if self.take("->") {
            body.current = None;
            self.targets(body, node, false)?;
        }
        if self.take_word("catch") {
            body.nodes[node].handlers.clear();
            self.targets(body, node, true)?;
        }
        Ok(())
    }

    fn targets(&mut self, body: &mut Body, node: NodeId, handler: bool) -> Read<()> {
        while let Token::Word(label) = self.token().clone() {
            if label == "catch" {
                break;
            }
            let span = self.span();
            self.next();
            body.jumps.push((node, label, span, handler));
            if !self.take(",") {
                break;
            }
        }
        Ok(())
    }

    /// `x == v`, `x != v`, `x`, `!x`, `*`; with or without parentheses.
    fn condition(&mut self) -> Read<Condition> {
        if self.take("(") {
            let condition = self.bare_condition()?;
            self.expect(")")?;
            return Ok(condition);
        }
        self.bare_condition()
    }

    fn bare_condition(&mut self) -> Read<Condition> {
        if self.take("*") {
            return Ok(Condition::Any);
        }
        let not = self.take("!");
        let variable = self.name("a variable")?;
        let (is, value) = if self.take("==") {
            (true, self.name("a value")?)
        } else if self.take("!=") {
            (false, self.name("a value")?)
        } else {
            (true, "true".to_owned())
        };
        if not && value == "true" && is {
            return Ok(Condition::Test { variable, is: true, value: "false".to_owned() });
        }
        Ok(Condition::Test { variable, is: is != not, value })
    }

    fn branch(&mut self, body: &mut Body, depth: usize) -> Read<()> {
        let span = self.span();
        let condition = self.condition()?;
        let fork = body.place(Op::Nothing, span);
        condition.place(body, true, span);
        self.block(body, depth)?;
        let yes = body.current.take();
        body.current = Some(fork);
        condition.place(body, false, span);
        let (at, place) = (self.at, self.span());
        self.breaks();
        if self.take_word("else") {
            if self.take_word("if") {
                if depth > DEPTH {
                    return Err(wrong(place, "statements lie too deep in each other"));
                }
                self.branch(body, depth + 1)?;
            } else {
                self.block(body, depth)?;
            }
        } else {
            self.at = at;
        }
        let no = body.current.take();
        body.join(&[yes, no], span);
        Ok(())
    }

    fn repeat(
        &mut self,
        body: &mut Body,
        depth: usize,
        condition: Option<Condition>,
        span: Span,
    ) -> Read<()> {
        let head = body.place(Op::Nothing, span);
        body.loops.push(Loop { head, held: body.held.len(), breaks: Vec::new() });
        if let Some(condition) = &condition {
            condition.place(body, true, span);
        }
        self.block(body, depth)?;
        if let Some(current) = body.current.take() {
            body.nodes[current].next.push(head);
        }
        let mut ends: Vec<Option<NodeId>> = Vec::new();
        if let Some(condition) = condition {
            body.current = Some(head);
            condition.place(body, false, span);
            ends.push(body.current.take());
        }
        let breaks = body.loops.pop().map(|around| around.breaks).unwrap_or_default();
        ends.extend(breaks.into_iter().map(Some));
        body.join(&ends, span);
        Ok(())
    }

    fn either(&mut self, body: &mut Body, depth: usize, span: Span) -> Read<()> {
        let fork = body.place(Op::Nothing, span);
        let mut ends = Vec::new();
        loop {
            body.current = Some(fork);
            self.block(body, depth)?;
            ends.push(body.current.take());
            let at = self.at;
            self.breaks();
            if !self.take_word("or") {
                self.at = at;
                break;
            }
        }
        body.join(&ends, span);
        Ok(())
    }

    fn synchronized(&mut self, body: &mut Body, depth: usize, span: Span) -> Read<()> {
        let name = self.name("a lock")?;
        body.place(Op::Lock(name.clone()), span);
        // What happens to an exception: the lock is given back, then it goes on.
        let inside = body.current;
        body.current = None;
        let handler = body.place(Op::Unlock(name.clone()), span);
        match body.handlers.last() {
            Some(&outer) => body.nodes[handler].next.push(outer),
            None => {
                body.place(Op::Throw, span);
            }
        }
        body.current = inside;
        body.handlers.push(handler);
        body.held.push(name.clone());
        self.block(body, depth)?;
        body.held.pop();
        body.handlers.pop();
        if body.current.is_some() {
            body.place(Op::Unlock(name), span);
        }
        Ok(())
    }

    fn attempt(&mut self, body: &mut Body, depth: usize, span: Span) -> Read<()> {
        let before = body.current;
        body.current = None;
        let handler = body.place(Op::Nothing, span);
        body.current = before;
        if before.is_none() {
            // Nothing leads here but a jump to a label in the block.
            body.place(Op::Nothing, span);
        }
        body.handlers.push(handler);
        self.block(body, depth)?;
        body.handlers.pop();
        let end = body.current.take();
        self.breaks();
        if !self.take_word("catch") {
            return Err(wrong(self.span(), "`try` needs a `catch` block"));
        }
        body.current = Some(handler);
        self.block(body, depth)?;
        let caught = body.current.take();
        body.join(&[end, caught], span);
        Ok(())
    }

    /// Looks up what calls and threads name, and completes sends to those that accept with a body.
    fn resolve(&mut self) -> Read<()> {
        for (procedure, node, name, span) in std::mem::take(&mut self.calls) {
            let target = self.procedure_of(&name, span)?;
            let count = self.program.procedures[target].parameters.len();
            let node = &mut self.program.procedures[procedure].nodes[node];
            if let Op::Call { procedure, arguments } = &mut node.op {
                *procedure = target;
                check_count(&name, count, arguments.len(), span)?;
            }
        }
        for (thread, name, span) in std::mem::take(&mut self.bodies) {
            let target = self.procedure_of(&name, span)?;
            let count = self.program.procedures[target].parameters.len();
            check_count(&name, count, self.program.threads[thread].arguments.len(), span)?;
            self.program.threads[thread].body = target;
        }
        let long = std::mem::take(&mut self.long);
        for procedure in &mut self.program.procedures {
            for index in 0..procedure.nodes.len() {
                let Op::Send(name) = &procedure.nodes[index].op else { continue };
                if long.contains(name) {
                    let op = Op::Send(end_of(name));
                    let next = std::mem::take(&mut procedure.nodes[index].next);
                    let span = procedure.nodes[index].span;
                    procedure.nodes[index].next = vec![procedure.nodes.len()];
                    procedure.nodes.push(Node { op, next, handlers: Vec::new(), span });
                }
            }
        }
        self.program.threads.sort_by_key(|thread| !thread.runs);
        Ok(())
    }

    fn procedure_of(&self, name: &str, span: Span) -> Read<usize> {
        let found = self.program.procedure(name);
        found.ok_or_else(|| wrong(span, format!("there is no procedure `{name}`")))
    }
}

fn check_count(name: &str, parameters: usize, arguments: usize, span: Span) -> Read<()> {
    match parameters == arguments {
        true => Ok(()),
        false => {
            Err(wrong(span, format!("`{name}` has {parameters} parameters, here are {arguments}")))
        }
    }
}

fn outside(span: Span, token: &Token) -> Box<Diagnostic> {
    wrong(span, format!("expected `var`, `proc`, `task` or `thread`, found {}", token.show()))
}

/// The second meeting of a rendezvous that has a body.
fn end_of(channel: &str) -> String {
    format!("{channel}.end")
}

/// What decides where control goes.
#[derive(Clone, Debug)]
enum Condition {
    /// Nobody knows.
    Any,
    Test {
        variable: String,
        is: bool,
        value: String,
    },
}

impl Condition {
    /// A node behind which the condition is true, or false.
    fn place(&self, body: &mut Body, truth: bool, span: Span) {
        let op = match self {
            Condition::Any => Op::Nothing,
            Condition::Test { variable, is, value } => {
                Op::Test { variable: variable.clone(), is: *is == truth, value: value.clone() }
            }
        };
        body.place(op, span);
    }
}

struct Loop {
    head: NodeId,
    /// How many locks are held outside.
    held: usize,
    breaks: Vec<NodeId>,
}

/// A procedure while it is read.
#[derive(Default)]
struct Body {
    index: usize,
    nodes: Vec<Node>,
    /// The node that the next statement comes behind; `None` if control does not get there.
    current: Option<NodeId>,
    labels: BTreeMap<String, NodeId>,
    /// Node, label, place, and whether it is for an exception.
    jumps: Vec<(NodeId, String, Span, bool)>,
    entry: Option<(String, Span)>,
    loops: Vec<Loop>,
    handlers: Vec<NodeId>,
    held: Vec<String>,
}

impl Body {
    fn place(&mut self, op: Op, span: Span) -> NodeId {
        let node = self.nodes.len();
        self.nodes.push(Node { op, next: Vec::new(), handlers: Vec::new(), span: Some(span) });
        if let Some(current) = self.current {
            self.nodes[current].next.push(node);
        }
        self.current = Some(node);
        node
    }

    /// A node behind all of these.
    fn join(&mut self, ends: &[Option<NodeId>], span: Span) {
        let ends: Vec<NodeId> = ends.iter().copied().flatten().collect();
        self.current = None;
        if let [only] = ends[..] {
            self.current = Some(only);
        } else if !ends.is_empty() {
            let node = self.place(Op::Nothing, span);
            ends.into_iter().for_each(|end| self.nodes[end].next.push(node));
        }
    }

    /// Gives back the locks of blocks that control leaves.
    fn give_back(&mut self, outside: usize, span: Span) {
        let inner: Vec<String> = self.held[outside..].iter().rev().cloned().collect();
        if self.current.is_some() {
            inner.into_iter().for_each(|name| {
                self.place(Op::Unlock(name), span);
            });
        }
    }

    /// Makes edges of jumps; says where the procedure begins.
    fn finish(&mut self) -> Read<NodeId> {
        let find = |labels: &BTreeMap<String, NodeId>, label: &str, span: Span| {
            let found = labels.get(label).copied();
            found.ok_or_else(|| wrong(span, format!("there is no label `{label}`")))
        };
        for (node, label, span, handler) in std::mem::take(&mut self.jumps) {
            let target = find(&self.labels, &label, span)?;
            let node = &mut self.nodes[node];
            if handler { node.handlers.push(target) } else { node.next.push(target) }
        }
        match &self.entry {
            Some((label, span)) => find(&self.labels, label, *span),
            None => Ok(0),
        }
    }
}
