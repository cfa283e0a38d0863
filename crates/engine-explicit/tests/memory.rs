//! The ledger against what the allocator sees. A program without the test harness, whose thread would
//! allocate as well.

// Its allocator counts.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use everypath_engine_explicit::{Ledger, Limits, Options, Order, Stopped, Vectors, search};
use everypath_model::{Action, ComponentMask, End, ModelError, Successors, TransitionSystem};

struct Counting;

static USED: AtomicU64 = AtomicU64::new(0);
static PEAK: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = USED.fetch_add(layout.size() as u64, Ordering::Relaxed) + layout.size() as u64;
        PEAK.fetch_max(used, Ordering::Relaxed);
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs `work` and returns its result with the bytes it kept and the most it had.
fn measured<T>(work: impl FnOnce() -> T) -> (T, u64, u64) {
    let before = USED.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = work();
    (result, USED.load(Ordering::Relaxed) - before, PEAK.load(Ordering::Relaxed) - before)
}

/// Pairs of numbers below a bound, one step adds to one of them.
struct Grid(u32);

impl TransitionSystem for Grid {
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, _: &mut (), out: &mut Successors) -> Result<(), ModelError> {
        out.push(&[0, 0], ComponentMask::ALL, &[]);
        Ok(())
    }

    fn successors(
        &self,
        _: &mut (),
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        for i in 0..2 {
            let mut target = [state[0], state[1]];
            target[i] = (target[i] + 1) % self.0;
            let action = Action { process: i as u32, transition: 0 };
            out.push(&target, ComponentMask(1 << i), &[action]);
        }
        Ok(())
    }

    fn end(&self, _: &mut (), _: &[u32]) -> End {
        End::Deadlock
    }

    fn components(&self, _: &[u32], ends: &mut Vec<u32>) {
        ends.extend([1, 2]);
    }
}

fn main() {
    // A test runner asks for the list of tests first.
    if std::env::args().any(|arg| arg == "--list") {
        if !std::env::args().any(|arg| arg == "--ignored") {
            println!("every_byte_is_in_the_account: test");
        }
        return;
    }
    for count in [100, 1000, 10_000, 100_000, 1_000_000] {
        let ((store, ledger), kept, most) = measured(|| {
            let ledger = Ledger::new(None);
            let mut store = Vectors::new(0);
            for n in 0..count {
                assert!(store.insert(&[n, n ^ 5, 1][..2 + n as usize % 2], &ledger).is_ok());
            }
            (store, ledger)
        });
        assert_eq!(store.table_bytes() + store.arena_bytes(), kept, "{count} vectors");
        assert_eq!(ledger.used(), kept);
        assert_eq!(ledger.peak(), most);
    }
    // A search has a few buffers that do not grow with the number of states.
    let buffers = 200_000;
    for order in [Order::Breadth, Order::Depth] {
        for memory in [None, Some(3_000_000)] {
            let limits = Limits { memory, ..Limits::default() };
            let options = Options { order, limits, ..Options::default() };
            let (outcome, _, most) = measured(|| search(&Grid(800), &options, &mut ()));
            let stopped = if memory.is_some() { Stopped::MemoryLimit } else { Stopped::Finished };
            assert_eq!(outcome.stopped, stopped);
            let peak = outcome.stats.bytes.peak;
            // Tables are mapped, which the allocator does not see: the last one, and while it is
            // filled the one before it.
            let tables = 2 * outcome.stats.bytes.table;
            assert!(
                peak <= most + tables && most <= peak + buffers,
                "{order:?}: {peak} said, {most} taken"
            );
            assert!(memory.is_none_or(|limit| peak <= limit));
        }
    }
}
