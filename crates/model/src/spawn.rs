//! Threads that the system may refuse.

use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Starts a thread of a scope; `None` if the system gives no more of them. Whoever asks for one goes on without it.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, work).ok()
}

/// The results of some pieces of work, in their order, each on a thread of its own if there are enough.
pub fn in_parallel<T: Send>(pieces: Vec<impl FnOnce() -> T + Send + Copy>) -> Vec<T> {
    std::thread::scope(|scope| {
        let mut pieces = pieces.into_iter();
        let first = pieces.next();
        let others: Vec<_> = pieces.map(|piece| (spawn(scope, piece), piece)).collect();
        let first = first.map(|piece| piece());
        let rest = others.into_iter().map(|(thread, piece)| match thread {
            Some(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            None => piece(),
        });
        first.into_iter().chain(rest).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let pieces = (0..5).map(|i| move || i * i).collect();
        assert_eq!(in_parallel(pieces), [0, 1, 4, 9, 16]);
        assert_eq!(in_parallel::<u32>(Vec::<fn() -> u32>::new()), []);
    }
}
