//! Somebody who looks at something while work goes on.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use everypath_model::spawn;

/// Says that the work is done, also if it gave up.
struct Done<'a>(&'a (Mutex<bool>, Condvar));

impl Drop for Done<'_> {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }
}

/// Does work while somebody looks at something again and again, until he has seen enough; the work is told whether
/// there is a thread for him. Nobody looks behind this.
pub fn beside<T>(
    every: Duration,
    mut enough: impl FnMut() -> bool + Send,
    work: impl FnOnce(bool) -> T,
) -> T {
    let state = (Mutex::new(false), Condvar::new());
    std::thread::scope(|scope| {
        let watch = || {
            let mut done = state.0.lock().unwrap_or_else(PoisonError::into_inner);
            while !*done && !enough() {
                let waited = state.1.wait_timeout(done, every);
                done = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        };
        let watched = spawn(scope, watch).is_some();
        let _done = Done(&state);
        work(watched)
    })
}
