//! How the threads of a search share something that is replaced as a whole now and then.
//!
//! Each thread holds its own gate while it works, so that reading costs no shared line. Who wants to
//! replace the thing closes all gates, which every thread opens between two batches.

use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use crate::stores::store::Full;

/// A shared thing, seen through one gate a thread.
pub(crate) struct Gates<T> {
    gates: Box<[Gate<T>]>,
    replacing: Mutex<()>,
}

/// Each has a line of its own.
#[repr(align(128))]
struct Gate<T>(RwLock<Arc<T>>);

/// A thread's hold of the thing.
pub(crate) type Pass<'g, T> = RwLockReadGuard<'g, Arc<T>>;

impl<T> Gates<T> {
    /// Gates for so many threads.
    pub fn new(threads: usize, first: T) -> Gates<T> {
        let first = Arc::new(first);
        Gates {
            gates: (0..threads.max(1)).map(|_| Gate(RwLock::new(first.clone()))).collect(),
            replacing: Mutex::new(()),
        }
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.gates.len()
    }

    /// Takes hold of the thing for a thread.
    pub fn enter(&self, thread: usize) -> Pass<'_, T> {
        self.gates[thread].0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until nobody holds the thing and replaces it by what `next` makes of it, if anything.
    /// The caller must not hold it either.
    pub fn replace(&self, next: impl FnOnce(&T) -> Result<Option<T>, Full>) -> Result<(), Full> {
        let _one = self.replacing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut gates: Vec<_> = self
            .gates
            .iter()
            .map(|gate| gate.0.write().unwrap_or_else(PoisonError::into_inner))
            .collect();
        if let Some(next) = next(&gates[0])? {
            let next = Arc::new(next);
            for gate in &mut gates {
                **gate = next.clone();
            }
        }
        Ok(())
    }
}
