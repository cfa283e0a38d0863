//! A tiny language of threads: variables, locks, waiting, choices, assumptions, atomic regions, an end for all.

use everypath_model::{
    Access, Action, ComponentMask, Conflicts, End, Executed, Fault, ModelError, Rng, Successors,
    Touch, TransitionSystem, Turn,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Load(u32),
    Store(u32, u32),
    StoreRegister(u32),
    /// Adds to a variable; the order of such changes does not matter.
    Add(u32),
    Choose(u32),
    Lock(u32),
    Unlock(u32),
    Wait(u32),
    TimedWait(u32),
    Notify(u32),
    Fail(u32),
    Assume(u32),
    /// Goes back to the operation before unless the register is this.
    Until(u32),
    /// Leaves out so many operations if the register is this.
    Skip(u32, usize),
    Atomic,
    EndAtomic,
    Exit,
}

pub const VARIABLES: usize = 3;
pub const LOCKS: usize = 2;
/// Words of a thread: where it is, its register, how it waits, how many atomic regions it is in.
const WORDS: usize = 4;
const PC: usize = 0;
const REGISTER: usize = 1;
const WAITS: usize = 2;
const ATOMIC: usize = 3;

const WAITING: u32 = 1;
const TIMED: u32 = 2;
const NOTIFIED: u32 = 3;

#[derive(Clone, Debug)]
pub struct Toy {
    pub threads: Vec<Vec<Op>>,
}

/// What became of a step.
enum Ended {
    Stops,
    Cut,
}

impl Toy {
    /// A random program.
    pub fn random(rng: &mut Rng) -> Toy {
        let threads = 2 + rng.below(2);
        let most = if threads == 2 { 6 } else { 4 };
        let mut all = Vec::new();
        for _ in 0..threads {
            let mut ops = Vec::new();
            while ops.len() < 1 + rng.below(most) {
                statement(rng, &mut ops, None);
            }
            all.push(ops);
        }
        Toy { threads: all }
    }

    /// A random program with threads that look again and again.
    pub fn looking(rng: &mut Rng) -> Toy {
        let mut toy = Toy::random(rng);
        for ops in &mut toy.threads {
            let (variable, value) = (rng.below(VARIABLES) as u32, rng.below(3) as u32);
            if rng.chance(60) {
                let at = if rng.chance(50) { 0 } else { ops.len() };
                ops.splice(at..at, [Op::Load(variable), Op::Until(value)]);
            }
        }
        toy
    }

    fn op(&self, state: &[u32], thread: usize) -> Option<Op> {
        self.threads[thread].get(state[1 + WORDS * thread + PC] as usize).copied()
    }

    fn variables(&self) -> usize {
        1 + WORDS * self.threads.len()
    }

    fn lock(&self, lock: u32) -> usize {
        self.variables() + VARIABLES + lock as usize
    }

    fn waits_on(&self, state: &[u32], thread: usize) -> Option<u32> {
        match self.op(state, thread)? {
            Op::Wait(lock) | Op::TimedWait(lock) | Op::Lock(lock) => Some(lock),
            _ => None,
        }
    }

    fn alternatives(&self, state: &[u32], thread: usize) -> u32 {
        let Some(op) = self.op(state, thread) else { return 0 };
        match (op, state[1 + WORDS * thread + WAITS]) {
            (Op::Wait(_), WAITING) => 0,
            (Op::Wait(lock) | Op::TimedWait(lock) | Op::Lock(lock), _) => {
                u32::from(state[self.lock(lock)] == 0)
            }
            (Op::Choose(count), _) => count,
            _ => 1,
        }
    }

    fn moves(&self, state: &[u32], out: &mut Turn) {
        out.clear();
        if state[0] != 0 {
            return;
        }
        for thread in 0..self.threads.len() {
            let count = self.alternatives(state, thread);
            if state[1 + WORDS * thread + ATOMIC] > 0 && count > 0 {
                out.clear();
                out.moves.push((thread as u32, count));
                out.exclusive = true;
                return;
            }
            match count {
                0 if self.op(state, thread).is_some() => out.blocked.push(thread as u32),
                0 => {}
                _ => out.moves.push((thread as u32, count)),
            }
        }
        out.deadlock = out.moves.is_empty() && !out.blocked.is_empty();
    }

    /// Executes a thread until it stands before something that others notice.
    fn run(
        &self,
        state: &mut [u32],
        thread: usize,
        alternative: u32,
        touches: &mut Vec<Touch>,
        faults: &mut Vec<Fault>,
    ) -> Ended {
        let at = 1 + WORDS * thread;
        let mut touch = |resource: u64, access| touches.push(Touch { resource, access });
        let mut fresh = alternative != u32::MAX;
        while let Some(op) = self.op(state, thread) {
            let goes_on = fresh || (alternative != u32::MAX && state[at + ATOMIC] > 0);
            match op {
                Op::Load(_)
                | Op::Store(..)
                | Op::StoreRegister(_)
                | Op::Add(_)
                | Op::Atomic
                | Op::Exit
                    if !goes_on =>
                {
                    return Ended::Stops;
                }
                Op::Choose(_) if !fresh => return Ended::Stops,
                Op::Lock(_) if !goes_on => return Ended::Stops,
                Op::Lock(lock) if state[self.lock(lock)] != 0 => {
                    // It has seen that somebody has it.
                    touch(100 + u64::from(lock), Access::Read);
                    return Ended::Stops;
                }
                _ => {}
            }
            let variable =
                |number: u32| (self.variables() + number as usize, 1 + u64::from(number));
            let waiters = |lock: u32| 200 + u64::from(lock);
            match op {
                Op::Load(number) => {
                    state[at + REGISTER] = state[variable(number).0];
                    touch(variable(number).1, Access::Read);
                }
                Op::Store(number, value) => {
                    state[variable(number).0] = value;
                    touch(variable(number).1, Access::Write);
                }
                Op::StoreRegister(number) => {
                    state[variable(number).0] = state[at + REGISTER] + 1;
                    touch(variable(number).1, Access::Write);
                }
                Op::Add(number) => {
                    state[variable(number).0] += 2;
                    touch(variable(number).1, Access::Add);
                }
                Op::Choose(_) => state[at + REGISTER] = alternative,
                Op::Lock(lock) => {
                    state[self.lock(lock)] = thread as u32 + 1;
                    // A step that begins otherwise could have been taken without the lock.
                    let access = if fresh { Access::Acquire } else { Access::Write };
                    touch(100 + u64::from(lock), access);
                }
                Op::Unlock(lock) => {
                    state[self.lock(lock)] = 0;
                    touch(100 + u64::from(lock), Access::Release);
                }
                Op::Wait(lock) | Op::TimedWait(lock) => {
                    touch(waiters(lock), Access::Write);
                    if state[at + WAITS] == 0 {
                        let timed = matches!(op, Op::TimedWait(_));
                        state[at + WAITS] = if timed { TIMED } else { WAITING };
                        state[self.lock(lock)] = 0;
                        touch(100 + u64::from(lock), Access::Release);
                        return Ended::Stops;
                    }
                    // Whether it was notified can be seen.
                    state[at + REGISTER] = state[at + WAITS];
                    state[at + WAITS] = 0;
                    state[self.lock(lock)] = thread as u32 + 1;
                    touch(100 + u64::from(lock), Access::Acquire);
                }
                Op::Notify(lock) => {
                    touch(waiters(lock), Access::Write);
                    let waiting = (0..self.threads.len()).find(|&other| {
                        matches!(state[1 + WORDS * other + WAITS], WAITING | TIMED)
                            && self.waits_on(state, other) == Some(lock)
                    });
                    if let Some(other) = waiting {
                        state[1 + WORDS * other + WAITS] = NOTIFIED;
                    }
                }
                Op::Fail(value) => {
                    if state[at + REGISTER] == value {
                        faults.push(Fault(100 * thread as u32 + state[at + PC]));
                    }
                }
                Op::Assume(value) => {
                    if state[at + REGISTER] != value {
                        return Ended::Cut;
                    }
                }
                Op::Skip(value, count) => {
                    if state[at + REGISTER] == value {
                        state[at + PC] += count as u32;
                    }
                }
                Op::Until(value) => {
                    if state[at + REGISTER] != value {
                        state[at + PC] -= 1;
                        fresh = false;
                        continue;
                    }
                }
                Op::Atomic => state[at + ATOMIC] += 1,
                Op::EndAtomic => state[at + ATOMIC] = 0,
                Op::Exit => {
                    touch(Touch::WORLD, Access::Write);
                    state[0] = 1;
                    return Ended::Stops;
                }
            }
            state[at + PC] += 1;
            fresh = false;
        }
        state[at + REGISTER] = 0;
        state[at + ATOMIC] = 0;
        Ended::Stops
    }

    pub fn first(&self) -> Vec<u32> {
        let mut state = vec![0; 1 + WORDS * self.threads.len() + VARIABLES + LOCKS];
        for thread in 0..self.threads.len() {
            self.run(&mut state, thread, u32::MAX, &mut Vec::new(), &mut Vec::new());
        }
        state
    }
}

/// Appends a statement; inside of a lock only that one is waited on.
fn statement(rng: &mut Rng, ops: &mut Vec<Op>, held: Option<u32>) {
    let variable = rng.below(VARIABLES) as u32;
    let value = rng.below(3) as u32;
    match (rng.below(24), held) {
        (0..5, _) => ops.push(Op::Load(variable)),
        (5..8, _) => ops.push(Op::Store(variable, value)),
        (8..10, _) => ops.push(Op::StoreRegister(variable)),
        (10, _) => ops.push(Op::Add(variable)),
        (11, _) => ops.push(Op::Choose(2)),
        (12, _) => ops.push(Op::Fail(value)),
        (13, _) => ops.push(Op::Assume(value)),
        (14, _) => ops.extend([Op::Skip(value, 1), Op::Store(variable, 2)]),
        (15, None) => ops.push(Op::Exit),
        (16, None) => {
            ops.push(Op::Atomic);
            for _ in 0..1 + rng.below(3) {
                statement(rng, ops, None);
            }
            ops.push(Op::EndAtomic);
        }
        (17, Some(lock)) => ops.push(Op::Wait(lock)),
        (18, Some(lock)) => ops.push(Op::TimedWait(lock)),
        (19 | 20, Some(lock)) => ops.push(Op::Notify(lock)),
        (_, held) => {
            let lock = rng.below(LOCKS) as u32;
            if held == Some(lock) || ops.len() > 12 {
                return;
            }
            ops.push(Op::Lock(lock));
            for _ in 0..rng.below(3) {
                statement(rng, ops, Some(lock));
            }
            ops.push(Op::Unlock(lock));
        }
    }
}

impl TransitionSystem for Toy {
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, (): &mut (), out: &mut Successors) -> Result<(), ModelError> {
        out.push(&self.first(), ComponentMask::ALL, &[]);
        Ok(())
    }

    fn successors(
        &self,
        (): &mut (),
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        let mut turn = Turn::default();
        self.moves(state, &mut turn);
        for (thread, count) in turn.moves {
            for alternative in 0..count {
                let mut next = state.to_vec();
                let mut faults = Vec::new();
                let ended =
                    self.run(&mut next, thread as usize, alternative, &mut Vec::new(), &mut faults);
                let actions = [action(state, thread, alternative)];
                if let Ended::Cut = ended {
                    continue;
                }
                for &fault in faults.iter().skip(1) {
                    out.push_faulty(state, ComponentMask::ALL, &actions, Some(fault), true);
                }
                let fault = faults.first().copied();
                out.push_faulty(&next, ComponentMask::ALL, &actions, fault, false);
            }
        }
        Ok(())
    }

    fn end(&self, (): &mut (), state: &[u32]) -> End {
        let mut turn = Turn::default();
        self.moves(state, &mut turn);
        if turn.deadlock { End::Deadlock } else { End::Valid }
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        ends.push(state.len() as u32);
    }
}

fn action(state: &[u32], thread: u32, alternative: u32) -> Action {
    let pc = state[1 + WORDS * thread as usize + PC];
    Action { process: thread, transition: 1000 * thread + 10 * pc + alternative }
}

impl Conflicts for Toy {
    fn first_point(&self, (): &mut (), out: &mut Vec<u32>) -> Result<(), ModelError> {
        out.clear();
        out.extend(self.first());
        Ok(())
    }

    fn state_of<'a>(&self, point: &'a [u32]) -> &'a [u32] {
        point
    }

    fn turn(&self, (): &mut (), point: &[u32], out: &mut Turn) -> Result<(), ModelError> {
        self.moves(point, out);
        Ok(())
    }

    fn execute(
        &self,
        (): &mut (),
        point: &[u32],
        thread: u32,
        alternative: u32,
        out: &mut Executed,
    ) -> Result<(), ModelError> {
        out.point.extend_from_slice(point);
        out.action = action(point, thread, alternative);
        let mut faults = Vec::new();
        let ended =
            self.run(&mut out.point, thread as usize, alternative, &mut out.touches, &mut faults);
        out.cut = matches!(ended, Ended::Cut);
        if !out.cut {
            out.faults.extend(faults.into_iter().map(|fault| (fault, false)));
        }
        out.ends_others = out.point[0] != 0;
        Touch::tidy(&mut out.touches);
        Ok(())
    }

    fn pending(&self, (): &mut (), point: &[u32], thread: u32, out: &mut Vec<Touch>) {
        if let Some(lock) = self.waits_on(point, thread as usize) {
            out.push(Touch { resource: 100 + u64::from(lock), access: Access::Acquire });
            if !matches!(self.op(point, thread as usize), Some(Op::Lock(_))) {
                out.push(Touch { resource: 200 + u64::from(lock), access: Access::Write });
            }
        }
    }

    fn may_race(&self, (): &mut (), _: &[u32], _: u32) -> bool {
        false
    }

    fn races(&self, (): &mut (), _: &[u32], _: &mut Vec<Fault>) {}
}
