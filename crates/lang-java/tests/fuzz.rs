//! Damaged class files: bytes of compiled programs are changed at random, and what comes of it is loaded,
//! linked and searched for a moment. An error is fine; a panic, a hang or a crash is not.
//!
//! `EVERYPATH_FUZZ_SECONDS` sets how long this goes on, `EVERYPATH_FUZZ_SEED` where it begins.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use everypath_lang_java::{Jdk, Options, Program, class_name, has_main};
use support::{Tools, once, scratch, sources, tests};

/// How long the test goes on by itself.
const SECONDS: u64 = 20;

/// Files that one process damages: it keeps the classes that it has loaded.
const BATCH: u64 = 40;

/// How long a process may take for them.
const LONGEST: Duration = Duration::from_secs(300);

/// Instructions in one step, and states, that a damaged program is followed for.
const BUDGET: u64 = 200_000;
const STATES: usize = 100;

/// Random numbers that are the same everywhere.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }
}

/// Where the entries of the constant pool begin, and where it ends.
fn pool(bytes: &[u8]) -> Option<(Vec<usize>, usize)> {
    let u16_at =
        |at: usize| Some(usize::from(*bytes.get(at)?) << 8 | usize::from(*bytes.get(at + 1)?));
    let count = u16_at(8)?;
    let (mut at, mut index) = (10, 1);
    let mut starts = Vec::new();
    while index < count {
        starts.push(at);
        let length = match *bytes.get(at)? {
            1 => 2 + u16_at(at + 1)?,
            7 | 8 | 16 | 19 | 20 => 2,
            15 => 3,
            5 | 6 => {
                index += 1;
                8
            }
            _ => 4,
        };
        at += 1 + length;
        index += 1;
    }
    Some((starts, at))
}

/// Changes a class file in one of several ways.
fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let length = bytes.len();
    if length < 12 {
        return;
    }
    match dice.below(8) {
        0 => bytes.truncate(dice.below(length)),
        1 => {
            let at = dice.below(length);
            bytes[at] ^= 1 << dice.below(8);
        }
        2 => {
            let at = dice.below(length);
            bytes[at] = dice.next() as u8;
        }
        // An index of an entry of the pool, or its kind.
        3 => {
            if let Some((starts, _)) = pool(bytes)
                && !starts.is_empty()
            {
                let at = starts[dice.below(starts.len())] + dice.below(5);
                if at < length {
                    bytes[at] = dice.below(starts.len()) as u8;
                }
            }
        }
        // Two entries of the pool change their places, as far as their lengths allow.
        4 => {
            if let Some((starts, _)) = pool(bytes)
                && !starts.is_empty()
            {
                let (a, b) = (starts[dice.below(starts.len())], starts[dice.below(starts.len())]);
                let lengths = |at: usize| if matches!(bytes[at], 7 | 8 | 16) { 3 } else { 5 };
                for offset in 0..lengths(a).min(lengths(b)) {
                    if a + offset < length && b + offset < length {
                        bytes.swap(a + offset, b + offset);
                    }
                }
            }
        }
        // Behind the pool are mostly code and the numbers that describe it.
        5 | 6 => {
            if let Some((_, end)) = pool(bytes) {
                let at = end + dice.below(length.saturating_sub(end));
                if at < length {
                    bytes[at] = match dice.below(3) {
                        0 => dice.next() as u8,
                        1 => dice.below(203) as u8,
                        _ => bytes[at].wrapping_add(1),
                    };
                }
            }
        }
        _ => {
            let (from, to) = (dice.below(length), dice.below(length));
            let count = 1 + dice.below(8);
            if from + count <= length && to + count <= length {
                bytes.copy_within(from..from + count, to);
            }
        }
    }
}

fn compiled() -> Option<PathBuf> {
    let tools = Tools::find()?;
    let wanted = ["language", "bytecode", "exceptions", "reflection"];
    let programs: Vec<PathBuf> =
        wanted.iter().flat_map(|name| sources(&tests().join("programs").join(name))).collect();
    let classes = scratch("fuzz");
    once(&classes, &programs, || tools.compile(&programs, &classes, &[]));
    Some(classes)
}

/// The class files, in an order that is always the same.
fn files(classes: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(classes)
        .expect("classes")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "class"))
        .collect();
    files.sort();
    files
}

/// Damages one file and follows the program that it belongs to.
fn attempt(classes: &Path, files: &[PathBuf], place: &Path, seed: u64) {
    let mut dice = Dice(seed);
    let file = &files[dice.below(files.len())];
    let mut bytes = std::fs::read(file).expect("class file");
    for _ in 0..1 + dice.below(4) {
        damage(&mut bytes, &mut dice);
    }
    let _ = (class_name(bytes.clone()), has_main(bytes.clone()));
    let name = file.file_name().expect("name");
    std::fs::write(place.join(name), bytes).expect("damaged file");
    // The class itself, or the one around it.
    let stem = file.file_stem().expect("name").to_string_lossy().into_owned();
    let main = stem.split('$').next().unwrap_or(&stem).to_owned();
    let path = vec![place.to_path_buf(), classes.to_path_buf()];
    let options = Options { budget: BUDGET, ..Options::new(path, main) };
    if let Ok(program) = Program::load(&Jdk::find().expect("a JDK"), &options) {
        let _ = program.outcomes(STATES);
    }
    std::fs::remove_file(place.join(name)).expect("damaged file");
}

/// Runs in a process of its own.
#[test]
#[ignore = "a part of damaged_class_files_do_no_harm"]
fn one_batch() {
    let Ok(first) = std::env::var("EVERYPATH_FUZZ_BATCH") else { return };
    let first: u64 = first.parse().expect("a number");
    let Some(classes) = compiled() else { return };
    let files = files(&classes);
    let place = scratch(&format!("fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("directory");
    for seed in first..first + BATCH {
        eprintln!("seed {seed}");
        attempt(&classes, &files, &place, seed);
    }
    std::fs::remove_dir_all(&place).expect("directory");
}

#[test]
fn damaged_class_files_do_no_harm() {
    if compiled().is_none() {
        return;
    }
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let seconds = number("EVERYPATH_FUZZ_SECONDS", SECONDS);
    let mut first = number("EVERYPATH_FUZZ_SEED", 1) * 1_000_000;
    let begin = Instant::now();
    let mut wrong = Vec::new();
    let mut done = 0;
    while begin.elapsed() < Duration::from_secs(seconds) && wrong.len() < 5 {
        let started = Instant::now();
        let log = scratch(&format!("fuzz-{first}.log"));
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["one_batch", "--exact", "--ignored", "--nocapture"])
            .env("EVERYPATH_FUZZ_BATCH", first.to_string())
            .env("RUST_BACKTRACE", "0")
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&log).expect("log"))
            .spawn()
            .expect("a batch");
        let status = loop {
            match child.try_wait().expect("a batch") {
                Some(status) => break Some(status),
                None if started.elapsed() > LONGEST => {
                    child.kill().expect("a batch");
                    child.wait().expect("a batch");
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        let text = std::fs::read_to_string(&log).expect("log");
        let _ = std::fs::remove_file(&log);
        if !status.is_some_and(|status| status.success()) {
            let last: Vec<&str> = text.lines().rev().take(6).collect();
            let last: Vec<&str> = last.into_iter().rev().collect();
            wrong.push(format!("batch {first}: {status:?}\n{}", last.join("\n")));
        }
        first += BATCH;
        done += BATCH;
    }
    eprintln!("{done} damaged files in {:.0} s", begin.elapsed().as_secs_f64());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
