//! Where threads stand, which locks they hold, and what they wait for.

use everypath_model::{ActionInfo, Blocked, Deed, Need, Obstacle, Provider, Standing};

use super::calls::Call;
use super::paths::{Marks, Paths};
use super::values::simple_name;
use crate::heap::BASE;
use crate::names::Names;
use crate::program::Program;
use crate::vm::{Status, Worker, header};

/// What a thread needs to go on.
enum Wait {
    /// A lock that another thread holds.
    Lock { lock: String, holder: usize },
    /// The end of another thread.
    End { thread: usize },
    /// Something that has no holder, in words.
    Words(String),
}

impl Program {
    /// What each thread of a state waits for.
    pub(super) fn blocked_threads(&self, worker: &Worker, marks: &mut Marks) -> Vec<Blocked> {
        let paths = Paths::of(worker, marks);
        let alive = (0..worker.threads.len()).filter(|&thread| worker.is_alive(thread));
        alive
            .map(|thread| {
                let at = self.place_of(worker, thread);
                let wait = worker.waits_for(&paths, thread);
                let need = |obstacle, other: usize, deed| Need {
                    statement: at.clone(),
                    obstacle,
                    providers: vec![Provider {
                        process: worker.thread_name(other),
                        statement: self.place_of(worker, other),
                        deed,
                        standing: Standing::Ahead,
                    }],
                    closed: true,
                };
                let (why, needs) = match wait {
                    Wait::Lock { lock, holder } => {
                        let name = worker.thread_name(holder);
                        let why = format!("{lock} is held by {name}");
                        let held = Obstacle::Held { lock, holder: name };
                        (why, vec![need(held, holder, Deed::Releases)])
                    }
                    Wait::End { thread } => {
                        let process = worker.thread_name(thread);
                        let why = format!("{process} has not ended");
                        let alive = Obstacle::Alive { process };
                        (why, vec![need(alive, thread, Deed::Ends)])
                    }
                    Wait::Words(words) => (words, Vec::new()),
                };
                Blocked {
                    process: worker.thread_name(thread),
                    at: vec![at.clone()],
                    why,
                    valid_end: worker.is_daemon(thread),
                    needs,
                }
            })
            .collect()
    }

    /// Where a thread stands.
    pub(crate) fn place_of(&self, worker: &Worker, thread: usize) -> ActionInfo {
        self.info(worker.standing(thread))
    }

    pub(crate) fn info(&self, place: (u32, u32)) -> ActionInfo {
        let Program { vm, names, sources, .. } = self;
        Names::info(names, vm, sources, place)
    }
}

impl Worker {
    /// Where a thread stands: the innermost method of the program, and the instruction in it.
    pub(crate) fn standing(&self, thread: usize) -> (u32, u32) {
        let mut content = Vec::new();
        self.heap.read(&self.vm.dictionary, self.threads[thread], &mut content);
        let mut at = header::WORDS as usize;
        let mut found = (0, 0);
        let mut own = false;
        while at + 1 < content.len() {
            let method = self.vm.registry.method_of(content[at]);
            let (pc, depth) = (content[at + 1] >> 16, content[at + 1] & 0xffff);
            let leaves = &*method.class.name == "java/lang/Thread" && &*method.name == "exit";
            if leaves && !own {
                // It does what the library does when a thread ends.
                break;
            }
            if !method.class.library || !own {
                own |= !method.class.library;
                found = (method.id, pc);
            }
            let Ok(code) = method.code() else { break };
            at += 2 + usize::from(code.max_locals) + depth as usize;
        }
        found
    }

    /// The name of a thread.
    pub(crate) fn thread_name(&self, thread: usize) -> String {
        let object = self.thread(thread, header::OBJECT);
        let name = self.field_of(object, "name").map(|field| self.get(object, field.slot));
        let name = name.and_then(|name| self.text_of(name));
        let name = name.unwrap_or_else(|_| format!("thread {thread}"));
        // Threads of one name are told apart by their numbers.
        let same = |&other: &usize| {
            other != thread && self.is_alive(other) && {
                let object = self.thread(other, header::OBJECT);
                let field = self.field_of(object, "name");
                let text = field.and_then(|field| self.text_of(self.get(object, field.slot)));
                text.is_ok_and(|text| text == name)
            }
        };
        match (0..self.threads.len()).find(same) {
            Some(_) => format!("{name} ({thread})"),
            None => name,
        }
    }

    /// The locks that a thread holds: monitors, and locks of the library.
    pub(crate) fn locks_of(&self, thread: usize) -> Vec<u32> {
        let own = self.heap.in_order().into_iter();
        let base = self.heap.deviations.iter().map(|&index| index | BASE);
        let object = self.thread(thread, header::OBJECT);
        own.chain(base)
            .filter(|&lock| {
                self.owner(lock) == Some(thread) || (object != 0 && self.lock_owner(lock) == object)
            })
            .collect()
    }

    /// The thread object that owns a lock of the library, 0 if it is none or nobody does.
    pub(crate) fn lock_owner(&self, lock: u32) -> u32 {
        let class = self.class_of(lock);
        if !class.name.contains("Sync") && class.library {
            return 0;
        }
        let ownable = self.class("java/util/concurrent/locks/AbstractOwnableSynchronizer");
        match ownable {
            Ok(ownable) if class.is_subtype_of(ownable) => {
                let field = ownable.field("exclusiveOwnerThread");
                field.map_or(0, |field| self.get(lock, field.slot))
            }
            _ => 0,
        }
    }

    /// What a lock is called.
    pub(crate) fn lock_name(&self, paths: &Paths, lock: u32) -> String {
        paths.name(self, lock)
    }

    /// What a thread waits for.
    fn waits_for(&self, paths: &Paths, thread: usize) -> Wait {
        let target = self.thread(thread, header::TARGET);
        let name = || paths.name(self, target);
        if self.is_suspended(thread) {
            return Wait::Words("is suspended".to_owned());
        }
        match self.status(thread) {
            status if status.enters() => match self.owner(target) {
                Some(holder) => Wait::Lock { lock: name(), holder },
                None => Wait::Words(format!("needs the lock of {}", name())),
            },
            Status::Wait | Status::TimedWait => {
                let joins = |call: &Call| {
                    &*call.method.class.name == "java/lang/Thread" && &*call.method.name == "join"
                };
                match self.thread_of(target) {
                    Some(other) if self.calls(thread).iter().any(joins) => {
                        Wait::End { thread: other }
                    }
                    _ => Wait::Words(format!("waits to be notified through {}", name())),
                }
            }
            Status::Park | Status::TimedPark => self.parked_for(paths, thread),
            Status::Class => {
                let class = self.vm.registry.class_of(self.thread(thread, header::COUNT));
                let runs = |&other: &usize| {
                    self.is_alive(other) && !self.is_being_initialised(class.id, other)
                };
                match (0..self.threads.len()).find(runs) {
                    Some(holder) if holder != thread => {
                        let lock = format!("the initialisation of {}", simple_name(class));
                        Wait::Lock { lock, holder }
                    }
                    _ => Wait::Words(format!(
                        "waits until another thread has initialised {}",
                        class.get_name()
                    )),
                }
            }
            _ => Wait::Words("can move".to_owned()),
        }
    }

    /// What a parked thread waits for, as far as the library says.
    fn parked_for(&self, paths: &Paths, thread: usize) -> Wait {
        let object = self.thread(thread, header::OBJECT);
        let blocker = self.field_of(object, "parkBlocker");
        let blocker = blocker.map_or(0, |field| self.get(object, field.slot));
        if blocker == 0 {
            return Wait::Words("is parked and has no permit".to_owned());
        }
        if let Some(holder) = self.thread_of(self.lock_owner(blocker)) {
            return Wait::Lock { lock: self.lock_name(paths, blocker), holder };
        }
        let class = self.class_of(blocker);
        // `CountDownLatch$Sync` is the part of a latch that nobody knows.
        let kind = class.get_name();
        let kind = kind.rsplit('.').next().unwrap_or(&kind);
        let kind = kind.split('$').next().unwrap_or(kind);
        Wait::Words(match paths.known(blocker) {
            Some(name) => format!("is parked, waiting for {name} ({kind})"),
            None => format!("is parked, waiting for a {kind}"),
        })
    }
}
