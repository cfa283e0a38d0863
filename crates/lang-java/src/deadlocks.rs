//! Partial deadlocks: threads that wait for locks of each other in a circle, while others go on.
//!
//! Only waits count that nothing but the lock can end: entering a monitor, the initialisation of a class, and
//! `lock()` of the library's locks. Neither time nor an interrupt ends them, so a circle stays for ever.

use everypath_model::{Action, Fault, FaultInfo};

use crate::describe::{Call, frame_text};
use crate::program::Program;
use crate::vm::{Status, Worker, header};

impl Worker {
    /// Whether a thread waits, so that it may have closed a circle by its last step.
    pub(crate) fn may_close_circle(&self, thread: usize) -> bool {
        if thread >= self.threads.len() || !self.is_alive(thread) {
            return false;
        }
        match self.status(thread) {
            Status::Park | Status::Class => true,
            status if status.enters() => self.owner(self.thread(thread, header::TARGET)).is_some(),
            _ => false,
        }
    }

    /// The thread that has what another one waits for, if nothing else can end the wait.
    fn waits_for_thread(&self, thread: usize) -> Option<usize> {
        let target = self.thread(thread, header::TARGET);
        let holder = match self.status(thread) {
            status if status.enters() => self.owner(target),
            Status::Class => {
                let class = self.thread(thread, header::COUNT);
                let runs = |&other: &usize| {
                    self.is_alive(other) && !self.is_being_initialised(class, other)
                };
                let waits = self.is_being_initialised(class, thread);
                (0..self.threads.len()).filter(|_| waits).find(runs)
            }
            Status::Park if !self.has_permit(thread) => self.owner_of_wanted_lock(thread),
            _ => None,
        };
        holder.filter(|&holder| holder != thread && self.is_alive(holder))
    }

    /// The thread that has the lock of the library that a thread is parked for in `lock()`.
    fn owner_of_wanted_lock(&self, thread: usize) -> Option<usize> {
        let calls = self.calls(thread);
        let library = calls.iter().rev().take_while(|call| !call.is_program());
        let locks = |call: &&Call| {
            &*call.method.name == "lock"
                && call.method.class.name.starts_with("java/util/concurrent/locks/Reentrant")
        };
        library.into_iter().find(locks)?;
        let object = self.thread(thread, header::OBJECT);
        let field = self.field_of(object, "parkBlocker").ok()?;
        let blocker = self.get(object, field.slot);
        let owner = if blocker == 0 { 0 } else { self.lock_owner(blocker) };
        if owner == 0 { None } else { self.thread_of(owner) }
    }

    /// The circle of threads that wait for each other through one of them, beginning with it.
    pub(crate) fn lock_circle(&self, thread: usize) -> Option<Vec<usize>> {
        if thread >= self.threads.len() || !self.is_alive(thread) {
            return None;
        }
        let mut circle = vec![thread];
        let mut at = self.waits_for_thread(thread)?;
        while at != thread {
            if circle.contains(&at) {
                return None;
            }
            circle.push(at);
            at = self.waits_for_thread(at)?;
        }
        Some(circle)
    }

    fn somebody_can_move(&self) -> bool {
        (0..self.threads.len()).any(|thread| self.alternatives(thread).is_ok_and(|count| count > 0))
    }
}

impl Program {
    /// Whether some thread of a state waits to be notified, and not for the end of another one.
    pub fn waits_for_notification(&self, state: &[u32]) -> bool {
        let ask = |worker: &mut Worker| {
            (0..worker.threads.len()).any(|thread| {
                worker.is_alive(thread)
                    && !worker.is_daemon(thread)
                    && worker.status(thread) == Status::Wait
                    && worker.thread_of(worker.thread(thread, header::TARGET)).is_none()
            })
        };
        self.with_state(state, ask).unwrap_or(false)
    }

    /// The circle that a thread has closed by its last step while others can go on.
    pub(crate) fn partial_deadlock(&self, worker: &Worker, thread: usize) -> Option<Fault> {
        let circle = worker.lock_circle(thread)?;
        if worker.exit.is_some() || !worker.somebody_can_move() {
            return None;
        }
        let place = |&thread: &usize| worker.standing(thread);
        let mut places: Vec<(u32, u32)> = circle.iter().map(place).collect();
        places.sort_unstable();
        let text = |&(method, pc): &(u32, u32)| frame_text(self.vm.registry.method_of(method), pc);
        let texts: Vec<String> = places.iter().map(text).collect();
        Some(self.names.fault_of(format!("circle {texts:?}"), || {
            let (method, pc) = places[0];
            FaultInfo {
                code: "EP0117",
                kind: "partial deadlock",
                message: format!("{} threads wait for each other while others go on", circle.len()),
                span: self.names.span(&self.sources, self.vm.registry.method_of(method), pc),
                parts: Vec::new(),
                stack: Vec::new(),
                exception: None,
            }
        }))
    }

    /// The circle in the state that a run leads to.
    pub(crate) fn circle_of_run(
        &self,
        state: &[u32],
        actions: &[Action],
    ) -> Option<(Fault, FaultInfo)> {
        let mut worker = self.new_worker().ok()?;
        let last = self.after(&mut worker, state, actions)?;
        worker.load(&last);
        let thread = actions.last()?.process as usize;
        let fault = self.partial_deadlock(&worker, thread)?;
        let circle = worker.lock_circle(thread)?;
        let names: Vec<String> = circle.iter().map(|&one| worker.thread_name(one)).collect();
        let others = (0..worker.threads.len())
            .filter(|&other| worker.alternatives(other).is_ok_and(|count| count > 0))
            .map(|other| worker.thread_name(other));
        let others: Vec<String> = others.collect();
        let message = format!(
            "partial deadlock: {} wait for each other for ever, while {} can go on",
            names.join(" and "),
            others.join(" and ")
        );
        Some((fault, FaultInfo { message, ..self.names.fault(fault) }))
    }
}
