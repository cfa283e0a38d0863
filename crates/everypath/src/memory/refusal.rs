//! What happens when the system gives no more memory.
//!
//! The allocator of the program has something in reserve. When memory is refused for the first time, the reserve is
//! given back and a flag is set: searches see it as a full memory and end with what they have. If that
//! is not enough either, the process ends with a message and the exit code of an inconclusive run.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use everypath_verdict::Exit;

/// Enough to write down what was found.
const RESERVE: usize = 24 << 20;
/// Blocks of this size are given back to the system at once. If left alone, the allocator keeps ever larger ones for
/// each thread: searches had six times the memory that was in use.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 20;

/// The allocator of the program.
pub struct Allocator;

static REFUSED: AtomicBool = AtomicBool::new(false);
static RESERVED: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());

fn layout() -> Layout {
    // Neither is zero, and the alignment is a power of two.
    Layout::from_size_align(RESERVE, 4096).unwrap_or(Layout::new::<u64>())
}

/// Whether the system has refused memory.
pub fn refused() -> bool {
    REFUSED.load(Ordering::Relaxed)
}

/// Sets memory aside, and sees to it that a process that gets none ends as one should.
pub fn prepare() {
    // SAFETY: it may be called at any time.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TRIM_THRESHOLD, LARGE);
    }
    // SAFETY: the layout is not of size zero.
    let reserve = unsafe { System.alloc(layout()) };
    let before = RESERVED.swap(reserve, Ordering::Relaxed);
    give_back(before);
    // SAFETY: the handler only does what a handler may do.
    #[cfg(unix)]
    unsafe {
        let handler = aborted as extern "C" fn(libc::c_int);
        libc::signal(libc::SIGABRT, handler as libc::sighandler_t);
    }
}

/// Sets memory aside again if there is some by now: what was refused to one input need not be refused to the next.
pub fn recover() {
    if !refused() {
        return;
    }
    // SAFETY: the layout is not of size zero.
    let reserve = unsafe { System.alloc(layout()) };
    if !reserve.is_null() {
        give_back(RESERVED.swap(reserve, Ordering::Relaxed));
        REFUSED.store(false, Ordering::Relaxed);
    }
}

/// An allocation that cannot be done without ends with this signal.
#[cfg(unix)]
extern "C" fn aborted(_: libc::c_int) {
    if !refused() {
        // The signal comes once more, and is not handled then.
        // SAFETY: both may be called by a handler.
        unsafe {
            libc::signal(libc::SIGABRT, libc::SIG_DFL);
        }
        return;
    }
    let text = b"error: the system gives no more memory, and what was found could not be kept\n";
    // SAFETY: both may be called by a handler, and the text is as long as is said.
    unsafe {
        libc::write(2, text.as_ptr().cast(), text.len());
        libc::_exit(i32::from(Exit::Inconclusive.code()));
    }
}

fn give_back(reserve: *mut u8) -> bool {
    if reserve.is_null() {
        return false;
    }
    // SAFETY: it was allocated with this layout, and whoever swapped it out is the only one who has it.
    unsafe { System.dealloc(reserve, layout()) };
    true
}

/// Tries once more, with what was in reserve.
#[cold]
fn again(allocate: impl Fn() -> *mut u8) -> *mut u8 {
    REFUSED.store(true, Ordering::Relaxed);
    match give_back(RESERVED.swap(ptr::null_mut(), Ordering::Relaxed)) {
        true => allocate(),
        false => ptr::null_mut(),
    }
}

// SAFETY: everything is left to the allocator of the system, whose promises are kept.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        let got = unsafe { System.alloc(layout) };
        if got.is_null() { again(|| unsafe { System.alloc(layout) }) } else { got }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller.
        let got = unsafe { System.alloc_zeroed(layout) };
        if got.is_null() { again(|| unsafe { System.alloc_zeroed(layout) }) } else { got }
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as promised by the caller; what is refused stays as it was.
        let got = unsafe { System.realloc(pointer, layout, size) };
        if got.is_null() { again(|| unsafe { System.realloc(pointer, layout, size) }) } else { got }
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
}
