//! What the memory of this machine can do: random cache lines a second.

use memmap2::MmapOptions;

use crate::clock::seconds;

/// Bytes that are read from: much more than any cache.
const BYTES: usize = 1 << 30;
const LINE: usize = 64;
/// Reads under way at once: each of so many chains picks its next line without waiting.
const LANES: usize = 16;
const READS: usize = 40_000_000;

/// Millions of random lines a second with one thread and with two.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Limit {
    /// One thread.
    pub one: f64,
    /// Two threads, together.
    pub two: f64,
}

/// Measures it; best of three.
pub fn measure() -> Result<Limit, String> {
    let mut map = MmapOptions::new().len(BYTES).map_anon().map_err(|e| e.to_string())?;
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    // Every page has to be there, with something in it.
    for (index, line) in map.chunks_exact_mut(LINE).enumerate() {
        line[..8].copy_from_slice(&(index as u64).to_ne_bytes());
    }
    let memory = &map[..];
    let rate =
        |threads: u64| (0..3).map(|_| reads_a_second(memory, threads)).fold(0.0, f64::max) / 1e6;
    Ok(Limit { one: rate(1), two: rate(2) })
}

/// Each thread by the time that it ran itself, so that other jobs of the machine matter less.
fn reads_a_second(memory: &[u8], threads: u64) -> f64 {
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let start = seconds();
                    std::hint::black_box(read(memory, thread));
                    READS as f64 / (seconds() - start)
                })
            })
            .collect();
        all.into_iter().map(|thread| thread.join().unwrap_or(0.0)).sum()
    })
}

/// Which line comes next does not depend on what was read, so that the processor can go ahead.
fn read(memory: &[u8], seed: u64) -> u64 {
    let mut next: [u64; LANES] =
        std::array::from_fn(|lane| (seed * LANES as u64 + lane as u64 + 1) * 0x9e37_79b9_7f4a_7c15);
    let mut sum = 0;
    for _ in 0..READS / LANES {
        for state in &mut next {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(LANES as u64 | 1);
            let line = (*state >> 40) as usize % (BYTES / LINE);
            let at = line * LINE;
            sum += u64::from(memory[at]);
        }
    }
    sum
}
