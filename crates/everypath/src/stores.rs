//! `--store`: its values, and what is said about stores.

use everypath_engine_explicit::odds::{self, Choice};
use everypath_engine_explicit::{Loss, Sequence, Storage};
use everypath_model::most_similar;
use everypath_render::units;

use crate::checking::Checking;
use crate::choices::HashingArg;

/// Bits a state without a number after `bitstate`: few enough for tables that turn out too small.
const FUNCTIONS: u32 = 4;
/// Bits of a hash without a number after `compact`.
const CELL: u32 = 40;
/// States of which one is kept without a number after `delta`.
const EVERY: u32 = 10;
/// The table of a lossy store if nothing is said about memory.
const TABLE: u64 = 64 << 20;

/// A value of `--store`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreArg {
    /// Components in dictionaries, their numbers in a table.
    Collapse,
    /// Whole vectors.
    Plain,
    /// Trees of pairs.
    Tree,
    /// One state in so many, the others as steps from these.
    Delta(u32),
    /// A hash of so many bits.
    Compact(u32),
    /// So many bits of a table.
    Bitstate(u32),
}

const NAMES: [&str; 6] = ["collapse", "plain", "tree", "delta", "compact", "bitstate"];

/// Reads `plain`, `bitstate` or `bitstate=5`.
pub fn parse_store(text: &str) -> Result<StoreArg, String> {
    let (name, number) = match text.split_once('=') {
        Some((name, number)) => (name, Some(number)),
        None => (text, None),
    };
    let within = |what: &str, default: u32, least: u32, most: u32| match number {
        None => Ok(default),
        Some(number) => match number.parse() {
            Ok(n) if (least..=most).contains(&n) => Ok(n),
            _ => Err(format!("{name}=N: N is {what}, from {least} to {most}")),
        },
    };
    match name {
        "collapse" | "plain" | "tree" if number.is_some() => {
            Err(format!("`{name}` takes no number"))
        }
        "collapse" => Ok(StoreArg::Collapse),
        "plain" => Ok(StoreArg::Plain),
        "tree" => Ok(StoreArg::Tree),
        "delta" => within("the states of which one is kept", EVERY, 1, 64).map(StoreArg::Delta),
        "compact" => within("the bits of a hash", CELL, 4, 64).map(StoreArg::Compact),
        "bitstate" => within("the bits a state sets", FUNCTIONS, 1, 64).map(StoreArg::Bitstate),
        _ => {
            let near = match most_similar(name, NAMES.iter().copied()) {
                Some(near) => format!("did you mean `{near}`? "),
                None => String::new(),
            };
            Err(format!("{near}there are: {}", NAMES.join(", ")))
        }
    }
}

impl StoreArg {
    /// The store with everything it needs: `table` and `memory` are what the user said.
    pub fn resolve(
        self,
        table: Option<u64>,
        memory: Option<u64>,
        hashing: HashingArg,
        seed: u64,
    ) -> Storage {
        let bytes = table.or(memory.map(|memory| memory / 2)).unwrap_or(TABLE);
        let sequence = match hashing {
            HashingArg::Paired => Sequence::Paired,
            HashingArg::Double => Sequence::Double,
            HashingArg::Enhanced => Sequence::Enhanced,
            HashingArg::Triple => Sequence::Triple,
        };
        match self {
            StoreArg::Collapse => Storage::Collapse,
            StoreArg::Plain => Storage::Plain,
            StoreArg::Tree => Storage::Tree,
            StoreArg::Delta(every) => Storage::Delta { every },
            StoreArg::Compact(bits) => Storage::Compact { bits, bytes, seed },
            StoreArg::Bitstate(functions) => Storage::Bitstate { functions, sequence, bytes, seed },
        }
    }
}

/// The value of `--store` that asks for a store.
pub fn name(store: Storage) -> String {
    match store {
        Storage::Collapse => "collapse".to_owned(),
        Storage::Plain => "plain".to_owned(),
        Storage::Tree => "tree".to_owned(),
        Storage::Delta { every } => format!("delta={every}"),
        Storage::Compact { bits, .. } => format!("compact={bits}"),
        Storage::Bitstate { functions, .. } => format!("bitstate={functions}"),
    }
}

/// The seed of a store that has one.
pub fn seed(store: Storage) -> Option<u64> {
    match store {
        Storage::Compact { seed, .. } | Storage::Bitstate { seed, .. } => Some(seed),
        _ => None,
    }
}

/// A lossy store in a scope line.
pub fn describe(store: Storage) -> String {
    match store {
        Storage::Compact { bits, .. } => format!("hashes of {bits} bits instead of states"),
        Storage::Bitstate { functions, .. } => {
            format!("bitstate hash with {functions} bits a state")
        }
        _ => "exact hash".to_owned(),
    }
}

/// What a lossy store probably lost, and what would lose less; of a search that was `cut`, only of what it met.
pub fn estimate(
    checking: &Checking,
    loss: Loss,
    (states, transitions): (u64, u64),
    cut: bool,
) -> everypath_verdict::Loss {
    let table_bytes = match checking.store {
        Storage::Compact { bytes, .. } | Storage::Bitstate { bytes, .. } => bytes,
        _ => 0,
    };
    let probability = odds::any(loss.omitted);
    let mut advice = Vec::new();
    let ways = transitions as f64 / states.max(1) as f64;
    if loss.omitted >= 0.05 && ways < 2.0 {
        advice.push(format!(
            "reliability: low, a state has {ways:.1} ways in: what only an omitted state leads to \
             is lost as well"
        ));
    }
    if probability > 0.001 {
        advice.push(better(table_bytes, states, loss.omitted, (checking.store, cut)));
    }
    advice.push("confidence: another --seed omits other states".to_owned());
    everypath_verdict::Loss {
        omitted: loss.omitted,
        probability,
        coverage: (!cut).then(|| states as f64 / (states as f64 + loss.omitted).max(1.0)),
        table_bytes,
        fill: loss.fill,
        advice,
    }
}

/// The store and the memory that would do better.
fn better(bytes: u64, states: u64, omitted: f64, (store, cut): (Storage, bool)) -> String {
    let advice = odds::advise(bytes, states, omitted);
    let value = |choice| match choice {
        Choice::Bitstate(functions) => format!("bitstate={functions}"),
        Choice::Compact(bits) => format!("compact={bits}"),
    };
    let mut ways = Vec::new();
    if value(advice.choice) != name(store) {
        let gain = match advice.probability {
            certain if certain > 0.99 => "fewer are omitted".to_owned(),
            chance => format!("any is omitted with a probability of {}", percent(chance)),
        };
        ways.push(format!("--store {} in the same memory ({gain})", value(advice.choice)));
    }
    if advice.bytes > bytes {
        let table = units::bytes(advice.bytes).replace(' ', "");
        let store = value(advice.enough);
        ways.push(format!("--store {store} --table {table} (less than 1 %)"));
    }
    if ways.is_empty() {
        ways.push("this is the best choice".to_owned());
    }
    let about = units::rough(advice.states.round() as u64);
    let these = match cut {
        true => format!("the {about} states met so far"),
        false => format!("about {about} states"),
    };
    format!("better: for {these} {}", ways.join(", or "))
}

fn percent(probability: f64) -> String {
    match probability * 100.0 {
        percent if percent >= 0.1 => format!("{percent:.1} %"),
        percent => format!("{percent:.0e} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_and_without_a_number() {
        assert_eq!(parse_store("collapse"), Ok(StoreArg::Collapse));
        assert_eq!(parse_store("bitstate"), Ok(StoreArg::Bitstate(4)));
        assert_eq!(parse_store("bitstate=24"), Ok(StoreArg::Bitstate(24)));
        assert_eq!(parse_store("compact"), Ok(StoreArg::Compact(40)));
        assert_eq!(parse_store("compact=4"), Ok(StoreArg::Compact(4)));
        for wrong in ["bitstate=0", "bitstate=65", "bitstate=", "compact=3", "delta=0", "plain=1"] {
            assert!(parse_store(wrong).is_err(), "{wrong}");
        }
        assert!(parse_store("bitsate").unwrap_err().starts_with("did you mean `bitstate`?"));
        assert!(parse_store("zzz").unwrap_err().starts_with("there are: collapse"));
    }

    #[test]
    fn names_can_be_read_again() {
        for text in ["collapse", "plain", "tree", "delta=7", "compact=17", "bitstate=3"] {
            let store = parse_store(text).unwrap();
            let store = store.resolve(None, Some(1 << 20), HashingArg::Triple, 5);
            assert_eq!(name(store), text);
            assert_eq!(seed(store).is_some(), store.is_lossy());
            if let Storage::Bitstate { bytes, .. } | Storage::Compact { bytes, .. } = store {
                assert_eq!(bytes, 1 << 19);
            }
        }
    }

    #[test]
    fn advice_names_a_store_or_memory_that_is_better() {
        let store =
            Storage::Bitstate { functions: 3, sequence: Sequence::Triple, bytes: 1 << 20, seed: 0 };
        let text = better(1 << 20, 1_000_000, 5_000.0, (store, false));
        assert!(text.contains("--store bitstate=7 in") && text.contains("--table "), "{text}");
        let text = better(1 << 20, 300_000, 10.0, (store, true));
        assert!(text.starts_with("better: for the 300,010 states met so far --store "), "{text}");
    }
}
