//! The oracles of the literature: nested locks with and without gate locks, the states of Eraser.

use everypath_engine_runtime::{lock_cycles, locksets, races, window};
use everypath_model::{Event, Operation};

/// Events as words: `0+A` takes, `0-A` gives back, `0rx` reads, `0wx` writes, `0>1` starts, `0<1` joins,
/// `0!x` publishes, `0?x` observes.
fn run(text: &str) -> Vec<Event> {
    text.split_whitespace()
        .enumerate()
        .map(|(at, word)| {
            let bytes = word.as_bytes();
            let thread = u32::from(bytes[0] - b'0');
            let (what, digit) = (u32::from(bytes[2]), u32::from(bytes[2].wrapping_sub(b'0')));
            let operation = match bytes[1] {
                b'+' => Operation::Acquire(what),
                b'-' => Operation::Release(what),
                b'r' => Operation::Read(what),
                b'w' => Operation::Write(what),
                b'>' => Operation::Start(digit),
                b'<' => Operation::Join(digit),
                b'!' => Operation::Publish(what),
                b'?' => Operation::Observe(what),
                other => panic!("{other}"),
            };
            Event { thread, operation, site: at as u32 }
        })
        .collect()
}

/// Nested locks as `A{B{}}`, for a thread.
fn nested(thread: u32, text: &str) -> String {
    let (mut words, mut open) = (Vec::new(), Vec::new());
    for c in text.chars() {
        match c {
            '{' => {}
            '}' => words.push(format!("{thread}-{}", open.pop().expect("an open lock"))),
            lock => {
                words.push(format!("{thread}+{lock}"));
                open.push(lock);
            }
        }
    }
    words.join(" ")
}

/// The circles of threads that nest locks like this, one after the other, as the locks of each.
fn cycles(threads: &[&str]) -> Vec<String> {
    let starts: Vec<String> = (1..=threads.len()).map(|t| format!("0>{t}")).collect();
    let bodies: Vec<String> =
        threads.iter().enumerate().map(|(i, text)| nested(i as u32 + 1, text)).collect();
    let text = format!("{} {}", starts.join(" "), bodies.join(" "));
    let name = |lock: u32| char::from_u32(lock).expect("a letter");
    let found = lock_cycles(&run(&text));
    found
        .iter()
        .map(|cycle| cycle.edges.iter().map(|edge| name(edge.has)).collect::<String>())
        .collect()
}

#[test]
fn t11_four_locks_give_one_warning() {
    let one = "1{3{2{}4{}}}4{2{3{}}}";
    let two = "1{2{3{}}}4{3{2{}}}";
    assert_eq!(cycles(&[one, two]), ["34"]);
}

#[test]
fn t11_gate_locks_and_rings() {
    assert_eq!(cycles(&["A{B{}}", "B{A{}}"]), ["AB"]);
    assert_eq!(cycles(&["G{A{B{}}}", "G{B{A{}}}"]), [""; 0], "a gate lock");
    assert_eq!(cycles(&["A{B{}}", "A{B{}}"]), [""; 0], "one order");
    assert!(!cycles(&["A{G{B{}}}", "B{G{A{}}}"]).is_empty(), "that is no gate");
    assert_eq!(cycles(&["A{B{}}", "B{C{}}", "C{A{}}"]), ["ABC"]);
    assert_eq!(cycles(&["G{A{B{}}}", "B{C{}}", "G{C{A{}}}"]), [""; 0], "two of three at one gate");
    assert_eq!(cycles(&["A{B{}}B{A{}}"]), [""; 0], "one thread does not wait for itself");
}

#[test]
fn threads_that_never_meet_do_not_wait_for_each_other() {
    let one_after_the_other = "0>1 1+A 1+B 1-B 1-A 0<1 0>2 2+B 2+A 2-A 2-B";
    assert!(lock_cycles(&run(one_after_the_other)).is_empty());
    let before_the_start = "0+B 0+A 0-A 0-B 0>1 1+A 1+B 1-B 1-A";
    assert!(lock_cycles(&run(before_the_start)).is_empty());
    let at_a_time = "0>1 1+A 1+B 1-B 1-A 0+B 0+A 0-A 0-B";
    assert_eq!(lock_cycles(&run(at_a_time)).len(), 1);
}

#[test]
fn locks_that_are_not_given_back_in_order() {
    // Hand over hand: B is taken inside of A, C inside of B alone.
    let hands = "0>1 0>2 1+A 1+B 1-A 1+C 1-B 1-C 2+C 2+A 2-A 2-C";
    assert!(lock_cycles(&run(hands)).is_empty());
    let crossed = "0>1 0>2 1+A 1+B 1-A 1+C 1-B 1-C 2+C 2+B 2-B 2-C";
    assert_eq!(lock_cycles(&run(crossed)).len(), 1);
}

/// Locations that no lock protects.
fn unprotected(text: &str) -> String {
    let name = |location: u32| char::from_u32(location).expect("a letter");
    locksets(&run(text)).iter().map(|found| name(found.location)).collect()
}

#[test]
fn t12_states_of_eraser() {
    let written_then_read = "0wx 0>1 0>2 1rx 2rx 1rx";
    assert_eq!(unprotected(written_then_read), "", "readers without a lock");
    let second_writer = "0>1 0>2 1wx 2wx";
    assert_eq!(unprotected(second_writer), "x");
    let same_lock = "0>1 0>2 1+L 1wx 1-L 2+L 2wx 2-L 1+L 1rx 1-L";
    assert_eq!(unprotected(same_lock), "");
    let different_locks = "0>1 0>2 1+L 1wx 1-L 2+M 2wx 2-M 1+L 1wx 1-L";
    assert_eq!(unprotected(different_locks), "x", "at the third access at latest");
    let while_it_waits = "0>1 0>2 1+L 1wx 1-L 2+L 2wx 2-L 1+L 1wx 1-L";
    assert_eq!(unprotected(while_it_waits), "", "wait gives the lock back");
    let left_by_an_exception = "0>1 0>2 1+L 1wx 1-L 1wx 2+L 2wx 2-L";
    assert_eq!(unprotected(left_by_an_exception), "x", "the lock is gone behind the method");
    let read_only_then_written = "0>1 0>2 1rx 2rx 1wx";
    assert_eq!(unprotected(read_only_then_written), "x");
}

#[test]
fn what_a_thread_gets_from_who_starts_it_is_its_own() {
    assert_eq!(unprotected("0wx 0>1 1wx 1rx 0<1 0wx"), "", "handed over by start and join");
    assert_eq!(unprotected("0wx 0>1 1wx 0wx"), "x", "but not shared afterwards");
    // The lock of the first thread still counts when a second one comes.
    assert_eq!(unprotected("0wx 0>1 0>2 1+L 1wx 1-L 2wx"), "x");
    assert_eq!(unprotected("0wx 0>1 0>2 1wx 2+L 2rx 2-L"), "x", "so does that it wrote");
}

#[test]
fn publication_through_a_volatile_is_no_race_but_no_lock_either() {
    let text = "0>1 1wx 1!v 0?v 0rx";
    assert!(races(&run(text)).is_empty());
    assert_eq!(unprotected(text), "x", "Eraser knows locks only");
    assert_eq!(races(&run("0>1 1wx 0?v 0rx")).len(), 1);
}

#[test]
fn the_window_has_who_matters() {
    // 1 and 2 share x under locks that 3 uses as well; 4 is on its own.
    let text = "0>1 0>2 0>3 0>4 1+L 1wx 1-L 2rx 3+L 3-L 4wy 4ry";
    assert_eq!(window(&run(text), &[1, 2]), [0, 1, 2, 3]);
    assert_eq!(window(&run(text), &[4]), [0, 4]);
}
