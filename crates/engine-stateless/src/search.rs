//! The search.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use everypath_model::{Action, Brake, Conflicts, Executed, Fault, ModelError, Touch, Turn, spawn};
use rustc_hash::FxHashSet;

use crate::node::{Asleep, Node};
use crate::options::{AfterViolation, Limits, Observer, Options, Progress};
use crate::outcome::{Kind, LeftOut, Outcome, Stats, Stopped, Violation};
use crate::past::{Next, Past};
use crate::replay;
use crate::share::{Shared, Task};

/// Searches a system as `options` say, under the eyes of `observer`.
pub fn search<S: Conflicts>(
    system: &S,
    options: &Options<'_>,
    observer: &mut Observer<'_>,
) -> Outcome {
    let threads = options.threads.max(1);
    let shared = Shared::new(threads);
    let mut outcomes = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map_while(|_| {
                spawn(scope, || Search::new(system, options, &shared).run(&mut |_| true))
            })
            .collect();
        shared.go_without(threads - 1 - others.len());
        let mut outcomes = vec![Search::new(system, options, &shared).run(observer)];
        for other in others {
            // A thread that fails takes the search with it.
            outcomes.push(other.join().unwrap_or_else(|why| std::panic::resume_unwind(why)));
        }
        outcomes
    });
    let mut all = outcomes.swap_remove(0);
    all.stopped = shared.reason();
    outcomes.into_iter().for_each(|other| all.merge(other, options.max_violations));
    // What was found is shown by steps that nobody ends.
    let _held = system.brake().map(Brake::hold);
    replay::confirm(system, &mut all);
    all
}

/// Steps that a thread takes before others get their turn.
const MOST_TURNS: u32 = 64;

/// How far back a thread that only looks is noticed.
const MOST_LOOKS: usize = 16;

/// Steps after which is seen whether somebody wants work.
const GIVE_EVERY: u32 = 8;

/// A search that goes on.
pub(crate) struct Search<'s, S: Conflicts> {
    pub system: &'s S,
    options: &'s Options<'s>,
    pub shared: &'s Shared,
    pub worker: S::Worker,
    /// Those behind `depth` are room.
    pub nodes: Vec<Node>,
    pub depth: usize,
    pub past: Past,
    next: Next,
    executed: Executed,
    initials: Vec<u32>,
    needed: Vec<usize>,
    pending: Vec<Touch>,
    outcome: Outcome,
    kinds: BTreeMap<Kind, usize>,
    /// Pairs of steps that are known to race.
    raced: FxHashSet<(u32, u32)>,
    until_poll: u32,
    /// Steps and runs that the others know of.
    told: (u64, u64),
    /// Steps with which the search ends, since there was a violation.
    last_step: Option<u64>,
}

impl<'s, S: Conflicts> Search<'s, S> {
    fn new(system: &'s S, options: &'s Options<'s>, shared: &'s Shared) -> Search<'s, S> {
        Search {
            system,
            options,
            shared,
            worker: system.worker(),
            nodes: Vec::new(),
            depth: 0,
            past: Past::default(),
            next: Next::default(),
            executed: Executed::default(),
            initials: Vec::new(),
            needed: Vec::new(),
            pending: Vec::new(),
            outcome: Outcome::new(),
            kinds: BTreeMap::new(),
            raced: FxHashSet::default(),
            until_poll: options.poll_every.max(1),
            told: (0, 0),
            last_step: None,
        }
    }

    /// Whether orders of independent steps are left out.
    fn reduces(&self) -> bool {
        self.options.preemptions.is_none() && self.options.switches.is_none()
    }

    /// Follows branches until there are none.
    fn run(mut self, observer: &mut Observer<'_>) -> Outcome {
        loop {
            let shared = self.shared;
            let mut look = || self.look(observer);
            let Some(task) = shared.task(&mut look) else { break };
            if let Err(why) = self.follow(&task, observer) {
                self.shared.halt(why);
            }
        }
        self.outcome.stats.bytes = self.outcome.stats.bytes.max(self.bytes());
        self.outcome
    }

    /// Follows a branch.
    fn follow(&mut self, task: &Task, observer: &mut Observer<'_>) -> Result<(), Stopped> {
        while self.past.len() > 0 {
            self.past.pop();
        }
        self.depth = 0;
        self.system.first_point(&mut self.worker, &mut self.executed.point)?;
        let root = match task.first {
            None => {
                self.enter(None)?;
                0
            }
            Some(first) => {
                self.go_to(task)?;
                let node = &mut self.nodes[self.depth - 1];
                node.todo.push(first);
                self.depth - 1
            }
        };
        while self.depth > root {
            let sleeps = self.reduces();
            match self.nodes[self.depth - 1].next(sleeps) {
                Some((thread, alternative)) => {
                    self.poll(observer)?;
                    self.step(thread, alternative)?;
                }
                None => {
                    self.depth -= 1;
                    if self.depth > root {
                        self.past.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// Goes to the point where a branch begins: all that can move there and on the way is moved by others.
    fn go_to(&mut self, task: &Task) -> Result<(), Stopped> {
        for (index, sleep) in task.sleep.iter().enumerate() {
            if self.nodes.len() == index {
                self.nodes.push(Node::default());
            }
            let node = &mut self.nodes[index];
            node.clear();
            std::mem::swap(&mut node.point, &mut self.executed.point);
            self.system.turn(&mut self.worker, &node.point, &mut node.turn)?;
            node.closed = true;
            node.sleep.clone_from(sleep);
            (node.last, node.preemptions, node.switches, node.turns) = (None, 0, 0, 0);
            self.depth = index + 1;
            let Some(&(thread, alternative)) = task.path.get(index) else { break };
            self.execute(thread, alternative)?;
            let Executed { touches, action, .. } = &self.executed;
            self.past.push(&self.next, (alternative, *action), touches);
        }
        Ok(())
    }

    /// Executes a step of the last point and finds out what it depends on; whether nobody else could move.
    fn execute(&mut self, thread: u32, alternative: u32) -> Result<bool, Stopped> {
        let node = &self.nodes[self.depth - 1];
        let exclusive = node.turn.exclusive;
        self.executed.clear();
        let executed = &mut self.executed;
        self.system.execute(&mut self.worker, &node.point, thread, alternative, executed)?;
        self.past.depend(&mut self.next, thread, &self.executed.touches, exclusive);
        Ok(exclusive)
    }

    /// Executes a step of the last point, and goes on to where it leads.
    fn step(&mut self, thread: u32, alternative: u32) -> Result<(), Stopped> {
        let exclusive = self.execute(thread, alternative)?;
        self.outcome.stats.steps += 1;
        let action = self.executed.action;
        self.outcome.taken.insert(action.transition);
        if self.reduces() {
            self.reverse(Some(action))?;
        }
        self.past.push(&self.next, (alternative, action), &self.executed.touches);
        let depth = self.past.len();
        let leader = self.past.event(depth - 1).leader;
        self.nodes[leader].touched.extend_from_slice(&self.executed.touches);
        self.outcome.stats.depth = self.outcome.stats.depth.max(depth as u64);
        if let Some(first) = self.executed.incomplete {
            self.outcome.left_out.get_or_insert(LeftOut { first, count: 0 }).count += 1;
        }
        for index in 0..self.executed.faults.len() {
            let (fault, _) = self.executed.faults[index];
            self.violation(Kind::Fault(fault), |past| past.actions(depth).collect())?;
        }
        if self.reduces()
            && !self.executed.circle.is_empty()
            && self.executed.faults.iter().all(|(_, apart)| !apart)
        {
            self.look_for_others()?;
        }
        if self.executed.cut || self.executed.ends_others {
            // Others would have gone on. Within bounds nothing is left out that this would add.
            if self.reduces() {
                self.nodes[leader].add_all();
            }
            self.past.pop();
            self.look_at_waiting(leader)?;
            self.past.depend(&mut self.next, thread, &self.executed.touches, exclusive);
            self.past.push(&self.next, (alternative, action), &self.executed.touches);
        }
        if self.executed.cut {
            self.outcome.stats.cut += 1;
            self.past.pop();
            return Ok(());
        }
        if self.options.limits.depth.is_some_and(|most| depth as u64 >= most) {
            self.outcome.depth_limit_hit = true;
            self.outcome.stats.cut += 1;
            self.past.pop();
            return Ok(());
        }
        self.enter(Some(thread))
    }

    /// Goes on to the point that was made.
    fn enter(&mut self, last: Option<u32>) -> Result<(), Stopped> {
        let reduces = self.reduces();
        if self.nodes.len() == self.depth {
            self.nodes.push(Node::default());
        }
        let (before, rest) = self.nodes.split_at_mut(self.depth);
        let node = &mut rest[0];
        node.clear();
        std::mem::swap(&mut node.point, &mut self.executed.point);
        node.turn.clear();
        self.system.turn(&mut self.worker, &node.point, &mut node.turn)?;
        (node.last, node.preemptions, node.switches, node.turns) = (last, 0, 0, 0);
        if let (Some(before), Some(thread)) = (before.last(), last) {
            (node.preemptions, node.switches) = before.cost(thread);
            if before.turn.exclusive && before.last.is_some() {
                node.last = before.last;
            }
            if node.last == before.last {
                node.turns = before.turns + 1;
            }
            let touches = &self.executed.touches;
            let stays = |asleep: &&Asleep| {
                asleep.thread != thread && !Touch::conflict(&asleep.touches, touches)
            };
            node.sleep.extend(before.sleep.iter().filter(stays).cloned());
        }
        // A thread that comes back to where it was has only looked: runs without that lead to the same states.
        let state = self.system.state_of(&node.point);
        let turns = if reduces && last.is_some() { 1 + node.turns as usize } else { 0 };
        let seen = |back: &usize| {
            let nodes = before.len().checked_sub(*back).map(|index| &before[index]);
            nodes.is_some_and(|node| self.system.state_of(&node.point) == state)
        };
        if let Some(back) = (1..=turns.min(MOST_LOOKS)).find(seen) {
            let first = before.len() - back;
            for index in first..self.past.len() {
                let leader = self.past.event(index).leader;
                self.nodes[leader].add_all();
            }
            self.outcome.stats.cut += 1;
            self.look_at_waiting(self.depth)?;
            self.past.pop();
            return Ok(());
        }
        let awake = |node: &Node, thread: u32| !node.is_asleep(thread);
        if node.turn.moves.is_empty() {
            self.depth += 1;
            return self.end();
        }
        if !reduces && !node.turn.exclusive {
            let Options { preemptions, switches, .. } = *self.options;
            for index in 0..node.turn.moves.len() {
                let thread = node.turn.moves[index].0;
                let cost = node.cost(thread);
                if preemptions.is_some_and(|most| cost.0 > most)
                    || switches.is_some_and(|most| cost.1 > most)
                {
                    self.outcome.bound_hit = true;
                } else {
                    node.todo.push(thread);
                }
            }
        } else {
            let can = |&thread: &u32| node.alternatives_of(thread) > 0 && awake(node, thread);
            // Who only looks again and again lets others move.
            let same = node.last.filter(|thread| can(thread) && node.turns < MOST_TURNS);
            let others = || node.turn.moves.iter().map(|one| one.0).filter(can);
            let behind = others().find(|&thread| node.last.is_some_and(|last| thread > last));
            let first = same.or(behind).or_else(|| others().next());
            node.todo.extend(first);
        }
        let given_up = node.todo.is_empty();
        self.depth += 1;
        if given_up {
            let count = match reduces {
                true => &mut self.outcome.stats.blocked,
                false => &mut self.outcome.stats.cut,
            };
            *count += 1;
            self.look_at_waiting(self.depth - 1)?;
        }
        Ok(())
    }

    /// A run came to its end.
    fn end(&mut self) -> Result<(), Stopped> {
        self.outcome.stats.executions += 1;
        let node = &self.nodes[self.depth - 1];
        let deadlock = node.turn.deadlock;
        if self.options.collect {
            let state = self.system.state_of(&node.point).to_vec();
            self.outcome.ends.insert((state, deadlock));
        }
        if deadlock && self.options.check_deadlock {
            let state = self.system.state_of(&node.point);
            let key = self.options.deadlock_key.map_or(0, |key| key(state));
            let depth = self.past.len();
            self.violation(Kind::Deadlock(key), |past| past.actions(depth).collect())?;
        }
        self.look_at_waiting(self.depth - 1)?;
        Ok(())
    }

    /// Sees to it that those who wait at a point also come before those whom they wait for.
    fn look_at_waiting(&mut self, node: usize) -> Result<(), Stopped> {
        if !self.reduces() {
            return Ok(());
        }
        for index in 0..self.nodes[node].turn.blocked.len() {
            let Node { turn, point, .. } = &self.nodes[node];
            let thread = turn.blocked[index];
            self.pending.clear();
            self.system.pending(&mut self.worker, point, thread, &mut self.pending);
            Touch::tidy(&mut self.pending);
            self.past.depend(&mut self.next, thread, &self.pending, false);
            self.reverse(None)?;
        }
        Ok(())
    }

    /// Sees to it that the next step also comes before those that it conflicts with.
    fn reverse(&mut self, action: Option<Action>) -> Result<(), Stopped> {
        for index in 0..self.past.plain(&self.next).len() {
            let event = self.past.plain(&self.next)[index] as usize;
            self.add_before(event);
            if let Some(action) = action
                && self.options.check_races
            {
                self.look_for_race(event, action)?;
            }
        }
        let mut lock = 0;
        loop {
            let Some(takers) = self.past.takers(&self.next, lock) else { return Ok(()) };
            let takers: Vec<u32> = takers.collect();
            for taker in takers {
                if self.add_before(taker as usize) {
                    break;
                }
            }
            lock += 1;
        }
    }

    /// Lets a thread move before an earlier step, so that the next step comes before it; whether its own thread
    /// can.
    fn add_before(&mut self, event: usize) -> bool {
        self.past.initials(&mut self.next, event, &mut self.initials);
        let node = &self.nodes[self.past.event(event).leader];
        self.initials.retain(|&thread| node.alternatives_of(thread) > 0);
        if self.initials.is_empty() {
            return false;
        }
        let owner = self.next.owner.unwrap_or(self.next.thread);
        let own = self.initials.contains(&owner);
        let next = &self.next;
        let moves = |thread: u32| {
            // What begins with an equal step is known; in this one it may have touched something else.
            let known = |asleep: &Asleep| {
                let same = next.owner.is_none() && *asleep.touches == *next.touches;
                asleep.thread == thread && (thread != owner || same)
            };
            node.moves(thread) || node.sleep.iter().any(known)
        };
        if !self.initials.iter().any(|&thread| moves(thread)) {
            let first = if own { owner } else { self.initials[0] };
            let leader = self.past.event(event).leader;
            if !node.closed {
                self.nodes[leader].todo.push(first);
            } else {
                // It sleeps there.
                let mut task = self.task_at(leader, first);
                if let Some(sleep) = task.sleep.last_mut() {
                    sleep.retain(|asleep| asleep.thread != first);
                }
                self.shared.wake(task);
            }
        }
        own
    }

    /// Some threads wait for each other since the last step and nobody else can move: tells whether somebody can in
    /// a run without what those threads do not need.
    fn look_for_others(&mut self) -> Result<(), Stopped> {
        let circle = std::mem::take(&mut self.executed.circle);
        self.past.causes(&circle, &mut self.needed);
        let mut at = self.nodes[0].point.clone();
        let mut step = Executed::default();
        let mut actions = Vec::new();
        for &index in &self.needed {
            let event = self.past.event(index);
            step.clear();
            let (thread, alternative) = (event.thread, event.alternative);
            if !can_move(self.system, &mut self.worker, &at, thread, alternative)? {
                return Ok(());
            }
            self.system.execute(&mut self.worker, &at, thread, alternative, &mut step)?;
            actions.push(step.action);
            std::mem::swap(&mut at, &mut step.point);
        }
        for &(fault, _) in step.faults.iter().filter(|(_, apart)| *apart) {
            self.violation(Kind::Fault(fault), |_| actions.clone())?;
        }
        Ok(())
    }

    /// Tells whether an earlier step and the next one race: both can be next.
    fn look_for_race(&mut self, event: usize, action: Action) -> Result<(), Stopped> {
        let other = self.past.event(event);
        let (leader, first) = (other.leader, other.thread);
        let pair = (other.action.map_or(0, |action| action.transition), action.transition);
        let (point, here) = (&self.nodes[event].point, &self.nodes[self.depth - 1].point);
        if self.raced.contains(&pair)
            || leader != event
            || !self.system.may_race(&mut self.worker, point, first)
            || !self.system.may_race(&mut self.worker, here, self.next.thread)
        {
            return Ok(());
        }
        self.past.needed(&self.next, event, &mut self.needed);
        let mut at = self.nodes[event].point.clone();
        let mut step = Executed::default();
        let mut actions: Vec<Action> = self.past.actions(event).collect();
        for &index in &self.needed {
            let needed = self.past.event(index);
            step.clear();
            let (thread, alternative) = (needed.thread, needed.alternative);
            if !can_move(self.system, &mut self.worker, &at, thread, alternative)? {
                return Ok(());
            }
            self.system.execute(&mut self.worker, &at, thread, alternative, &mut step)?;
            if step.cut {
                return Ok(());
            }
            actions.push(step.action);
            std::mem::swap(&mut at, &mut step.point);
        }
        let mut faults: Vec<Fault> = Vec::new();
        self.system.races(&mut self.worker, &at, &mut faults);
        for fault in faults {
            self.raced.insert(pair);
            self.violation(Kind::Fault(fault), |_| actions.clone())?;
        }
        Ok(())
    }

    /// Notes a violation.
    fn violation(
        &mut self,
        kind: Kind,
        actions: impl FnOnce(&Past) -> Vec<Action>,
    ) -> Result<(), Stopped> {
        let outcome = &mut self.outcome;
        outcome.errors += 1;
        let steps = outcome.stats.steps;
        match self.kinds.get(&kind) {
            Some(&index) => {
                let known = &mut outcome.violations[index];
                known.occurrences += 1;
                if self.past.len() < known.actions.len() {
                    known.actions = actions(&self.past);
                }
            }
            None if outcome.violations.len() >= self.options.max_violations => {
                outcome.unrecorded += 1;
            }
            None => {
                self.kinds.insert(kind, outcome.violations.len());
                let actions = actions(&self.past);
                let run = Vec::new();
                outcome.violations.push(Violation { kind, actions, run, occurrences: 1, steps });
            }
        }
        match self.options.after_violation {
            AfterViolation::Stop => return Err(Stopped::Violation),
            AfterViolation::Budget(more) => {
                self.last_step.get_or_insert(steps.saturating_add(more.max(steps)));
            }
            AfterViolation::Continue => {}
        }
        Ok(())
    }

    /// Bytes in use, about.
    fn bytes(&self) -> u64 {
        let words: usize = self.nodes.first().map_or(0, |node| node.point.capacity());
        let nodes = self.nodes.len() * (size_of::<Node>() + 4 * words);
        nodes as u64 + self.past.bytes() + self.options.besides.map_or(0, |besides| besides())
    }

    fn poll(&mut self, observer: &mut Observer<'_>) -> Result<(), Stopped> {
        self.until_poll -= 1;
        if self.until_poll.is_multiple_of(GIVE_EVERY) && self.shared.is_wanted() && self.reduces() {
            self.give_away()?;
        }
        if self.until_poll > 0 {
            return Ok(());
        }
        self.until_poll = self.options.poll_every.max(1);
        self.look(observer)
    }

    /// Looks whether the search has to end.
    fn look(&mut self, observer: &mut Observer<'_>) -> Result<(), Stopped> {
        let bytes = self.bytes();
        let Stats { executions, steps, .. } = self.outcome.stats;
        self.outcome.stats.bytes = self.outcome.stats.bytes.max(bytes);
        let Shared { stop, steps: all_steps, executions: all_executions, .. } = self.shared;
        let told = std::mem::replace(&mut self.told, (steps, executions));
        let steps = all_steps.fetch_add(steps - told.0, Ordering::Relaxed) + steps - told.0;
        let executions =
            all_executions.fetch_add(executions - told.1, Ordering::Relaxed) + executions - told.1;
        let Limits { memory, executions: most_executions, steps: most_steps, .. } =
            self.options.limits;
        if stop.load(Ordering::Relaxed)
            || self.options.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed))
        {
            return Err(Stopped::Interrupted);
        }
        if self.options.expired.is_some_and(|expired| expired()) {
            return Err(Stopped::Time);
        }
        if memory.is_some_and(|most| bytes > most) {
            return Err(Stopped::MemoryLimit);
        }
        if most_steps.is_some_and(|most| steps >= most) {
            return Err(Stopped::StepLimit);
        }
        if most_executions.is_some_and(|most| executions >= most) {
            return Err(Stopped::ExecutionLimit);
        }
        if self.last_step.is_some_and(|last| self.outcome.stats.steps >= last) {
            return Err(Stopped::ViolationBudget);
        }
        let progress =
            Progress { executions, steps, depth: self.depth as u64, errors: self.outcome.errors };
        if observer(&progress) { Ok(()) } else { Err(Stopped::Interrupted) }
    }
}

/// Whether a thread can move at a point. Where others are still there a step may end earlier than it did, so not
/// all that followed it need be possible.
fn can_move<S: Conflicts>(
    system: &S,
    worker: &mut S::Worker,
    point: &[u32],
    thread: u32,
    alternative: u32,
) -> Result<bool, ModelError> {
    let mut turn = Turn::default();
    system.turn(worker, point, &mut turn)?;
    Ok(turn.moves.iter().any(|&(mover, count)| mover == thread && alternative < count))
}
