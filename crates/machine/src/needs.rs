//! Why nothing can move: what each process waits for, and who could provide it.

use everypath_model::{
    ActionInfo, Blocked, Deed, Need, Obstacle, Provider, Span, Standing, Stranded, Value,
};
use rustc_hash::FxHashSet;

use crate::code::{Op, Space};
use crate::exec::{Asked, Exec, Guard, Log};
use crate::footprint::{CellKey, Effect, SpaceOf, Who};
use crate::interpreter::Interpreter;
use crate::machine::{Kind, Machine, Operand, Transition, TransitionKind};
use crate::outlook::{Outlook, Prospect};
use crate::shape::Shape;

/// Statements of one process that are looked at.
const MAX_NEEDS: usize = 100;
/// Providers of one statement that are told; the first ones are as good as the others.
const MAX_PROVIDERS: usize = 64;

impl Interpreter {
    /// The processes of a state without steps, each with what it waits for.
    pub(crate) fn blocked_processes(&self, state: &[u32]) -> Vec<Blocked> {
        let machine = self.machine();
        let mut shape = Shape::default();
        shape.walk(machine, state);
        let outlook = Outlook::of(machine, state, &shape);
        let scene = Scene { machine, state, shape: &shape, outlook: outlook.as_ref() };
        (0..shape.processes.len()).map(|pid| scene.blocked(pid)).collect()
    }
}

impl Interpreter {
    /// The messages that nobody can take any more.
    pub(crate) fn stranded_messages(&self, state: &[u32]) -> Vec<Stranded> {
        let machine = self.machine();
        let mut shape = Shape::default();
        shape.walk(machine, state);
        let outlook = Outlook::of(machine, state, &shape);
        let scene = Scene { machine, state, shape: &shape, outlook: outlook.as_ref() };
        (1..=shape.channels.len()).filter_map(|channel| scene.stranded(channel as i32)).collect()
    }
}

/// A stuck state.
struct Scene<'a> {
    machine: &'a Machine,
    state: &'a [u32],
    shape: &'a Shape,
    outlook: Option<&'a Outlook>,
}

/// What would help a waiting statement.
#[derive(Default)]
struct Wish {
    /// A message in a channel: the fields it must have.
    messages: Vec<(i32, Vec<Option<i32>>)>,
    /// One of these messages taken out of a channel: the first one if it has only one way out.
    room: Vec<(i32, Vec<Vec<i32>>)>,
    /// A new first message in a channel that is kept in order.
    sorted: Vec<(i32, Vec<Option<i32>>)>,
    /// Any change of a channel.
    changes: Vec<i32>,
    /// A partner who takes this message.
    receiver: Option<(i32, Vec<i32>)>,
    /// A new value of a variable.
    cells: Vec<CellKey>,
}

impl Scene<'_> {
    fn blocked(&self, pid: usize) -> Blocked {
        let machine = self.machine;
        let slot = self.shape.processes[pid];
        let proctype = &machine.proctypes[usize::from(slot.ty)];
        let at = machine.head.location.get(&self.state[slot.offset as usize..]) as usize;
        let location = &proctype.locations[at];
        let transitions = || {
            let edges = location.edges.iter();
            edges.map(|edge| &machine.transitions[edge.transition as usize])
        };
        let mut seen: FxHashSet<(Span, &str)> = FxHashSet::default();
        let mut statements: Vec<&Transition> = Vec::new();
        for transition in transitions() {
            let shown = transition.kind != TransitionKind::End;
            if shown && seen.insert((transition.span, &transition.text)) {
                statements.push(transition);
            }
        }
        let needs: Vec<Need> = match self.not_provided(pid) {
            Some(need) => vec![need],
            None => statements
                .iter()
                .filter(|transition| transition.kind == TransitionKind::Code)
                .take(MAX_NEEDS)
                .map(|transition| self.need(pid, transition))
                .collect(),
        };
        let mut why: Vec<String> = Vec::new();
        for need in &needs {
            let text = obstacle_text(&need.obstacle);
            if !text.is_empty() && !why.contains(&text) {
                why.push(text);
            }
        }
        let ending = transitions().any(|transition| transition.kind == TransitionKind::End);
        Blocked {
            process: machine.process_name(slot.ty, pid),
            why: match why.is_empty() {
                true if ending => "has ended, but a younger process is still alive".into(),
                true if statements.is_empty() => "has no statement left".into(),
                _ => why.join(", "),
            },
            at: statements.iter().map(|transition| info(transition)).collect(),
            valid_end: location.valid_end,
            needs,
        }
    }

    fn exec(&self, pid: usize) -> Exec {
        let mut exec = Exec::new();
        exec.shape.walk(self.machine, self.state);
        exec.me = pid;
        // A state without steps is one in which `timeout` did not help either.
        exec.timeout = true;
        exec.log = Some(Log::default());
        exec
    }

    /// What a false `provided` clause waits for; the statements do not matter then.
    fn not_provided(&self, pid: usize) -> Option<Need> {
        let slot = self.shape.processes[pid];
        let proctype = &self.machine.proctypes[usize::from(slot.ty)];
        let provided = proctype.provided?;
        let mut exec = self.exec(pid);
        if exec.value(self.machine, self.state, provided).unwrap_or(0) != 0 {
            return None;
        }
        let log = exec.log.take().unwrap_or_default();
        let values = self.values_read(pid, &log);
        let wish = self.wish(pid, &log);
        let test = |exec: &mut Exec, state: &[u32]| {
            exec.value(self.machine, state, provided).unwrap_or(1) != 0
        };
        let statement = ActionInfo { text: "provided".into(), span: proctype.span };
        Some(Need {
            statement,
            obstacle: Obstacle::Provided { values },
            providers: self.providers(pid, &wish, &test),
            closed: self.closed(&log),
        })
    }

    /// What is in the way of a statement, and who could take it away.
    fn need(&self, pid: usize, transition: &Transition) -> Need {
        let machine = self.machine;
        let mut exec = self.exec(pid);
        let guard = exec.guard(machine, self.state, transition.code);
        let message = exec.message.clone();
        let log = exec.log.take().unwrap_or_default();
        let mut wish = self.wish(pid, &log);
        let obstacle = match guard {
            Guard::Offer(channel) => {
                let ty = self.shape.channels[channel].ty;
                wish.receiver = Some((channel as i32 + 1, message.clone()));
                Obstacle::NoReceiver {
                    channel: machine.channel_name(self.shape, channel),
                    message: machine.message_value(ty, &message),
                }
            }
            Guard::Disabled => self.obstacle(pid, transition, &log),
            Guard::Commit(_) | Guard::Fault(_) => Obstacle::Other,
        };
        let test = |exec: &mut Exec, state: &[u32]| {
            !matches!(exec.guard(machine, state, transition.code), Guard::Disabled)
        };
        Need {
            statement: info(transition),
            closed: self.closed(&log) && obstacle != Obstacle::Other,
            obstacle,
            providers: self.providers(pid, &wish, &test),
        }
    }

    /// Whether the guard depends on nothing but variables and channels.
    fn closed(&self, log: &Log) -> bool {
        let last = self.machine.last.map(|field| field.bit);
        let on_last =
            |&(space, _, bit): &(Space, usize, u32)| space == Space::Global && Some(bit) == last;
        !log.beyond && !log.reads.iter().any(on_last) && self.outlook.is_some()
    }

    fn obstacle(&self, pid: usize, transition: &Transition, log: &Log) -> Obstacle {
        // A statement has one guard that counts: the last channel it asked, unless that was in a
        // condition.
        let last = log.asked.iter().rev().find(|asked| match asked {
            Asked::Message { poll, .. } => !poll,
            Asked::Room { .. } => true,
            Asked::Count { .. } => false,
        });
        match last {
            Some(Asked::Message { channel, random, wanted, .. }) => {
                self.missing_message(transition, *channel, *random, wanted)
            }
            Some(Asked::Room { channel }) => Obstacle::Full {
                channel: self.channel_name(*channel, transition),
                contents: self.contents(*channel).1,
            },
            _ => Obstacle::Condition { values: self.condition_values(pid, transition, log) },
        }
    }

    fn missing_message(
        &self,
        transition: &Transition,
        value: i32,
        random: bool,
        wanted: &[Option<i32>],
    ) -> Obstacle {
        let channel = self.channel_name(value, transition);
        let Some(slot) = self.slot(value) else { return Obstacle::Gone { channel } };
        let ty = &self.machine.channel_types[usize::from(slot.ty)];
        let shown = wanted.iter().zip(&ty.kinds);
        let wanted = shown.map(|(v, &kind)| v.map(|v| self.machine.show(kind, v))).collect();
        let contents = self.contents(value).1;
        if ty.capacity == 0 {
            Obstacle::NoSender { channel, wanted }
        } else if contents.is_empty() {
            Obstacle::Empty { channel, wanted }
        } else {
            Obstacle::Mismatch { channel, wanted, contents, first_only: !random }
        }
    }

    fn slot(&self, channel: i32) -> Option<crate::shape::ChannelSlot> {
        self.shape.channels.get(usize::try_from(channel).ok()?.checked_sub(1)?).copied()
    }

    fn channel_name(&self, channel: i32, transition: &Transition) -> String {
        match self.slot(channel) {
            Some(_) => self.machine.channel_name(self.shape, channel as usize - 1),
            // Nothing is left of it but what the statement calls it.
            None => transition.text.split(['?', '!']).next().unwrap_or("").trim().to_owned(),
        }
    }

    /// The messages of a channel, as numbers and as a person reads them.
    fn contents(&self, channel: i32) -> (Vec<Vec<i32>>, Vec<Value>) {
        let Some(slot) = self.slot(channel) else { return (Vec::new(), Vec::new()) };
        let ty = &self.machine.channel_types[usize::from(slot.ty)];
        let record = &self.state[(slot.offset as usize).min(self.state.len())..];
        let raw: Vec<Vec<i32>> = (0..ty.length(record)).map(|i| ty.message(record, i)).collect();
        let shown = raw.iter().map(|message| self.machine.message(slot.ty, message)).collect();
        (raw, shown)
    }

    /// The parts of the condition of a statement, or else the variables that it read.
    fn condition_values(
        &self,
        pid: usize,
        transition: &Transition,
        log: &Log,
    ) -> Vec<(String, Value)> {
        let code = &self.machine.code[transition.code as usize..];
        let done = code.iter().position(|op| *op == Op::Done).unwrap_or(code.len());
        let operands: &[Operand] = match code.get(done + 1) {
            Some(Op::Blocked { site }) => &self.machine.sites[*site as usize].operands,
            _ => &[],
        };
        if operands.is_empty() {
            return self.values_read(pid, log);
        }
        let mut values: Vec<(String, Value)> = Vec::new();
        for operand in operands {
            // What a process is, and that nothing else can happen, goes without saying.
            let first = self.machine.code[operand.code as usize];
            if matches!(first, Op::Pid { .. } | Op::Timeout { .. }) {
                continue;
            }
            let mut exec = self.exec(pid);
            let Ok(value) = exec.value(self.machine, self.state, operand.code) else { continue };
            let log = exec.log.take().unwrap_or_default();
            let name = match log.reads.last() {
                // Under its own name: `fork[2]`, not `fork[left]`.
                Some(&read) if log.asked.is_empty() && operand.kind != Kind::Channel => {
                    self.read_name(pid, read).unwrap_or_else(|| operand.text.clone())
                }
                _ => operand.text.clone(),
            };
            values.push((name, self.machine.show(operand.kind, value)));
        }
        values.dedup();
        values
    }

    /// The variables that were read, with their values; channel variables are left out.
    fn values_read(&self, pid: usize, log: &Log) -> Vec<(String, Value)> {
        let mut values = Vec::new();
        for &(space, process, bit) in &log.reads {
            let machine = self.machine;
            let Some(cell) = machine.cell(self.shape, space, process, bit) else { continue };
            let record = machine.record(self.shape, space, process, self.state);
            let (Some(record), Some(name)) = (record, self.read_name(pid, (space, process, bit)))
            else {
                continue;
            };
            let part = (name, machine.show(cell.kind, cell.field.get(record)));
            if cell.kind != Kind::Channel && !values.contains(&part) {
                values.push(part);
            }
        }
        values
    }

    /// The name of a variable for the process that reads it.
    fn read_name(&self, pid: usize, read: (Space, usize, u32)) -> Option<String> {
        let (space, process, bit) = read;
        let cell = self.machine.cell(self.shape, space, process, bit)?;
        Some(match space {
            Space::Local if process == pid => cell.name.clone(),
            _ => self.machine.cell_name(self.shape, space, process, cell),
        })
    }

    /// What would help, from what a guard read and asked.
    fn wish(&self, pid: usize, log: &Log) -> Wish {
        let mut wish = Wish::default();
        for &(space, process, bit) in &log.reads {
            let cell = (SpaceOf::of(space, Who::Live(process)), bit);
            if !wish.cells.contains(&cell) {
                wish.cells.push(cell);
            }
        }
        for asked in &log.asked {
            match asked {
                Asked::Message { channel, poll: true, .. } | Asked::Count { channel } => {
                    wish.changes.push(*channel);
                }
                Asked::Message { channel, random, wanted, .. } => {
                    let (messages, _) = self.contents(*channel);
                    if *random || messages.is_empty() {
                        wish.messages.push((*channel, wanted.clone()));
                    } else {
                        // The first message is in the way.
                        wish.room.push((*channel, messages[..1].to_vec()));
                        wish.sorted.push((*channel, wanted.clone()));
                    }
                }
                Asked::Room { channel } => {
                    wish.room.push((*channel, self.contents(*channel).0));
                }
            }
        }
        let own = SpaceOf::Local(Who::Live(pid));
        wish.cells.retain(|(space, _)| *space != own);
        wish
    }

    /// Who could fulfil a wish. `test` tells whether the statement can be executed in a state.
    fn providers(
        &self,
        pid: usize,
        wish: &Wish,
        test: &dyn Fn(&mut Exec, &[u32]) -> bool,
    ) -> Vec<Provider> {
        let Some(outlook) = self.outlook else { return Vec::new() };
        let mut found: Vec<(&Prospect, Deed)> = Vec::new();
        for (channel, wanted) in &wish.messages {
            let fits = |p: &&Prospect| self.sends(p, *channel, wanted, false);
            found.extend(outlook.of_channel(*channel).filter(fits).map(|p| (p, Deed::Sends)));
        }
        for (channel, wanted) in &wish.sorted {
            let fits = |p: &&Prospect| self.sends(p, *channel, wanted, true);
            found.extend(outlook.of_channel(*channel).filter(fits).map(|p| (p, Deed::Sends)));
        }
        for (channel, messages) in wish.room.iter().chain(
            wish.receiver.iter().map(|(c, m)| (*c, vec![m.clone()])).collect::<Vec<_>>().iter(),
        ) {
            let fits = |p: &&Prospect| self.takes(p, *channel, messages);
            found.extend(outlook.of_channel(*channel).filter(fits).map(|p| (p, Deed::Receives)));
        }
        for &channel in &wish.changes {
            for p in outlook.of_channel(channel) {
                let deed = match p.effect {
                    Effect::Send { .. } if self.sends(p, channel, &[], false) => Deed::Sends,
                    Effect::Receive { .. } if self.fits_channel(p, channel) => Deed::Receives,
                    _ => continue,
                };
                found.push((p, deed));
            }
        }
        for &cell in &wish.cells {
            let alone = wish.cells.len() == 1 && wish.changes.is_empty();
            let helps = |p: &&Prospect| self.write_helps(pid, p, cell, alone, test);
            found.extend(outlook.of_cell(cell).filter(helps).map(|p| (p, Deed::Writes)));
        }
        let mut seen: FxHashSet<(Option<usize>, Who, Span, Deed)> = FxHashSet::default();
        let mut providers = Vec::new();
        for (prospect, deed) in found {
            let transition = &self.machine.transitions[prospect.transition as usize];
            if !seen.insert((prospect.process, prospect.who, transition.span, deed)) {
                continue;
            }
            let standing = match prospect.standing {
                // What it did before it came here does not matter to itself.
                Standing::Past | Standing::Ended if prospect.process == Some(pid) => continue,
                Standing::Ahead if prospect.process == Some(pid) => Standing::Itself,
                standing => standing,
            };
            providers.push(Provider {
                process: self.name(prospect),
                statement: info(transition),
                deed,
                standing,
            });
        }
        providers.sort_by_key(|provider| provider.standing);
        providers.truncate(MAX_PROVIDERS);
        providers
    }

    /// The messages of a channel, if nobody can take any of them out any more: not the first one, nor
    /// one behind it with a receive that looks further.
    fn stranded(&self, channel: i32) -> Option<Stranded> {
        let (messages, contents) = self.contents(channel);
        let outlook = self.outlook.filter(|_| !messages.is_empty())?;
        let takers: Vec<&Prospect> =
            outlook.of_channel(channel).filter(|p| self.takes(p, channel, &messages)).collect();
        if takers.iter().any(|p| p.standing.can_act()) {
            return None;
        }
        let receiver = |p: &&Prospect| Provider {
            process: self.name(p),
            statement: info(&self.machine.transitions[p.transition as usize]),
            deed: Deed::Receives,
            standing: p.standing,
        };
        let mut receivers: Vec<Provider> = takers.iter().map(receiver).collect();
        receivers.truncate(MAX_PROVIDERS);
        let channel = self.machine.channel_name(self.shape, channel as usize - 1);
        Some(Stranded { channel, contents, receivers })
    }

    fn name(&self, prospect: &Prospect) -> String {
        match (prospect.process, prospect.who) {
            (Some(pid), _) => self.machine.process_name(self.shape.processes[pid].ty, pid),
            (None, Who::Future(ty)) => self.machine.proctypes[usize::from(ty)].name.clone(),
            (None, Who::Live(pid)) => self.machine.process_name(self.shape.processes[pid].ty, pid),
        }
    }

    /// Whether a prospect may use this channel. One that is over and done with counts only if it
    /// certainly does.
    fn fits_channel(&self, prospect: &Prospect, channel: i32) -> bool {
        let (known, fields) = match &prospect.effect {
            Effect::Send { channel, fields, .. } => (channel.values(), fields.len()),
            Effect::Receive { channel, wanted, .. } => (channel.values(), wanted.len()),
            _ => return false,
        };
        match (known, self.slot(channel)) {
            (Some(known), _) => known.contains(&channel),
            (None, Some(slot)) => {
                let ty = &self.machine.channel_types[usize::from(slot.ty)];
                prospect.standing.can_act() && ty.fields.len() == fields
            }
            (None, None) => false,
        }
    }

    /// Whether a prospect may send a message with these fields.
    fn sends(&self, p: &Prospect, channel: i32, wanted: &[Option<i32>], sorted: bool) -> bool {
        let Effect::Send { fields, sorted: ordered, .. } = &p.effect else { return false };
        let Some(slot) = self.slot(channel) else { return false };
        let ty = &self.machine.channel_types[usize::from(slot.ty)];
        (!sorted || *ordered)
            && self.fits_channel(p, channel)
            && fields.iter().zip(wanted).zip(&ty.fields).all(|((sent, wanted), field)| {
                match (sent, wanted) {
                    (Some(sent), Some(wanted)) => field.truncate(*sent) == *wanted,
                    _ => true,
                }
            })
    }

    /// Whether a prospect may take one of these messages: the first one unless it looks further.
    fn takes(&self, p: &Prospect, channel: i32, messages: &[Vec<i32>]) -> bool {
        let Effect::Receive { wanted, pattern, .. } = &p.effect else { return false };
        let candidates = if pattern.random { messages.len() } else { messages.len().min(1) };
        self.fits_channel(p, channel)
            && messages[..candidates].iter().any(|message| {
                wanted.iter().zip(message).all(|(wanted, field)| wanted.is_none_or(|w| w == *field))
            })
    }

    /// Whether a write may help: not if it is known to leave the value as it is, nor, if the
    /// statement waits for this variable `alone`, if the new value is known not to suffice.
    fn write_helps(
        &self,
        pid: usize,
        p: &Prospect,
        cell: CellKey,
        alone: bool,
        test: &dyn Fn(&mut Exec, &[u32]) -> bool,
    ) -> bool {
        let Effect::Write { cells, value } = &p.effect else { return false };
        if !p.standing.can_act() && cells.len() > 1 {
            return false;
        }
        let Some(value) = *value else { return true };
        let (space, process) = match cell.0 {
            SpaceOf::Global => (Space::Global, 0),
            SpaceOf::Hidden => (Space::Hidden, 0),
            SpaceOf::Local(Who::Live(process)) => (Space::Local, process),
            SpaceOf::Local(Who::Future(_)) => return false,
        };
        let Some(field) =
            self.machine.cell(self.shape, space, process, cell.1).map(|cell| cell.field)
        else {
            return true;
        };
        let base = match space {
            Space::Global => self.machine.hidden_words as usize,
            Space::Hidden => 0,
            Space::Local => self.shape.processes[process].offset as usize,
        };
        if field.get(&self.state[base..]) == value {
            return false;
        }
        if !alone {
            return true;
        }
        let mut state = self.state.to_vec();
        field.set(&mut state[base..], value);
        test(&mut self.exec(pid), &state)
    }
}

fn info(transition: &Transition) -> ActionInfo {
    ActionInfo { text: transition.text.clone(), span: transition.span }
}

/// An obstacle in a few words.
fn obstacle_text(obstacle: &Obstacle) -> String {
    let values = |values: &[(String, Value)]| {
        let parts = values.iter().map(|(name, value)| format!("{name} is {value}"));
        parts.collect::<Vec<_>>().join(", ")
    };
    match obstacle {
        Obstacle::Empty { channel, .. } => format!("{channel} is empty"),
        Obstacle::Mismatch { channel, .. } => format!("no message in {channel} matches"),
        Obstacle::Full { channel, .. } => format!("{channel} is full"),
        Obstacle::NoReceiver { .. } => "nobody is ready to receive".into(),
        Obstacle::NoSender { channel, .. } => format!("nobody sends on {channel}"),
        Obstacle::Gone { channel } => format!("the channel in {channel} is gone"),
        Obstacle::Condition { values: parts } => values(parts),
        Obstacle::Provided { .. } => "its provided clause is false".into(),
        Obstacle::Held { lock, holder } => format!("{holder} holds {lock}"),
        Obstacle::Alive { process } => format!("{process} has not ended"),
        Obstacle::Other => String::new(),
    }
}
