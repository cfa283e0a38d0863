//! Small models of shapes that random models rarely have: what SPIN says of them, the same by native code, by
//! every reduction alone and by all together.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use everypath_conformance::agree::{agree, machine};
use everypath_conformance::reduction::{self, Found};
use everypath_conformance::{Comparison, Config, Ours, compare, run, smaller};
use everypath_engine_explicit::{Options as SearchOptions, Order, Proviso, search};
use everypath_layer_optimise::{Observed, Pass, optimise};
use everypath_layer_reduce::{Method, Options, Reduced};
use everypath_machine::Interpreter;
use everypath_model::TransitionSystem;
use everypath_testkit::needs;
use everypath_testkit::spin::{self, parallel};

/// A model, the kinds of its violations, and how many states it has if that can be compared.
type Shape = (&'static str, &'static [&'static str], Option<u64>);

const ASSERTION: &[&str] = &["assertion"];
const NONE: &[&str] = &[];

/// Fields of structures have their values from the start, wherever the variable is declared.
const FIELDS: &[Shape] = &[
    ("typedef O { byte s = 5 } init { skip; O b; assert(b.s == 0) }", ASSERTION, Some(5)),
    ("typedef O { byte s = 5 } init { skip; O b; assert(b.s == 5) }", NONE, Some(5)),
    (
        "typedef O { byte s[2] = 5; bit t } init { skip; O b[2]; assert(b[1].s[1] == 5 && !b[1].t) }",
        NONE,
        None,
    ),
    (
        "typedef I { byte s = 5 } typedef O { I i[2]; short n = -3 } init { skip; O b; assert(b.i[1].s + b.n == 2) }",
        NONE,
        None,
    ),
    (
        "typedef O { byte s = 5 } inline f() { O b; b.s++; assert(b.s == 6) } init { skip; f() }",
        NONE,
        None,
    ),
    (
        "typedef O { byte s = 5 } init { byte k; d_step { k = 1; O b; assert(b.s == 5) } }",
        NONE,
        None,
    ),
    // Declared once, set once.
    (
        "typedef O { byte s = 5 } init { byte k; do :: k < 2 -> k++; O b; assert(b.s == 5); b.s = 7 :: else -> break od }",
        ASSERTION,
        None,
    ),
    (
        "typedef O { chan c = [1] of { byte } } init { skip; O b; b.c ! 3; assert(len(b.c) == 1) }",
        NONE,
        None,
    ),
    (
        "typedef O { byte s = 5 } proctype P() { skip; O b; assert(b.s == 5); b.s = 1 } init { run P(); run P() }",
        NONE,
        None,
    ),
    // Through calls of calls, in processes of their own, and in what may be left.
    (
        "typedef I { byte v = 3 } typedef O { I i[2]; byte s = 5; unsigned u : 3 = 6 }
      inline f(x) { O t; assert(t.s == 5 && t.i[1].v == 3 && t.u == 6); t.s = x } inline g() { I q; q.v++; f(q.v) }
      init { byte k; d_step { g(); k = 1 }; g() }",
        NONE,
        None,
    ),
    (
        "typedef I { byte v = 3 } typedef O { I i[2]; byte s = 5 }
      proctype P(byte z) { skip; { O b; b.s = b.s + z; I c; c.v = z; skip; assert(b.s == 5 + z) } }
      init { run P(1); run P(2) }",
        NONE,
        None,
    ),
    (
        "typedef D { byte k = 1 }
      active proctype P() { { skip; false } unless { D b; b.k == 1; b.k = 2; assert(b.k == 2) } }",
        NONE,
        Some(6),
    ),
    (
        "typedef D { byte k = 1 } inline f(z) { D b; z = z + b.k; b.k = 5 } inline g(y) { f(y); f(y) }
      init { byte t; do :: t < 3 -> g(t) :: else -> break od; assert(t == 12) }",
        NONE,
        Some(18),
    ),
];

/// An `else` that begins a `d_step` asks about the options before it.
const ELSES: &[Shape] = &[
    ("byte w = 1; active proctype P() { if :: w == 1 -> w = 2 :: d_step { else -> assert(false) } fi }", NONE, Some(4)),
    ("byte w = 1; active proctype P() { if :: d_step { else -> assert(false) } :: w == 1 -> w = 2 fi }", ASSERTION,
     Some(6)),
    ("byte w = 1; active proctype P() { if :: w == 0 -> w = 2 :: d_step { else -> w = 3 } :: w == 1 -> w = 4 fi;
      assert(w == 3) }", ASSERTION, None),
    ("byte w = 1; active proctype P() { if :: w == 0 -> w = 2 :: d_step { else -> w = 3 } :: else -> w = 4 fi;
      assert(w == 3) }", NONE, None),
    ("byte w; active proctype P() { w = 1; d_step { else -> w = 2 }; assert(w == 2) }", NONE, None),
    ("byte w = 1; active proctype P() { do :: w < 3 -> w++ :: d_step { { else -> w = 9 } } od unless { w == 9 } }",
     NONE, None),
    ("byte w = 1; active proctype P() { if :: w == 1 -> w = 2 :: atomic { else -> assert(false) } fi }", NONE, None),
    ("chan r = [0] of { byte }; byte w; active proctype P() { if :: r ! 1 :: d_step { else -> w = 1 } fi }
      active proctype Q() { end: if :: r ? _ fi }", NONE, None),
    ("chan c = [1] of { byte }; byte w; active proctype P() { end: do :: c ? w -> w = 0 :: d_step { else -> w = 1 } od }
      active proctype Q() { c ! 2; c ! 3 }", NONE, None),
    ("byte w = 1, k; active proctype P() { { w == 1 } unless { if :: w == 3 :: d_step { else -> k = 2 } fi }; assert(k == 2) }",
     NONE, Some(4)),
    ("byte w = 1, k; inline f() { d_step { else -> k = 2 } }
      active proctype P() { if :: w == 1 -> k = 1 :: f() fi; assert(k == 1) }", NONE, Some(5)),
    ("byte w = 1; active proctype P() { if :: w == 2 :: if :: w == 3 :: d_step { else -> w = 9 } fi fi; assert(w == 1) }",
     ASSERTION, Some(4)),
];

/// Jumps from one atomic sequence to another.
const JUMPS: &[Shape] = &[
    ("byte x; active proctype P() { atomic { x = 2; goto f }; atomic { skip; f: assert(x == 2) } }
      active proctype Q() { x = 3 }", NONE, Some(10)),
    ("byte x; active proctype P() { atomic { goto f }; skip; atomic { skip; f: skip; assert(x == 0 || x == 3) } }
      active proctype Q() { x = 3 }", NONE, Some(7)),
    ("byte x; active proctype P() { atomic { x = 2; goto f }; f: atomic { skip; assert(x == 2) } }
      active proctype Q() { x = 3 }", ASSERTION, None),
    ("byte x; active proctype P() { atomic { x = 2; if :: x == 2 -> goto f :: else fi }; atomic { skip; f: assert(x == 2) } }
      active proctype Q() { x = 3 }", NONE, None),
    ("byte x; active proctype P() { atomic { x = 2; { x = 4; goto f } }; skip; atomic { skip; f: goto g }; skip;
      atomic { skip; g: assert(x == 4) } } active proctype Q() { x = 3 }", NONE, None),
    ("byte x; active proctype P() { atomic { x = 2; goto f }; f: assert(x == 2) } active proctype Q() { x = 3 }",
     ASSERTION, None),
    ("byte x; active proctype P() { do :: atomic { x = 2; break } od; atomic { skip; assert(x == 2) } }
      active proctype Q() { x = 3 }", ASSERTION, None),
    ("byte x, y; active proctype P() { atomic { x = 2; goto f }; skip;
      atomic { skip; if :: skip; f: assert(x == 2) :: x == 9 fi; skip } } active proctype Q() { x = 3; y = 1 }",
     NONE, Some(13)),
    ("byte x, y; active proctype P() { atomic { x = 2; goto f }; atomic { skip; f: x == 3; assert(y == 0) } }
      active proctype Q() { x = 3; y = 1 }", &["assertion", "deadlock"], Some(15)),
    ("byte x, y; active proctype P() { atomic { x = 2; do :: goto f :: break od }; skip; atomic { skip; f: assert(x == 2) } }
      active proctype Q() { x = 3; y = 1 }", ASSERTION, Some(27)),
];

/// The number of fields is compared once the given ones match, and never in polls.
const FIELDS_OF_MESSAGES: &[Shape] = &[
    (
        "mtype = { A, B }; chan c = [2] of { mtype, byte };
      active proctype P() { c ! A, 1; if :: c ? B -> skip :: c ? A, _ -> skip fi }",
        NONE,
        Some(5),
    ),
    ("chan c = [2] of { byte, byte }; active proctype P() { c ! 1, 1; c ? [1] }", NONE, Some(4)),
    (
        "chan c = [2] of { byte, byte }; active proctype P() { c ! 1, 1; c ?? [1]; c ? [_, _, _] }",
        NONE,
        None,
    ),
    ("chan c = [2] of { byte, byte }; active proctype P() { c ! 1, 1; c ? 1 }", &["arity"], None),
    (
        "chan c = [2] of { byte, byte }; byte x; active proctype P() { c ! 1, 1; c ? x }",
        &["arity"],
        None,
    ),
    (
        "chan c = [2] of { byte, byte }; byte x; active proctype P() { c ! 1, 1; c ? <x>; c ? <1>; c ?? <x>; assert(x == 1) }",
        NONE,
        None,
    ),
    (
        "chan c = [2] of { byte, byte }; byte x; active proctype P() { c ! 1, 2; c ? 1, x, _ }",
        &["arity"],
        None,
    ),
    (
        "chan c = [2] of { byte, byte }; byte x; active proctype P() { c ! 1, 2; if :: c ? 2, x, _ :: c ? 1, x fi }",
        NONE,
        None,
    ),
    (
        "chan c = [2] of { byte, byte }; chan d = [1] of { byte, byte, byte }; active proctype P() { c ! 1, 2; c ?? 1 }",
        &["arity"],
        None,
    ),
    ("chan c = [2] of { byte, byte }; active proctype P() { c ! 1; c ? _, _ }", &["arity"], None),
    (
        "chan r = [0] of { byte, byte }; byte x; active proctype P() { r ! 1, 2 }
      active proctype Q() { if :: r ? 2 :: r ? 1, x fi }",
        NONE,
        None,
    ),
    (
        "chan r = [0] of { byte, byte }; active proctype P() { r ! 1, 2 } active proctype Q() { r ? 1 }",
        &["arity"],
        None,
    ),
];

/// What a rendezvous channel does not have.
const RENDEZVOUS: &[Shape] = &[
    ("chan c = [0] of { byte }; byte x; active proctype P() { d_step { c ! 1; x = 1 } } active proctype Q() { c ? 1 }",
     &["rendezvous"], None),
    ("chan c = [0] of { byte }; byte x; active proctype P() { d_step { if :: c ! 1 -> x = 1 :: x == 0 -> x = 2 fi; x = 3 } }
      active proctype Q() { end: c ? 1 }", &["rendezvous"], None),
    ("chan c = [1] of { byte }; byte x; active proctype P() { d_step { c ! 1; x = 1 }; d_step { c ! 2; x = 2 } }
      active proctype Q() { c ? 1; c ? 2 }", NONE, None),
    ("chan c = [0] of { byte }; byte x; active proctype P() { c ! 1 } active proctype Q() { c ? <x> }",
     &["rendezvous"], None),
    ("chan c = [0] of { byte }; byte x; active proctype P() { c ! 1 } active proctype Q() { c ?? <x> }",
     &["rendezvous"], None),
    ("chan c = [0] of { byte }; chan b = [1] of { byte }; byte x; active proctype P() { c ! 1; b ! 2 }
      active proctype Q() { c ? x; b ? <x>; b ? x }", NONE, None),
];

/// What SPIN's scanner takes.
const SPELLINGS: &[Shape] = &[
    ("byte x; active proctype P() { if :: x == 0 --> x = 1 fi */ ; x = 2 }", NONE, Some(5)),
    (
        "byte x = 1; active proctype P() { x = x <=< 2; x = x >=> 1; x !!= 3 --> */ assert(x == 2) }",
        NONE,
        None,
    ),
    ("chan d = [1] of { bit }; bit b = 1; active proctype P() { d !! !b; b--> d ? b }", NONE, None),
];

/// Faults before the first step.
const BEGINNINGS: &[Shape] = &[
    ("byte a[2], k = 3; active proctype P() { byte l = a[k] }", &["index"], None),
    ("byte a[2], k = 3; init { byte l = a[k]; skip }", &["index"], None),
    (
        "byte a[2], k = 3; active proctype P() { skip } active proctype Q() { byte l = a[_pid + 1] }",
        &["index"],
        None,
    ),
    ("byte k; active proctype P() { byte l = 3 / k }", &["division"], None),
    ("chan c; active proctype P() { byte l = len(c) }", &["channel"], None),
    (
        "typedef O { byte s = 5 } byte a[2], k = 3; active proctype P() { O o; byte l = a[o.s] }",
        &["index"],
        None,
    ),
];

fn found(text: &str, order: Order) -> (BTreeSet<String>, u64) {
    let config = Config { order, ..Config::default() };
    match run(text, Path::new("m.pml"), config) {
        Ours::Ran(ran) => {
            assert!(ran.complete, "{text}");
            assert!(ran.broken_evidence.is_empty(), "{text}: {:?}", ran.broken_evidence);
            (ran.kinds, ran.states)
        }
        other => panic!("{text}: {other:?}"),
    }
}

/// What a search says, whatever its states are.
fn verdict(found: &Found) -> (bool, bool, bool) {
    (!found.faults.is_empty(), !found.deadlocks.is_empty(), found.incomplete)
}

fn check(shapes: &[Shape]) {
    for &(text, kinds, states) in shapes {
        let wanted: BTreeSet<String> = kinds.iter().map(|kind| (*kind).to_owned()).collect();
        for order in [Order::Breadth, Order::Depth] {
            let (kinds, count) = found(text, order);
            assert_eq!(kinds, wanted, "{order:?}\n{text}");
            assert_eq!(count, states.unwrap_or(count), "{order:?}\n{text}");
        }
        let machine = machine(text, Path::new("m.pml")).expect("a machine");
        agree(machine.clone(), 10_000).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let whole = Interpreter::new(Arc::new(machine.clone()));
        let all = reduction::search(&whole, reduction::Proviso::Full, 10_000);
        let begins = smaller::explore(&machine, 10_000).expect("explored").expect("small");
        let alone = Pass::ALL.iter().map(std::slice::from_ref);
        for passes in alone.chain([&Pass::ALL[..]]) {
            smaller::compare(&machine, passes, &begins, 10_000)
                .unwrap_or_else(|why| panic!("{why}\n{text}"));
            let less = Interpreter::new(Arc::new(optimise(&machine, passes, &Observed::default())));
            for method in [Method::Ample, Method::Stubborn] {
                for proviso in [reduction::Proviso::Stack, reduction::Proviso::Queue] {
                    let system =
                        Reduced::new(less.clone(), Options { method, ..Options::default() });
                    let some = reduction::search(&system, proviso, 10_000);
                    assert_eq!(
                        verdict(&some),
                        verdict(&all),
                        "{passes:?} {method:?} {proviso:?}\n{text}"
                    );
                }
            }
        }
    }
    // SPIN says the same.
    let Some(spin) = needs::spin() else { return };
    let results = parallel(shapes.len(), 2, |i| {
        let (text, ..) = shapes[i];
        let ours = run(text, Path::new("m.pml"), Config::default());
        (text, compare(&ours, &spin.run(text, &spin::Config::default())))
    });
    for (text, result) in results {
        assert!(!matches!(result, Comparison::Different(_)), "{result:?}\n{text}");
    }
}

#[test]
fn fields_of_structures_begin_with_their_values() {
    check(FIELDS);
}

#[test]
fn else_in_a_d_step_asks_about_options_before_it() {
    check(ELSES);
}

#[test]
fn jumps_between_atomic_sequences_keep_others_out() {
    check(JUMPS);
}

#[test]
fn fields_of_messages_are_counted_after_they_match() {
    check(FIELDS_OF_MESSAGES);
}

#[test]
fn rendezvous_channels_have_no_copies_and_no_indivisible_offers() {
    check(RENDEZVOUS);
}

#[test]
fn signs_are_read_as_spins_scanner_reads_them() {
    check(SPELLINGS);
}

#[test]
fn faults_in_initial_values_replay() {
    check(BEGINNINGS);
}

/// A step that never ends is not forgotten because another process goes round for ever, too.
#[test]
fn endless_steps_are_noticed_beside_endless_loops() {
    let loops = ["do :: skip od", "do :: x = 1 - x od", "L: goto M; M: skip; goto L"];
    let steps = [
        "atomic { do :: true od }",
        "d_step { y = 1; do :: y < 3 od }",
        "atomic { y = 1; A: y = 1 - y; goto A }",
    ];
    for (l, s) in loops.iter().flat_map(|l| steps.iter().map(move |s| (l, s))) {
        for first in [true, false] {
            let (p, q) = if first { (l, s) } else { (s, l) };
            let text =
                format!("byte x, y; active proctype P() {{ {p} }} active proctype Q() {{ {q} }}");
            let machine = machine(&text, Path::new("m.pml")).expect("a machine");
            let whole = Interpreter::new(Arc::new(machine));
            let reduced = Reduced::new(whole.clone(), Options::default());
            for order in [Order::Breadth, Order::Depth] {
                assert!(!is_complete(&whole, order, None), "{order:?} {text}");
                for proviso in [Proviso::Open, Proviso::New, Proviso::AllOpen] {
                    assert!(
                        !is_complete(&reduced, order, Some(proviso)),
                        "{order:?} {proviso:?} {text}"
                    );
                }
            }
        }
    }
}

fn is_complete<S: TransitionSystem>(system: &S, order: Order, reduction: Option<Proviso>) -> bool {
    let options = SearchOptions { order, reduction, ..SearchOptions::default() };
    search(system, &options, &mut ()).complete()
}
