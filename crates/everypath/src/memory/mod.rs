//! How much memory there is, and how much was used.

mod guard;
mod refusal;

use std::fs;

pub use guard::{ended_it, guarded};
pub use refusal::{Allocator, prepare};

/// Three quarters of the memory that this process may use; `None` if nobody can tell.
pub fn default_limit() -> Option<u64> {
    let total = machine().into_iter().chain(group()).chain(addresses()).min()?;
    Some(total / 4 * 3)
}

/// The memory of the machine.
pub fn machine() -> Option<u64> {
    kibibytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// What the group of this process may use: inside a container, that is the memory that there is.
pub fn group() -> Option<u64> {
    fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse().ok()
}

/// How many addresses this process may have, if that is limited (`ulimit -v`).
fn addresses() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The memory that this process has now.
pub fn now() -> Option<u64> {
    kibibytes(&fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// The most memory this process had at one time.
pub fn peak() -> Option<u64> {
    kibibytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_found() {
        let text = "Name: x\nVmHWM:\t    2048 kB\n";
        assert_eq!(kibibytes(text, "VmHWM:"), Some(2048 * 1024));
        assert_eq!(kibibytes(text, "VmRSS:"), None);
    }
}
