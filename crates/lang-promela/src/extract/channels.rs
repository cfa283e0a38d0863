//! Messages: who can meet whom, and what they may carry.
//!
//! A rendezvous is a meeting of its own for each message whose fields are known where it is sent, so that a receiver
//! that wants another one does not meet it. Buffered channels hold nobody up. Where it cannot be told which
//! processes or channels there are, rendezvous channels are taken for buffered ones, too.

use std::collections::HashMap;

use everypath_flow::{Binding, Node, NodeId, Op, Site, What};

use super::Extraction;
use super::cells::{Cell, Cells, Env, Known, View};
use super::emit::{Body, Made};
use crate::ast::*;

/// A channel.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    /// `c`, `c.1`, `P1.c`.
    name: String,
    /// The name of the variable alone.
    plain: String,
    /// Whether it is one of an array.
    element: bool,
    capacity: u32,
    /// The type of the first field.
    first: Option<Type>,
}

/// The channels of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Channels {
    all: Vec<Channel>,
    /// By the process that has it, the variable and the place in an array.
    places: HashMap<(Option<usize>, VarId, u32), usize>,
    loose: bool,
}

/// What is done with a field of a message that is received.
#[derive(Clone, Debug)]
pub(super) enum Field {
    /// It must have this value.
    Const(i32),
    /// Any will do.
    Any,
    /// A scalar gets it.
    Into(Cell),
    /// One of several scalars does.
    Somewhere(Vec<Cell>),
}

/// One end of a rendezvous, between two nodes.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    node: NodeId,
    after: NodeId,
    channel: usize,
    end: End,
}

#[derive(Clone, Debug)]
enum End {
    Send(Message),
    Receive(Vec<Field>),
}

/// The fields of a message, as far as they are known.
type Message = Vec<Option<i32>>;

/// Elements of an array of channels, at most.
const MOST_ELEMENTS: u32 = 64;
/// Messages of a channel that are told apart, at most.
const MOST_MESSAGES: usize = 32;

impl Channels {
    pub fn new(model: &Model) -> Channels {
        let mut channels = Channels::default();
        for &var in &model.globals {
            channels.declare(model, None, "", var);
        }
        channels
    }

    fn declare(&mut self, model: &Model, owner: Option<usize>, prefix: &str, var: VarId) {
        let of = &model.vars[var.index()];
        let Init::Channel(init) = &of.init else { return };
        let count = of.array.unwrap_or(1).min(MOST_ELEMENTS);
        for place in 0..count {
            let name = match of.array {
                Some(_) => format!("{prefix}{}.{place}", of.name),
                None => format!("{prefix}{}", of.name),
            };
            self.places.insert((owner, var, place), self.all.len());
            self.all.push(Channel {
                name,
                plain: of.name.clone(),
                element: of.array.is_some(),
                capacity: init.capacity,
                first: init.fields.first().copied(),
            });
        }
    }

    /// What a channel is called.
    pub fn name(&self, channel: usize) -> &str {
        &self.all[channel].name
    }

    /// The names by which rules know them.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.all.iter().flat_map(|one| [one.name.clone(), one.plain.clone()]).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Whether nobody is held up by any channel.
    pub fn is_loose(&self) -> bool {
        self.loose
    }

    pub fn loosen(&mut self) {
        self.loose = true;
    }
}

impl Extraction<'_> {
    /// The channel that a variable of a process is declared with.
    pub(super) fn own_channel(&mut self, id: usize, var: VarId, place: u32) -> Option<usize> {
        if !self.channels.places.contains_key(&(Some(id), var, 0)) {
            let prefix = format!("{}.", self.instances[id].name);
            self.channels.declare(self.model, Some(id), &prefix, var);
        }
        self.channels.places.get(&(Some(id), var, place)).copied()
    }
}

impl Body<'_, '_> {
    /// The channels that a reference may mean; `None` if that is not known.
    pub(super) fn candidates(&mut self, r: &VarRef, env: &Env) -> Option<Vec<usize>> {
        let var = &self.shared.model.vars[r.var.index()];
        if let Some(Known::Chan(channel)) = env.get(&r.var) {
            return Some(vec![*channel]);
        }
        let constant =
            matches!(var.init, Init::Channel(_)) && !self.shared.written.contains(&r.var);
        let count = var.array.unwrap_or(1);
        if !constant || var.ty != Type::Chan || count > MOST_ELEMENTS {
            return None;
        }
        let owner = (var.owner != Owner::Model).then_some(self.id);
        let index = match &r.index {
            None => Some(0),
            Some(index) => self.view(env).eval(index),
        };
        let places = match index {
            Some(place) => vec![u32::try_from(place).ok().filter(|place| *place < count)?],
            None => (0..count).collect(),
        };
        let known = places.into_iter().map(|place| match owner {
            Some(id) => self.shared.own_channel(id, r.var, place),
            None => self.shared.channels.places.get(&(None, r.var, place)).copied(),
        });
        known.collect()
    }

    pub(super) fn send(&mut self, at: NodeId, r: &VarRef, args: &[Expr], env: &Env) -> NodeId {
        let message = self.message(args, env);
        let Some(candidates) = self.candidates(r, env) else {
            return self.anywhere(at, What::Send);
        };
        let end = self.node(Op::Nothing);
        for channel in candidates {
            let after = match self.meets(channel) {
                true => {
                    let node = self.then(at, Op::Nothing);
                    let after = self.then(node, Op::Nothing);
                    let end = End::Send(message.clone());
                    self.made.pending.push(Pending { node, after, channel, end });
                    after
                }
                false => {
                    let first = message.first().copied().flatten();
                    let thread = self.instance().name.clone();
                    let (sure, perhaps) = self.about(What::Send, channel, first, &thread);
                    let at = self.in_order(at, sure);
                    self.optional(at, perhaps)
                }
            };
            self.link(after, end);
        }
        end
    }

    pub(super) fn receive(
        &mut self,
        at: NodeId,
        r: &VarRef,
        args: &[RecvArg],
        copy: bool,
        env: &mut Env,
    ) -> NodeId {
        let candidates = self.candidates(r, env);
        let (fields, followed) = self.pattern(args, env);
        let end = self.node(Op::Nothing);
        match candidates {
            None => {
                let at = self.anywhere(at, What::Receive);
                let at = self.take(at, &fields, &[], env);
                self.link(at, end);
            }
            Some(candidates) => {
                for channel in candidates {
                    let after = self.receive_from(at, channel, &fields, copy, env);
                    self.link(after, end);
                }
            }
        }
        // What a variable that is followed gets is not known.
        let mut at = end;
        for var in followed {
            let name = self.shared.model.vars[var.index()].name.clone();
            let full = format!("{}.{name}", self.instance().name);
            at = self.events(at, What::Assign, &[&full, &name], None);
            env.remove(&var);
        }
        at
    }

    fn receive_from(
        &mut self,
        at: NodeId,
        channel: usize,
        fields: &[Field],
        copy: bool,
        env: &Env,
    ) -> NodeId {
        if self.meets(channel) {
            let node = self.then(at, Op::Nothing);
            let after = self.node(Op::Nothing);
            let end = End::Receive(fields.to_vec());
            self.made.pending.push(Pending { node, after, channel, end });
            return after;
        }
        let first = match fields.first() {
            Some(Field::Const(value)) => Some(*value),
            _ => None,
        };
        let thread = self.instance().name.clone();
        let (sure, perhaps) = self.about(What::Receive, channel, first, &thread);
        // A message that stays is received or not, as one likes.
        let (sure, perhaps) = match copy {
            true => (Vec::new(), sure.into_iter().chain(perhaps).collect()),
            false => (sure, perhaps),
        };
        let at = self.in_order(at, sure);
        let at = self.optional(at, perhaps);
        self.take(at, fields, &[], env)
    }

    /// Whether sender and receiver move together.
    fn meets(&self, channel: usize) -> bool {
        !self.shared.channels.loose && self.shared.channels.all[channel].capacity == 0
    }

    /// A message on a channel that is not known: any event of messages may be.
    fn anywhere(&mut self, at: NodeId, what: What) -> NodeId {
        self.shared.channels.loosen();
        let binding = self.shared.binding;
        let mut events: Vec<String> = Vec::new();
        let rules = binding.rules.iter().filter(|rule| rule.what == what);
        let named = rules.map(|rule| &rule.event);
        let calls = binding.calls.iter().filter(|_| what == What::Send);
        for event in named.chain(calls) {
            if !events.contains(event) {
                events.push(event.clone());
            }
        }
        self.optional(at, events)
    }

    fn in_order(&mut self, at: NodeId, events: Vec<String>) -> NodeId {
        events.into_iter().fold(at, |at, event| self.then(at, Op::Event(event)))
    }

    fn message(&self, args: &[Expr], env: &Env) -> Message {
        let view = self.view(env);
        let plain = args.iter().take_while(|arg| !self.is_wide(arg));
        plain.map(|arg| view.eval(arg)).collect()
    }

    /// Whether an argument stands for several fields.
    fn is_wide(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Var(r) if self.wide(r))
    }

    fn wide(&self, r: &VarRef) -> bool {
        let (_, ty) = crate::flow::Slot::of(self.shared.model, r);
        matches!(ty, Type::Struct(_))
    }

    /// What is done with the fields, and which of the variables that are followed get one.
    fn pattern(&self, args: &[RecvArg], env: &Env) -> (Vec<Field>, Vec<VarId>) {
        let view = self.view(env);
        let mut followed = Vec::new();
        let mut fields = Vec::new();
        // Behind a structure it is not counted which field is which.
        let mut counted = true;
        for arg in args {
            let field = match arg {
                RecvArg::Any(_) => Field::Any,
                RecvArg::Const(e) | RecvArg::Eval(e) => match view.eval(e) {
                    Some(value) if counted => Field::Const(value),
                    _ => Field::Any,
                },
                RecvArg::Var(r) if self.instance().is_followed(r.var) => {
                    followed.push(r.var);
                    Field::Any
                }
                RecvArg::Var(r) => {
                    counted &= !self.wide(r);
                    match view.cells(r) {
                        Cells::One(cell) if counted => Field::Into(cell),
                        Cells::One(cell) => Field::Somewhere(vec![cell]),
                        Cells::Some(cells) => Field::Somewhere(cells),
                        Cells::Unknown => Field::Any,
                    }
                }
            };
            fields.push(field);
        }
        (fields, followed)
    }

    /// The fields of a message are taken.
    fn take(&mut self, at: NodeId, fields: &[Field], message: &[Option<i32>], env: &Env) -> NodeId {
        let mut at = at;
        for (index, field) in fields.iter().enumerate() {
            at = match field {
                Field::Const(_) | Field::Any => at,
                Field::Into(cell) => {
                    let value = message.get(index).copied().flatten();
                    let value = value.and_then(|value| View::stored(cell.ty, value));
                    self.store(at, cell, value, env)
                }
                Field::Somewhere(cells) => self.forget(at, cells, env),
            };
        }
        at
    }

    /// The events of a message: those that are sure, and those that may be.
    fn about(
        &self,
        what: What,
        channel: usize,
        first: Option<i32>,
        thread: &str,
    ) -> (Vec<String>, Vec<String>) {
        let of = &self.shared.channels.all[channel];
        let env = Env::new();
        let text = |value: i32| match of.first {
            Some(ty) => self.view(&env).text(ty, value),
            None => value.to_string(),
        };
        let binding = self.shared.binding;
        let mut names = vec![of.name.clone(), of.plain.clone()];
        // `c.1` of an array is its element, not the message 1.
        let with = |text: &str| {
            let plain = (!of.element).then(|| format!("{}.{text}", of.plain));
            std::iter::once(format!("{}.{text}", of.name)).chain(plain)
        };
        if let Some(value) = first {
            names.extend(with(&text(value)));
        }
        let sure = named(binding, what, &names, thread);
        if first.is_some() {
            return (sure, Vec::new());
        }
        let rules = binding.rules.iter().map(|rule| &rule.name);
        for name in rules.chain(&binding.calls) {
            names.extend(with(name.rsplit('.').next().unwrap_or(name)));
        }
        let mut perhaps = named(binding, what, &names, thread);
        perhaps.retain(|event| !sure.contains(event));
        (sure, perhaps)
    }
}

/// The events of messages with these names. Events without a rule are messages that are sent.
pub(super) fn named(binding: &Binding, what: What, names: &[String], thread: &str) -> Vec<String> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let site = Site { what, names: &names, object: None, value: None, thread };
    let mut found = binding.events(&site);
    if what == What::Send {
        let calls = binding.calls.iter().filter(|call| names.contains(&call.as_str()));
        found.extend(calls.cloned());
    }
    found
}

/// A thread that no rule names.
pub(super) const NOBODY: &str = "\0";

/// The nodes of a process with the meetings in their places.
pub(super) fn resolved(extraction: &mut Extraction<'_>, id: usize) -> Vec<Node> {
    let messages = sent(extraction);
    let empty = Made { nodes: Vec::new(), entry: 0, starts: Vec::new(), pending: Vec::new() };
    let made = std::mem::replace(&mut extraction.made[id], empty);
    let entry = made.entry;
    let mut body = Body::new(extraction, id, false);
    body.made = made;
    let env = Env::new();
    for pending in body.made.pending.clone() {
        let Pending { node, after, channel, end } = pending;
        let thread = body.instance().name.clone();
        body.span = body.made.nodes[node].span;
        match end {
            End::Send(message) => {
                let message = body.told_apart(&messages[channel], message);
                let first = message.first().copied().flatten();
                let (name, more) = body.meeting(channel, &message);
                body.made.nodes[node].op = Op::Send(name);
                body.made.nodes[node].next.clear();
                let (own, perhaps) = body.about(What::Send, channel, first, &thread);
                let at = body.in_order(node, more);
                let (all, _) = body.about(What::Send, channel, first, NOBODY);
                let own = own.into_iter().filter(|event| !all.contains(event)).collect();
                let at = body.in_order(at, own);
                let at = body.optional(at, perhaps);
                body.link(at, after);
            }
            End::Receive(fields) => {
                for message in &messages[channel] {
                    if !fits(&fields, message) {
                        continue;
                    }
                    let first = message.first().copied().flatten();
                    let (name, _) = body.meeting(channel, message);
                    let at = body.then(node, Op::Accept(name));
                    let (own, perhaps) = body.about(What::Receive, channel, first, &thread);
                    let (all, _) = body.about(What::Receive, channel, first, NOBODY);
                    let own = own.into_iter().filter(|event| !all.contains(event)).collect();
                    let at = body.in_order(at, own);
                    let at = body.optional(at, perhaps);
                    let at = body.take(at, &fields, message, &env);
                    body.link(at, after);
                }
            }
        }
    }
    let Made { nodes, .. } = body.made;
    extraction.made[id].entry = entry;
    nodes
}

impl Body<'_, '_> {
    /// A message as it is told apart from others.
    fn told_apart(&self, known: &[Message], message: Message) -> Message {
        if known.contains(&message) { message } else { Vec::new() }
    }

    /// The name of a meeting: its first event, then what tells it apart from others with this event; and its other
    /// events.
    fn meeting(&self, channel: usize, message: &Message) -> (String, Vec<String>) {
        let of = &self.shared.channels.all[channel];
        let first = message.first().copied().flatten();
        let (mut events, _) = self.about(What::Send, channel, first, NOBODY);
        for event in self.about(What::Receive, channel, first, NOBODY).0 {
            if !events.contains(&event) {
                events.push(event);
            }
        }
        let text = |field: &Option<i32>| field.map_or("_".to_owned(), |value| value.to_string());
        let apart: Vec<String> =
            std::iter::once(of.name.clone()).chain(message.iter().map(text)).collect();
        let event = if events.is_empty() { of.name.clone() } else { events.remove(0) };
        (format!("{event}@{}", apart.join(".")), events)
    }
}

/// The different messages that are sent to each channel.
fn sent(extraction: &Extraction<'_>) -> Vec<Vec<Message>> {
    let mut sent: Vec<Vec<Message>> = vec![Vec::new(); extraction.channels.all.len()];
    for (channel, message) in &extraction.sent {
        if !sent[*channel].contains(message) {
            sent[*channel].push(message.clone());
        }
    }
    for messages in &mut sent {
        if messages.len() > MOST_MESSAGES {
            *messages = vec![Vec::new()];
        }
    }
    sent
}

/// What is sent in rendezvous, by all processes.
pub(super) fn all_sent(made: &[Made]) -> Vec<(usize, Message)> {
    let all = made.iter().flat_map(|made| &made.pending);
    all.filter_map(|pending| match &pending.end {
        End::Send(message) => Some((pending.channel, message.clone())),
        End::Receive(_) => None,
    })
    .collect()
}

/// Whether a receiver may take a message.
fn fits(fields: &[Field], message: &[Option<i32>]) -> bool {
    fields.iter().zip(message).all(|pair| match pair {
        (Field::Const(wanted), Some(value)) => wanted == value,
        _ => true,
    })
}
