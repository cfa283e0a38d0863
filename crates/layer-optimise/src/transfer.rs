//! What single instructions do to what is known, and to what is known of others.

use everypath_machine::Machine;
use everypath_machine::code::{Binary, Op, Pattern, Unary};

use crate::env::{Env, Tells, compares, flipped, negated};
use crate::interval::Interval;
use crate::program::Program;
use crate::ranges::{PATIENCE, Ranges};
use crate::variables::{Record, Var};

impl Ranges {
    /// What an instruction does to what is known.
    pub fn advance(&self, program: &Program, op: Op, ty: u16, env: &mut Env) {
        let nothing = Tells::Nothing;
        let upto = |hi: i32| Interval { lo: 0, hi };
        match op {
            Op::Const { d, value } => env.set(d, Interval::one(value), nothing),
            Op::Move { d, a } => env.set(d, env.register(a), env.tells(a)),
            Op::Unary { op, d, a } => {
                let range = Interval::unary(op, env.register(a));
                let test = match env.tells(a) {
                    Tells::Nothing => nothing,
                    Tells::Value(cell) => {
                        Tells::Test { cell, op: Binary::Ne, with: Interval::one(0) }
                    }
                    test => test,
                };
                let tells = match (op, test) {
                    (Unary::Truth, test) => test,
                    (Unary::Not, Tells::Test { cell, op, with }) => {
                        Tells::Test { cell, op: negated(op), with }
                    }
                    _ => nothing,
                };
                env.set(d, range, tells);
            }
            Op::Binary { op, d, a, b } => {
                let (x, y) = (env.register(a), env.register(b));
                let tells = match (env.tells(a), env.tells(b)) {
                    (Tells::Value(cell), _) if compares(op) => Tells::Test { cell, op, with: y },
                    (_, Tells::Value(cell)) if compares(op) => {
                        Tells::Test { cell, op: flipped(op), with: x }
                    }
                    _ => nothing,
                };
                env.set(d, Interval::binary(op, x, y), tells);
            }
            Op::Scale { d, a, by } => {
                let by = i32::try_from(by).map_or(Interval::ANY, Interval::one);
                let bits = Interval::binary(Binary::Mul, env.register(a), by);
                env.set(d, Interval::binary(Binary::Add, env.register(d), bits), nothing);
            }
            Op::Bound { a, count, .. } => {
                let most = i32::try_from(count).unwrap_or(i32::MAX).saturating_sub(1);
                let range = env.register(a).meet(upto(most)).unwrap_or(upto(most));
                let tells = env.tells(a);
                env.set(a, range, tells);
                if let Tells::Value(cell) = tells
                    && let Some(range) = env.cells[cell].meet(upto(most))
                {
                    env.cells[cell] = range;
                }
            }
            Op::Load { d, .. } => match *program.variables.read(op, ty) {
                [var] => match self.followed.get(&var) {
                    Some(&cell) => env.set(d, env.cells[cell], Tells::Value(cell)),
                    None => {
                        let all = Interval::of(program.variables.all[var].field);
                        env.set(d, self.values[var].unwrap_or(all), nothing);
                    }
                },
                _ => env.set(d, loaded(op), nothing),
            },
            Op::LoadAt { d, at, space, field } => {
                let record = Record::of(space, ty);
                let at = env.register(at).known();
                let ranges = program.variables.around(record, field, at).iter().map(|&var| {
                    match self.followed.get(&var) {
                        Some(_) => None,
                        None => self.values[var],
                    }
                });
                let range = ranges.reduce(|a, b| Some(a?.join(b?))).flatten();
                let all = Interval::of(field);
                env.set(d, range.and_then(|r| r.meet(all)).unwrap_or(all), nothing);
            }
            Op::LoadRemote { d, field, .. } => {
                env.set(d, Interval::of(field).join(Interval::one(0)), nothing);
            }
            Op::Pid { d } | Op::ProcessCount { d } | Op::Run { d, .. } => {
                env.set(d, upto(255), nothing);
            }
            Op::AtState { d, .. }
            | Op::Timeout { d }
            | Op::Moved { d }
            | Op::Enabled { d, .. }
            | Op::Poll { d, .. } => env.set(d, Interval::TRUTH, nothing),
            Op::FirstOf { d, .. } => env.set(d, Interval { lo: -1, hi: 255 }, nothing),
            Op::Probe { d, .. }
            | Op::PcValue { d, .. }
            | Op::GetPriority { d, .. }
            | Op::OwnChannel { d, .. } => env.set(d, Interval::ANY, nothing),
            Op::ReceiveField { d, c, field } => {
                let range = self.field(&program.machine, env.register(c), usize::from(field));
                env.set(d, range, nothing);
            }
            Op::Store { s, field, .. } => {
                let stored = env.register(s).stored(field);
                for &var in program.variables.written(op, ty) {
                    if let Some(&cell) = self.followed.get(&var) {
                        env.forget(cell);
                        let exact = program.variables.set(op, ty).is_some();
                        let all = Interval::of(program.variables.all[var].field);
                        env.cells[cell] = if exact { stored } else { all };
                    }
                }
            }
            Op::StoreAt { .. } => {
                for &var in program.variables.written(op, ty) {
                    if let Some(&cell) = self.followed.get(&var) {
                        env.forget(cell);
                        env.cells[cell] = Interval::of(program.variables.all[var].field);
                    }
                }
            }
            Op::NonZero { .. }
            | Op::SetPriority { .. }
            | Op::Jump { .. }
            | Op::JumpIfZero { .. }
            | Op::JumpIfNotZero { .. }
            | Op::SendGuard { .. }
            | Op::Send { .. }
            | Op::ReceiveGuard { .. }
            | Op::ReceiveTake { .. }
            | Op::Commit
            | Op::Done
            | Op::Blocked { .. }
            | Op::Assert { .. }
            | Op::Print { .. } => {}
        }
    }

    /// What an instruction does to others.
    pub fn effect(&mut self, program: &Program, op: Op, ty: u16, env: &Env) {
        match op {
            Op::Store { s, field, .. } => {
                let exact = program.variables.set(op, ty).is_some();
                for &var in program.variables.written(op, ty) {
                    let all = Interval::of(program.variables.all[var].field);
                    let range = if exact { env.register(s).stored(field) } else { all };
                    self.assign(program, var, range);
                }
            }
            Op::StoreAt { s, at, space, field } => {
                let record = Record::of(space, ty);
                let at = env.register(at).known();
                for &var in program.variables.around(record, field, at) {
                    let like = program.variables.all[var].field.width == field.width;
                    let all = Interval::of(program.variables.all[var].field);
                    let range = if like { env.register(s).stored(field) } else { all };
                    self.assign(program, var, range);
                }
            }
            Op::SendGuard { c, first, count, .. } | Op::Send { c, first, count, .. } => {
                let sent: Vec<Interval> =
                    (0..count).map(|i| env.register(first.saturating_add(i))).collect();
                self.send(&program.machine, env.register(c), &sent);
            }
            Op::Run { proctype, first, count, .. } => {
                let wanted = program.machine.proctypes[usize::from(proctype)].params.len();
                let mut arguments: Vec<Interval> =
                    (0..count).map(|i| env.register(first.saturating_add(i))).collect();
                arguments.resize(wanted, Interval::one(0));
                self.start(proctype, &arguments);
            }
            _ => {}
        }
    }

    pub fn assign(&mut self, program: &Program, var: Var, range: Interval) {
        if self.followed.contains_key(&var) {
            return;
        }
        let known = &mut self.values[var];
        let before = *known;
        let all = Interval::of(program.variables.all[var].field);
        let mut joined = before.map_or(range, |known| known.join(range));
        if before != Some(joined) {
            self.grown[var] += 1;
            if self.grown[var] > PATIENCE {
                joined = all;
            }
            *known = Some(joined);
            self.changed |= before != Some(joined);
        }
    }

    /// The kinds of channels that a value may be.
    fn kinds(machine: &Machine, channel: Interval) -> Vec<usize> {
        let global = channel
            .known()
            .and_then(|id| usize::try_from(id - 1).ok())
            .and_then(|index| machine.global_channels.get(index));
        match global {
            Some(channel) => vec![usize::from(channel.ty)],
            None => (0..machine.channel_types.len()).collect(),
        }
    }

    fn send(&mut self, machine: &Machine, channel: Interval, sent: &[Interval]) {
        // Any other number of fields is a fault.
        let fits = |ty: &usize| machine.channel_types[*ty].fields.len() == sent.len();
        for ty in Ranges::kinds(machine, channel).into_iter().filter(fits) {
            let fields = machine.channel_types[ty].fields.iter();
            let sent = fields.zip(sent).map(|(&field, range)| (field, range.stored(field)));
            match &mut self.messages[ty] {
                known @ None => {
                    *known = Some(sent.map(|(_, range)| range).collect());
                    self.changed = true;
                }
                Some(known) => {
                    for (mine, (field, range)) in known.iter_mut().zip(sent) {
                        let joined = mine.join(range);
                        if joined != *mine {
                            self.sends[ty] += 1;
                            let much = self.sends[ty] > PATIENCE;
                            *mine = if much { Interval::of(field) } else { joined };
                            self.changed = true;
                        }
                    }
                }
            }
        }
    }

    /// Whether there may be a message that a receive takes or copies.
    pub fn message(
        &self,
        machine: &Machine,
        channel: Interval,
        pattern: Pattern,
        copy: bool,
    ) -> bool {
        Ranges::kinds(machine, channel).into_iter().any(|ty| {
            let fields = machine.channel_types[ty].fields.len();
            pattern.fits(fields, copy) && self.messages[ty].is_some()
        })
    }

    /// Whether a receive can be a fault.
    pub fn bad_receive(
        &self,
        machine: &Machine,
        channel: Interval,
        pattern: Pattern,
        copy: bool,
    ) -> bool {
        channel.contains(0)
            || Ranges::kinds(machine, channel).into_iter().any(|ty| {
                let kind = &machine.channel_types[ty];
                let fits = pattern.fits(kind.fields.len(), copy);
                copy && kind.capacity == 0 || !fits && self.messages[ty].is_some()
            })
    }

    /// What a field of a message may be.
    fn field(&self, machine: &Machine, channel: Interval, field: usize) -> Interval {
        let global = channel
            .known()
            .and_then(|id| usize::try_from(id - 1).ok())
            .and_then(|index| machine.global_channels.get(index));
        let of = |ty: usize| self.messages[ty].as_ref().and_then(|m| m.get(field)).copied();
        match global {
            Some(channel) => of(usize::from(channel.ty)).unwrap_or(Interval::ANY),
            None => {
                let all = (0..machine.channel_types.len()).filter_map(of);
                all.reduce(Interval::join).unwrap_or(Interval::ANY)
            }
        }
    }
}

/// What a load can give whose place is not known.
fn loaded(op: Op) -> Interval {
    match op {
        Op::Load { field, .. } | Op::LoadAt { field, .. } => Interval::of(field),
        _ => Interval::ANY,
    }
}
