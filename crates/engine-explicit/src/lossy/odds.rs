//! How many states a lossy store omits, before it is filled, and what would omit fewer.
//!
//! All numbers are expectations over the choice of the hash. They count states that are taken for
//! known ones; what only these lead to comes on top.

use crate::lossy::compact::cells;

/// Most bits a state of a bitstate table.
const MOST_FUNCTIONS: u32 = 64;
/// Part of a table of cells that may be in use.
const ROOM: f64 = 1.02;

/// A lossy store that would do better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Bits a state.
    Bitstate(u32),
    /// Bits of a cell.
    Compact(u32),
}

/// What to do next, for as many states as there seem to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// States that there seem to be.
    pub states: f64,
    /// The best store in the same memory.
    pub choice: Choice,
    /// The probability that it omits any state.
    pub probability: f64,
    /// The memory with which that is at most one in a hundred.
    pub bytes: u64,
    /// The best store in that memory.
    pub enough: Choice,
}

/// The probability that something was omitted if so many omissions are expected.
pub fn any(expected: f64) -> f64 {
    -(-expected).exp_m1()
}

/// Expected omissions when `states` states are put into a table of `bits` bits, `functions` each.
pub fn bitstate_omissions(bits: f64, functions: u32, states: f64) -> f64 {
    let k = f64::from(functions);
    let error = |stored: f64| (-(-k * stored / bits).exp_m1()).powi(functions as i32);
    // Simpson's rule: the error grows smoothly.
    let panels = 512;
    let width = states / f64::from(panels);
    let inner: f64 =
        (1..panels).map(|i| if i % 2 == 1 { 4.0 } else { 2.0 } * error(f64::from(i) * width)).sum();
    (error(0.0) + inner + error(states)) * width / 3.0
}

/// Expected omissions when `states` states are put into `cells` cells of `bits` bits, probed one by
/// one. Without end if they do not fit.
pub fn compaction_omissions(cells: f64, bits: u32, states: f64) -> f64 {
    let load = states / cells;
    if load >= 1.0 {
        return f64::INFINITY;
    }
    cells / (2f64.powi(bits as i32) - 1.0) * (-(-load).ln_1p() - load)
}

/// The number of bits a state with which a table omits least.
pub fn best_functions(bits: f64, states: f64) -> u32 {
    let omitted = |k: u32| bitstate_omissions(bits, k, states);
    // What is best for the last state is near what is best for all, and there is one valley only.
    let guess =
        (bits / states * std::f64::consts::LN_2).clamp(1.0, f64::from(MOST_FUNCTIONS)) as u32;
    let (mut best, mut least) = (guess, omitted(guess));
    for up in [true, false] {
        loop {
            let next = if up { best + 1 } else { best - 1 };
            let fewer = if (1..=MOST_FUNCTIONS).contains(&next) { omitted(next) } else { f64::MAX };
            if fewer >= least {
                break;
            }
            (best, least) = (next, fewer);
        }
    }
    best
}

/// The widest cells of which there are enough; `None` if even the narrowest are too few.
pub fn best_cell(bytes: u64, states: f64) -> Option<u32> {
    (4..=64).rev().find(|&bits| cells(bytes, bits) as f64 >= ROOM * states)
}

/// The best store in so many bytes, with the probability that it omits any of so many states.
pub fn best(bytes: u64, states: f64) -> (Choice, f64) {
    let bits = bytes as f64 * 8.0;
    let functions = best_functions(bits, states);
    let bitstate = any(bitstate_omissions(bits, functions, states));
    match best_cell(bytes, states) {
        Some(cell) => {
            let compact = any(compaction_omissions(cells(bytes, cell) as f64, cell, states));
            match compact < bitstate {
                true => (Choice::Compact(cell), compact),
                false => (Choice::Bitstate(functions), bitstate),
            }
        }
        None => (Choice::Bitstate(functions), bitstate),
    }
}

/// What to do after a run with `bytes` of table that found `states` states and seems to have
/// omitted `omitted` more.
pub fn advise(bytes: u64, states: u64, omitted: f64) -> Advice {
    let found = (states as f64 + omitted.min(1e15)).max(1.0);
    // A little more, since the number is a guess.
    let planned = found * 1.03;
    let (choice, probability) = best(bytes, planned);
    let mut enough = bytes.max(64);
    while best(enough, planned).1 > 0.01 && enough < 1 << 60 {
        enough *= 2;
    }
    let (mut low, mut high) = (enough / 2, enough);
    for _ in 0..6 {
        let middle = low.midpoint(high);
        if best(middle, planned).1 > 0.01 { low = middle } else { high = middle }
    }
    let bytes = if probability <= 0.01 { bytes } else { high };
    let (enough, _) = best(bytes, planned);
    Advice { states: found, choice, probability, bytes, enough }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: f64 = 8.0 * 1024.0 * 1024.0;

    fn near(value: f64, expected: f64, part: f64) {
        assert!((value - expected).abs() <= expected * part, "{value} instead of {expected}");
    }

    #[test]
    fn p1_a_gibibyte_and_300_million_states() {
        near(bitstate_omissions(1024.0 * MB, 21, 3e8), 20.7, 0.01);
    }

    #[test]
    fn p2_p3_more_memory_and_more_functions() {
        near(any(bitstate_omissions(1750.0 * MB, 21, 3e8)), 0.0042, 0.03);
        near(any(bitstate_omissions(1750.0 * MB, 35, 3e8)), 0.00073, 0.03);
    }

    #[test]
    fn the_best_number_of_functions_is_found_without_trying_all() {
        for bits_a_state in [0.01, 0.5, 1.0, 2.0, 3.7, 5.0, 8.0, 11.0, 16.0, 30.0, 64.0, 100.0, 5e3]
        {
            for states in [1.0, 30.0, 1e5, 3e8] {
                let bits = bits_a_state * states;
                let omitted = |k: u32| bitstate_omissions(bits, k, states);
                let least = (1..=MOST_FUNCTIONS).map(omitted).fold(f64::MAX, f64::min);
                let found = omitted(best_functions(bits, states));
                assert!(found <= least * 1.000_001, "{bits} {states}: {found}, {least}");
            }
        }
    }

    #[test]
    fn p4_capacity_of_cells() {
        assert_eq!(cells(400 << 20, 32), 104_857_600);
    }

    #[test]
    fn p5_the_shape_over_sizes() {
        let bits = 400.0 * MB;
        near(bitstate_omissions(bits, 24, 1e8), 0.56, 0.02);
        near(any(bitstate_omissions(bits, 24, 1e8)), 0.43, 0.02);
        near(bitstate_omissions(bits, 3, 1e8), 16_064.0, 0.001);
        let cells = 104_857_600.0;
        near(any(compaction_omissions(cells, 32, 1e8)), 0.050, 0.02);
        near(any(compaction_omissions(cells, 32, 5e7)), 0.0042, 0.02);
        near(bitstate_omissions(bits, 24, 5e7), 7e-7, 0.1);
        near(bitstate_omissions(bits, 24, 2e8) / 2e8, 0.00011, 0.05);
        near(bitstate_omissions(bits, 3, 2e8) / 2e8, 0.00116, 0.01);
        assert_eq!(compaction_omissions(cells, 32, 2e8), f64::INFINITY);
        assert_eq!(any(f64::INFINITY), 1.0);
        // Cells win where they are almost full, bits where the table is half empty.
        assert!(matches!(best(400 << 20, 1e8).0, Choice::Compact(32)));
        let half = any(compaction_omissions(cells, 32, 5e7));
        assert!(any(bitstate_omissions(bits, 24, 5e7)) < half);
    }

    #[test]
    fn p6_long_cells_almost_never_err() {
        near(any(compaction_omissions(400.0 * MB / 64.0, 64, 5.2e7)), 1e-11, 0.3);
    }

    #[test]
    fn p7_zero_for_free_is_worth_a_bit() {
        let flagged = any(compaction_omissions(1e8, 31, 9e7));
        let reserved = any(compaction_omissions(1e8, 32, 9e7));
        near(reserved / flagged, 0.5, 0.02);
    }

    #[test]
    fn best_functions_are_a_little_more_than_for_the_last_state() {
        let expected = [(8.0, 7), (10.0, 8), (16.0, 12), (24.0, 18), (28.6, 21), (33.6, 25)];
        for (bits, functions) in expected {
            assert_eq!(best_functions(bits * 1e6, 1e6), functions, "{bits} bits a state");
        }
        assert_eq!(best_functions(1e3, 1e6), 1);
    }

    #[test]
    fn advice_keeps_what_it_promises() {
        for (bytes, states) in [(1 << 20, 1000), (1 << 20, 1_000_000), (1 << 20, 20_000_000)] {
            let advice = advise(bytes, states, states as f64 / 100.0);
            near(advice.states, states as f64 * 1.01, 1e-9);
            let (choice, probability) = best(advice.bytes, advice.states * 1.03);
            assert!(probability <= 0.01 && choice == advice.enough, "{advice:?}");
            assert!(advice.bytes >= bytes);
            if advice.probability > 0.01 {
                assert!(best(advice.bytes * 9 / 10, advice.states * 1.03).1 > 0.01);
            }
        }
        assert_eq!(best_cell(1 << 20, 1e9), None);
        assert_eq!(best_cell(1 << 20, 100.0), Some(64));
    }
}
