//! Ending an evaluation from outside, in the middle of a step.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use crate::system::ModelError;

/// Why an evaluation was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The time is over.
    Time,
    /// Somebody wants it to end.
    Interrupt,
    /// There is no more memory for it.
    Memory,
}

const ALL: [(Ended, &str); 3] = [
    (Ended::Time, "the time was over in the middle of a step"),
    (Ended::Interrupt, "somebody ended it in the middle of a step"),
    (Ended::Memory, "the memory was full in the middle of a step"),
];

/// What ends the steps of a system before they are done. A search looks at the clock between steps; one step may
/// take longer than there is time.
#[derive(Debug, Default)]
pub struct Brake {
    why: AtomicU8,
    /// How many hold it.
    held: AtomicU32,
    /// Bytes that one step may take; 0 for as many as there are.
    most: AtomicU64,
}

/// As long as it lives, nothing ends the steps of the system.
#[derive(Debug)]
pub struct Held<'a>(&'a Brake);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.held.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Brake {
    /// What was found is shown by steps that nobody ends.
    #[must_use]
    pub fn hold(&self) -> Held<'_> {
        self.held.fetch_add(1, Ordering::Relaxed);
        Held(self)
    }

    /// From now on steps end with [`ModelError::ended`].
    pub fn pull(&self, why: Ended) {
        let number = ALL.iter().position(|(known, _)| *known == why).unwrap_or(0);
        self.why.store(number as u8 + 1, Ordering::Relaxed);
    }

    /// From now on steps go on to their ends.
    pub fn release(&self) {
        self.why.store(0, Ordering::Relaxed);
    }

    /// From now on a step takes no more than so many bytes for itself.
    pub fn limit_memory(&self, bytes: Option<u64>) {
        self.most.store(bytes.map_or(0, |bytes| bytes.max(1)), Ordering::Relaxed);
    }

    /// Whether a step may take so many bytes.
    pub fn allows(&self, bytes: u64) -> bool {
        let most = self.most.load(Ordering::Relaxed);
        most == 0 || bytes <= most || self.held.load(Ordering::Relaxed) > 0
    }

    /// Why steps are to end, if they are.
    #[inline]
    pub fn pulled(&self) -> Option<Ended> {
        let number = self.why.load(Ordering::Relaxed);
        if number == 0 || self.held.load(Ordering::Relaxed) > 0 {
            None
        } else {
            ALL.get(usize::from(number) - 1).map(|(why, _)| *why)
        }
    }
}

/// Whether work that somebody may end is to end.
#[inline]
pub fn pulled(brake: Option<&Arc<Brake>>) -> bool {
    brake.is_some_and(|brake| brake.pulled().is_some())
}

impl ModelError {
    /// The model is not to blame: the evaluation was ended.
    pub fn ended(why: Ended) -> ModelError {
        let text = ALL.iter().find(|(known, _)| *known == why).map_or("", |(_, text)| text);
        ModelError(text.to_owned())
    }

    /// Why the evaluation was ended, if it was.
    pub fn why_ended(&self) -> Option<Ended> {
        ALL.iter().find(|(_, text)| *text == self.0).map(|(why, _)| *why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brake_tells_why() {
        let brake = Brake::default();
        assert_eq!(brake.pulled(), None);
        for (why, _) in ALL {
            brake.pull(why);
            assert_eq!(brake.pulled(), Some(why));
            assert_eq!(ModelError::ended(why).why_ended(), Some(why));
        }
        let held = (brake.hold(), brake.hold());
        assert_eq!(brake.pulled(), None);
        drop(held.0);
        assert_eq!(brake.pulled(), None);
        drop(held.1);
        assert_eq!(brake.pulled(), Some(Ended::Memory));
        brake.release();
        assert_eq!(brake.pulled(), None);
        assert_eq!(ModelError("division by zero".to_owned()).why_ended(), None);
    }
}
