//! How much memory there is, and how much was used.

use std::fs;

/// Three quarters of the memory that this process may use; `None` if nobody can tell.
pub fn default_limit() -> Option<u64> {
    let machine =
        fs::read_to_string("/proc/meminfo").ok().and_then(|text| kibibytes(&text, "MemTotal:"));
    // Inside a container the group's limit is the memory that there is.
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|text| text.trim().parse().ok());
    let total = machine.into_iter().chain(group).min()?;
    Some(total / 4 * 3)
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
