//! Where threads stand and what they wait for.

use crate::vm::{Status, Worker, header};

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
        name.and_then(|name| self.text_of(name)).unwrap_or_else(|_| format!("thread {thread}"))
    }

    /// What a thread waits for.
    pub(crate) fn waits_for(&self, thread: usize) -> String {
        let target = self.thread(thread, header::TARGET);
        let object = || self.object_name(target);
        match self.status(thread) {
            Status::Enter | Status::Notified => match self.owner(target) {
                Some(owner) => {
                    format!(
                        "needs the monitor of {}, which {} has",
                        object(),
                        self.thread_name(owner)
                    )
                }
                None => format!("needs the monitor of {}", object()),
            },
            Status::Wait | Status::TimedWait => {
                format!("waits to be notified through {}", object())
            }
            Status::Park | Status::TimedPark => "is parked and has no permit".to_owned(),
            Status::Class => {
                let class = self.vm.registry.class_of(self.thread(thread, header::COUNT));
                format!("waits until another thread has initialised {}", class.get_name())
            }
            _ => "can move".to_owned(),
        }
    }
}
