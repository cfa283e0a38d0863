//! The run so far: its steps, what each of them touched, and which of them come before which in every run that
//! differs in the order of independent steps only.

use everypath_model::{Access, Action, Touch};
use rustc_hash::FxHashMap;

/// A step of the run.
#[derive(Debug, Default)]
pub(crate) struct Event {
    pub thread: u32,
    pub alternative: u32,
    pub action: Option<Action>,
    /// The first step of those that nobody can come in between; itself if there is no other.
    pub leader: usize,
    pub touches: Vec<Touch>,
    /// For each thread how many steps of the run there are up to its last one that comes before this step, or is it.
    pub clock: Vec<u32>,
    /// The step of the same thread before, plus one.
    before: u32,
}

impl Event {
    fn is_world(&self) -> bool {
        self.touches.first().is_some_and(|touch| touch.resource == Touch::WORLD)
    }
}

/// How many steps up to the last one of a thread a clock knows.
fn stamp(clock: &[u32], thread: u32) -> u32 {
    clock.get(thread as usize).copied().unwrap_or(0)
}

fn join(clock: &mut Vec<u32>, other: &[u32]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    for (mine, &theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(theirs);
    }
}

/// A step that touched something.
#[derive(Clone, Copy, Debug)]
struct Entry {
    event: u32,
    access: Access,
    /// Where the last entry with another access is, plus one.
    other: u32,
}

/// The run.
#[derive(Debug, Default)]
pub(crate) struct Past {
    /// Those behind `length` are room.
    events: Vec<Event>,
    length: usize,
    /// Steps by what they touched.
    numbers: FxHashMap<u64, u32>,
    histories: Vec<Vec<Entry>>,
    /// The last step of each thread, plus one.
    last: Vec<u32>,
    /// Steps that depend on all others.
    worlds: Vec<u32>,
}

/// How a step that comes next depends on the run.
#[derive(Debug, Default)]
pub(crate) struct Next {
    pub thread: u32,
    /// Its clock, without the step itself.
    pub clock: Vec<u32>,
    /// The clock of the step of the same thread before.
    before: Vec<u32>,
    /// Steps that it depends on directly.
    direct: Vec<u32>,
    /// Those of them that it could come before, so far as locks do not matter.
    plain: Vec<u32>,
    /// Locks that it takes.
    locks: Vec<u64>,
    /// What it touches.
    pub touches: Vec<Touch>,
    /// Whose step it belongs to, if nobody can come in between.
    pub owner: Option<u32>,
    /// Threads and their first steps, of those that can come before a step that is given up.
    first: Vec<(u32, u32)>,
}

impl Past {
    pub fn len(&self) -> usize {
        self.length
    }

    pub fn event(&self, index: usize) -> &Event {
        &self.events[index]
    }

    /// The actions of the run up to a step.
    pub fn actions(&self, end: usize) -> impl Iterator<Item = Action> + '_ {
        self.events[..end].iter().filter_map(|event| event.action)
    }

    fn history(&self, resource: u64) -> &[Entry] {
        match self.numbers.get(&resource) {
            Some(&number) => &self.histories[number as usize],
            None => &[],
        }
    }

    fn last_of(&self, thread: u32) -> Option<usize> {
        let last = self.last.get(thread as usize).copied().unwrap_or(0);
        (last as usize).checked_sub(1)
    }

    /// Finds out on which steps one of a thread depends that touches this.
    pub fn depend(&self, next: &mut Next, thread: u32, touches: &[Touch], exclusive: bool) {
        let Next { clock, before, direct, plain, locks, .. } = next;
        next.thread = thread;
        let last = self.length.checked_sub(1).filter(|_| exclusive);
        next.owner = last.map(|last| self.events[self.events[last].leader].thread);
        next.touches.clear();
        next.touches.extend_from_slice(touches);
        clock.clear();
        direct.clear();
        plain.clear();
        locks.clear();
        if let Some(last) = self.last_of(thread) {
            clock.extend_from_slice(&self.events[last].clock);
        }
        before.clone_from(clock);
        for touch in touches {
            if touch.resource == Touch::WORLD {
                plain.extend(self.last.iter().filter_map(|last| last.checked_sub(1)));
                continue;
            }
            let history = self.history(touch.resource);
            let before_this = plain.len();
            match touch.access {
                Access::Acquire | Access::Release => {
                    // Those that have only seen the lock might have come later.
                    let seen = |entry: &&Entry| entry.access == Access::Read;
                    plain.extend(history.iter().rev().take_while(seen).map(|entry| entry.event));
                    let taken = history.iter().rev().find(|entry| !seen(entry));
                    direct.extend(taken.map(|entry| entry.event));
                    if touch.access == Access::Acquire {
                        locks.push(touch.resource);
                    }
                }
                access => {
                    let mut at = history.len();
                    while let Some(entry) = at.checked_sub(1).map(|index| history[index]) {
                        if !access.conflicts(entry.access) {
                            at = entry.other as usize;
                            continue;
                        }
                        // Of each thread the last one is enough.
                        let by = |event: u32| self.events[event as usize].thread;
                        let new =
                            |&known: &u32| known == entry.event || by(known) != by(entry.event);
                        if plain[before_this..].iter().all(new) {
                            plain.push(entry.event);
                        }
                        if !matches!(entry.access, Access::Read | Access::Add) {
                            break;
                        }
                        at -= 1;
                    }
                }
            }
        }
        plain.extend(self.worlds.last());
        plain.retain(|&event| self.events[event as usize].thread != thread);
        plain.sort_unstable();
        plain.dedup();
        direct.extend_from_slice(plain);
        for &event in direct.iter() {
            join(clock, &self.events[event as usize].clock);
        }
        // What comes before the step anyway, whatever else is given up, cannot come behind it.
        let after = |one: u32, clock: &[u32]| stamp(clock, self.events[one as usize].thread) > one;
        plain.retain(|&one| {
            let others = direct.iter().filter(|&&other| other != one);
            let mut clocks = others.map(|&other| &self.events[other as usize].clock[..]);
            !after(one, before) && !clocks.any(|clock| after(one, clock))
        });
    }

    /// The steps before which the next one could come, so far as locks do not matter.
    pub fn plain<'a>(&self, next: &'a Next) -> &'a [u32] {
        &next.plain
    }

    /// Steps that took a lock that the next one takes, the last one first.
    pub fn takers<'a>(
        &'a self,
        next: &'a Next,
        lock: usize,
    ) -> Option<impl Iterator<Item = u32> + 'a> {
        let history = self.history(*next.locks.get(lock)?);
        let taken = history
            .iter()
            .rev()
            .filter(|entry| matches!(entry.access, Access::Acquire | Access::Write));
        let events = taken.map(|entry| entry.event);
        Some(events.take_while(|&event| {
            let thread = self.events[event as usize].thread;
            thread != next.thread && stamp(&next.before, thread) <= event
        }))
    }

    /// Finds the threads with which a run may begin in which the next step comes before another one, together
    /// with everything that does not depend on that one. If the next step touches several things, they may be
    /// others there, so its own thread is given only if nothing has to come before it anyway.
    pub fn initials(&self, next: &mut Next, event: usize, out: &mut Vec<u32>) {
        let Next { first, clock, thread, touches, owner, .. } = next;
        out.clear();
        first.clear();
        let leader = self.events[event].leader;
        let by = self.events[leader].thread;
        let behind = |clock: &[u32], first: &[(u32, u32)]| {
            first.iter().any(|&(thread, event)| stamp(clock, thread) > event)
        };
        let mut index = self.behind_block(leader);
        while index < self.length {
            let end = self.behind_block(index);
            let block = &self.events[index..end];
            let own = end == self.length && owner.is_some();
            let depends = block.iter().any(|piece| stamp(&piece.clock, by) > leader as u32);
            if own || !depends {
                let thread = block[0].thread;
                let waits = match own {
                    true => !first.is_empty(),
                    false => block.iter().any(|piece| behind(&piece.clock, first)),
                };
                if !waits && first.iter().all(|(known, _)| *known != thread) {
                    out.push(thread);
                }
                for (piece, number) in block.iter().zip(index as u32..) {
                    if first.iter().all(|(known, _)| *known != piece.thread) {
                        first.push((piece.thread, number));
                    }
                }
            }
            index = end;
        }
        let new = owner.is_none() && first.iter().all(|(known, _)| known != thread);
        if new && (first.is_empty() || (touches.len() <= 1 && !behind(clock, first))) {
            out.push(*thread);
        }
    }

    /// Where the steps end that nobody can come in between, from the first of them on.
    fn behind_block(&self, leader: usize) -> usize {
        let rest = self.events[leader + 1..self.length].iter();
        leader + 1 + rest.take_while(|event| event.leader == leader).count()
    }

    /// The steps that the next one needs of those behind a step that is given up, in order.
    pub fn needed(&self, next: &Next, event: usize, out: &mut Vec<usize>) {
        out.clear();
        let leader = self.events[event].leader;
        let by = self.events[leader].thread;
        for index in leader + 1..self.length {
            let event = &self.events[index];
            // The clock of the step also knows what it needs by way of the one that is given up.
            if stamp(&event.clock, by) <= leader as u32
                && stamp(&next.clock, event.thread) > index as u32
            {
                out.push(index);
            }
        }
    }

    /// The steps that those of some threads need, with all that nobody can come in between, in order.
    pub fn causes(&self, threads: &[u32], out: &mut Vec<usize>) {
        let mut clock = Vec::new();
        for last in threads.iter().filter_map(|&thread| self.last_of(thread)) {
            join(&mut clock, &self.events[last].clock);
        }
        loop {
            out.clear();
            let (mut index, mut whole) = (0, true);
            while index < self.length {
                let end = self.behind_block(index);
                let block = &self.events[index..end];
                let has = |(piece, at): (&Event, usize)| stamp(&clock, piece.thread) > at as u32;
                let count = block.iter().zip(index..).filter(|&one| has(one)).count();
                if count > 0 {
                    out.extend(index..end);
                }
                if count > 0 && count < block.len() {
                    whole = false;
                    block.iter().for_each(|piece| join(&mut clock, &piece.clock));
                }
                index = end;
            }
            if whole {
                return;
            }
        }
    }

    /// Adds a step.
    pub fn push(&mut self, next: &Next, (alternative, action): (u32, Action), touches: &[Touch]) {
        let index = self.length;
        if self.events.len() == index {
            self.events.push(Event::default());
        }
        let thread = next.thread as usize;
        if self.last.len() <= thread {
            self.last.resize(thread + 1, 0);
        }
        let leader = match next.owner.is_some() {
            true => self.events[index - 1].leader,
            false => index,
        };
        let event = &mut self.events[index];
        event.thread = next.thread;
        event.alternative = alternative;
        event.action = Some(action);
        event.leader = leader;
        event.before = std::mem::replace(&mut self.last[thread], index as u32 + 1);
        event.touches.clear();
        event.touches.extend_from_slice(touches);
        event.clock.clone_from(&next.clock);
        if event.clock.len() <= thread {
            event.clock.resize(thread + 1, 0);
        }
        event.clock[thread] = index as u32 + 1;
        if event.is_world() {
            self.worlds.push(index as u32);
        }
        for touch in touches.iter().filter(|touch| touch.resource != Touch::WORLD) {
            let count = self.histories.len() as u32;
            let number = *self.numbers.entry(touch.resource).or_insert(count);
            if number == count {
                self.histories.push(Vec::new());
            }
            let history = &mut self.histories[number as usize];
            let other = match history.last() {
                Some(last) if last.access == touch.access => last.other,
                _ => history.len() as u32,
            };
            history.push(Entry { event: index as u32, access: touch.access, other });
        }
        self.length += 1;
    }

    /// Takes back the last step.
    pub fn pop(&mut self) {
        self.length -= 1;
        let event = &self.events[self.length];
        self.last[event.thread as usize] = event.before;
        if event.is_world() {
            self.worlds.pop();
        }
        for touch in event.touches.iter().filter(|touch| touch.resource != Touch::WORLD) {
            if let Some(&number) = self.numbers.get(&touch.resource) {
                self.histories[number as usize].pop();
            }
        }
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> u64 {
        let event = |event: &Event| {
            size_of::<Event>() + 4 * event.clock.capacity() + 16 * event.touches.capacity()
        };
        let events: usize = self.events.iter().take(64).map(event).sum();
        let each = events / self.events.len().clamp(1, 64);
        (each * self.events.len() + 48 * self.histories.len()) as u64
    }
}
