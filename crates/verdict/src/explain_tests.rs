//! Remarks on runs made by hand: what must be said, and what must not.

use serde_json::{Value, json};

use crate::explain::{Possible, explain};
use crate::trace::{End, Length, TraceSubject};
use crate::waits::{BlockedLane, BlockedNeed, NeedProvider};
use crate::*;

const HERE: Place = Place { file: 0, start: (1, 1), end: (1, 2) };

fn values(pairs: &[(&str, i64)]) -> Values {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect()
}

/// A run of processes `A`, `B`, `C` over variables that start at 0.
struct Run {
    trace: Trace,
    /// The step that cannot be moved behind the others.
    stuck: Option<u64>,
}

impl Run {
    fn new(reason: &str) -> Run {
        let trace = Trace {
            schema: TRACE_SCHEMA.to_owned(),
            result: TraceSubject { property: "p".to_owned(), kind: "safety".to_owned() },
            loop_start: None,
            model: TraceModel {
                lang: String::new(),
                sha256: String::new(),
                sources: Vec::new(),
                reading: None,
            },
            length: Length::default(),
            lanes: (0..3).map(|id| Lane::new(id, ["A", "B", "C"][id as usize])).collect(),
            init: values(&[("n", 0), ("m", 0), ("A.t", 0), ("B.t", 0), ("A.u", 0), ("B.u", 0)]),
            steps: Vec::new(),
            end: End { reason: reason.to_owned(), parts: Vec::new(), blocked: Vec::new() },
            explain: Vec::new(),
        };
        Run { trace, stuck: None }
    }

    /// A step of a lane that reads shared variables, uses its own, and sets some.
    fn step(mut self, lane: u32, reads: &[(&str, i64)], uses: &[&str], set: &[(&str, i64)]) -> Run {
        self.trace.steps.push(TraceStep {
            i: self.trace.steps.len() as u64 + 1,
            lane,
            choice: vec![0],
            enabled: 1,
            span: HERE,
            text: String::new(),
            reads: values(reads),
            uses: uses.iter().map(|name| (*name).to_owned()).collect(),
            set: values(set),
            msg: None,
            atomic: false,
            stack: Vec::new(),
            role: None,
            prop: None,
            output: String::new(),
            takes: Vec::new(),
            releases: Vec::new(),
            holds: Vec::new(),
            deeds: Vec::new(),
            fault: None,
            keyframe: None,
        });
        self
    }

    /// The last step is an assertion over these variables that fails.
    fn fails(mut self, reads: &[(&str, i64)]) -> Run {
        self = self.step(2, reads, &[], &[]);
        let step = self.trace.steps.last_mut().unwrap();
        step.role = Some(Role::Failure);
        self.trace.end.parts = reads
            .iter()
            .map(|(name, value)| Part { name: (*name).to_owned(), value: json!(value), step: None })
            .collect();
        self
    }

    fn explained(mut self) -> Trace {
        let stuck = self.stuck;
        let reorder = |order: &[usize]| {
            let at = order.iter().position(|&at| Some(at as u64 + 1) == stuck);
            at.map_or(Possible::Yes, Possible::NotAt)
        };
        explain(&mut self.trace, &reorder);
        self.trace
    }

    fn kinds(self) -> Vec<(String, Vec<u64>)> {
        self.explained().explain.into_iter().map(|why| (why.kind, why.steps)).collect()
    }
}

fn one(kind: &str, steps: &[u64]) -> Vec<(String, Vec<u64>)> {
    vec![(kind.to_owned(), steps.to_vec())]
}

#[test]
fn a_lost_update_through_a_copy() {
    let run = || {
        Run::new("assertion").step(0, &[("n", 0)], &[], &[("A.t", 0)]).step(
            1,
            &[("n", 0)],
            &[],
            &[("n", 1)],
        )
    };
    let direct = run().step(0, &[], &["A.t"], &[("n", 1)]).fails(&[("n", 1)]);
    assert_eq!(direct.kinds(), one("lost-update", &[1, 2, 3]));
    let twice = run()
        .step(0, &[], &["A.t"], &[("A.u", 1)])
        .step(0, &[], &["A.u"], &[("n", 1)])
        .fails(&[("n", 1)]);
    assert_eq!(twice.kinds(), one("lost-update", &[1, 2, 4]));
    // Later steps that add to the wrong value do not hide it.
    let buried = run()
        .step(0, &[], &["A.t"], &[("n", 1)])
        .step(1, &[("n", 1)], &[], &[("n", 2)])
        .fails(&[("n", 2)]);
    assert_eq!(buried.kinds(), one("lost-update", &[1, 2, 3]));
    // It shows in what was computed from the variable, too.
    let derived = run()
        .step(0, &[], &["A.t"], &[("n", 1)])
        .step(1, &[("n", 1)], &[], &[("m", 1)])
        .fails(&[("m", 1)]);
    assert_eq!(derived.kinds(), one("lost-update", &[1, 2, 3]));
}

#[test]
fn a_value_that_came_back() {
    let run = |back: i64| {
        let mut run = Run::new("assertion")
            .step(0, &[("n", 0)], &[], &[("A.t", 0)])
            .step(1, &[], &[], &[("n", 1)])
            .step(1, &[], &[], &[("n", back)])
            .step(0, &[], &[], &[("m", 1)]);
        run.trace.steps[3].text = "if (n.compareAndSet(t, u)) {".to_owned();
        run.fails(&[("m", 1)])
    };
    assert_eq!(run(0).kinds(), one("aba", &[1, 2, 3, 4]));
    assert_eq!(run(2).kinds(), Vec::new());
}

#[test]
fn what_is_no_lost_update() {
    let nothing: Vec<(String, Vec<u64>)> = Vec::new();
    // The read and the write are one step.
    let whole = Run::new("assertion")
        .step(1, &[("n", 0)], &[], &[("n", 1)])
        .step(0, &[("n", 1)], &[], &[("n", 2)])
        .fails(&[("n", 2)]);
    assert_eq!(whole.kinds(), nothing);
    // The value does not come from the read.
    let fresh = Run::new("assertion")
        .step(0, &[("n", 0)], &[], &[("A.t", 0)])
        .step(1, &[("n", 0)], &[], &[("n", 1)])
        .step(0, &[("n", 1)], &[], &[])
        .step(0, &[], &["A.u"], &[("n", 5)])
        .fails(&[("n", 5)]);
    assert_eq!(fresh.kinds(), nothing);
    // Nobody comes between.
    let before = Run::new("assertion")
        .step(1, &[("n", 0)], &[], &[("n", 1)])
        .step(0, &[("n", 1)], &[], &[("A.t", 1)])
        .step(0, &[], &["A.t"], &[("n", 2)])
        .fails(&[("n", 2)]);
    assert_eq!(before.kinds(), nothing);
    // The write in between changes nothing.
    let same = Run::new("assertion")
        .step(0, &[("n", 0)], &[], &[("A.t", 0)])
        .step(1, &[("n", 0)], &[], &[("n", 0)])
        .step(0, &[], &["A.t"], &[("n", 1)])
        .fails(&[("n", 1)]);
    assert_eq!(same.kinds(), nothing);
    // It is another variable that the property reads.
    let other = Run::new("assertion")
        .step(0, &[("n", 0)], &[], &[("A.t", 0)])
        .step(1, &[("n", 0)], &[], &[("n", 1)])
        .step(0, &[], &["A.t"], &[("n", 1)])
        .fails(&[("m", 0)]);
    assert_eq!(other.kinds(), nothing);
    // The copy was loaded again after the other write.
    let again = Run::new("assertion")
        .step(0, &[("n", 0)], &[], &[("A.t", 0)])
        .step(1, &[("n", 0)], &[], &[("n", 1)])
        .step(0, &[("n", 1)], &[], &[("A.t", 1)])
        .step(0, &[], &["A.t"], &[("n", 2)])
        .fails(&[("n", 2)]);
    assert_eq!(again.kinds(), nothing);
}

#[test]
fn a_check_that_is_outdated_when_it_is_acted_on() {
    let run = |stuck| {
        let run = Run::new("assertion")
            .step(0, &[("n", 0)], &[], &[])
            .step(1, &[], &[], &[("n", 1)])
            .step(0, &[], &[], &[("m", 7)])
            .fails(&[("m", 7)]);
        Run { stuck, ..run }
    };
    assert_eq!(run(Some(1)).kinds(), one("check-then-act", &[1, 2, 3]));
    let text = &run(Some(1)).explained().explain[0].text;
    assert_eq!(
        text,
        "A found n = 0 at step 1; B made it 1 at step 2, \
         before A acted on what it had found (step 3)"
    );
    // The condition is still true: there is nothing to say.
    assert_eq!(run(None).kinds(), []);
    // Something else cannot be moved.
    assert_eq!(run(Some(2)).kinds(), []);
}

#[test]
fn a_check_of_a_copy() {
    let run = Run::new("assertion")
        .step(0, &[("n", 0)], &[], &[("A.t", 0)])
        .step(1, &[], &[], &[("n", 1)])
        .step(0, &[], &["A.t"], &[])
        .step(0, &[], &[], &[("m", 7)])
        .fails(&[("m", 7)]);
    let run = Run { stuck: Some(3), ..run };
    assert_eq!(run.kinds(), one("check-then-act", &[1, 2, 4]));
}

#[test]
fn what_is_no_outdated_check() {
    // Changed after the act; changed and changed back; changed by itself; leads to nothing.
    let after = Run::new("assertion")
        .step(0, &[("n", 0)], &[], &[])
        .step(0, &[], &[], &[("m", 7)])
        .step(1, &[], &[], &[("n", 1)])
        .fails(&[("m", 7)]);
    let back = Run::new("assertion")
        .step(0, &[("n", 0)], &[], &[])
        .step(1, &[], &[], &[("n", 1)])
        .step(1, &[], &[], &[("n", 0)])
        .step(0, &[], &[], &[("m", 7)])
        .fails(&[("m", 7)]);
    let itself = Run::new("assertion")
        .step(0, &[("n", 0)], &[], &[])
        .step(0, &[], &[], &[("n", 1)])
        .step(0, &[], &[], &[("m", 7)])
        .fails(&[("m", 7)]);
    let nothing = Run::new("assertion")
        .step(0, &[("n", 0)], &[], &[])
        .step(1, &[], &[], &[("n", 1)])
        .step(0, &[], &[], &[("A.t", 7)])
        .fails(&[("m", 0)]);
    for run in [after, back, itself, nothing] {
        assert_eq!(Run { stuck: Some(1), ..run }.kinds(), []);
    }
}

#[test]
fn a_value_that_nobody_read() {
    let run = Run::new("assertion")
        .step(0, &[], &[], &[("n", 1)])
        .step(1, &[], &[], &[("n", 2)])
        .fails(&[("n", 2)]);
    assert_eq!(run.kinds(), one("overwritten", &[1, 2]));
    let read = Run::new("assertion")
        .step(0, &[], &[], &[("n", 1)])
        .step(2, &[("n", 1)], &[], &[])
        .step(1, &[], &[], &[("n", 2)])
        .fails(&[("n", 2)]);
    let own = Run::new("assertion")
        .step(0, &[], &[], &[("n", 1)])
        .step(0, &[], &[], &[("n", 2)])
        .fails(&[("n", 2)]);
    let added = Run::new("assertion")
        .step(0, &[], &[], &[("n", 1)])
        .step(1, &[("n", 1)], &[], &[("n", 2)])
        .fails(&[("n", 2)]);
    let reset = Run::new("assertion")
        .step(0, &[], &[], &[("n", 3)])
        .step(0, &[], &[], &[("n", 0)])
        .step(1, &[], &[], &[("n", 2)])
        .fails(&[("n", 2)]);
    for run in [read, own, added, reset] {
        assert_eq!(run.kinds(), []);
    }
}

#[test]
fn who_wrote_the_values_last() {
    let run = Run::new("invariant")
        .step(0, &[], &[], &[("n", 1)])
        .step(1, &[("n", 1)], &[], &[("n", 2)])
        .fails(&[("n", 2), ("m", 0)]);
    let parts = run.explained().end.parts;
    let steps: Vec<(&str, Option<u64>)> =
        parts.iter().map(|part| (part.name.as_str(), part.step)).collect();
    assert_eq!(steps, [("n", Some(2)), ("m", None)]);
}

fn waiting(process: &str, for_whom: &[(&str, &str)], channel: &str) -> BlockedLane {
    BlockedLane {
        process: process.to_owned(),
        at: Vec::new(),
        why: String::new(),
        valid_end: false,
        needs: vec![BlockedNeed {
            span: HERE,
            text: String::new(),
            obstacle: "empty".to_owned(),
            channel: Some(channel.to_owned()),
            message: Vec::new(),
            contents: Vec::new(),
            values: Values::new(),
            why: String::new(),
            who: String::new(),
            providers: for_whom
                .iter()
                .map(|(process, standing)| NeedProvider {
                    process: (*process).to_owned(),
                    span: HERE,
                    text: String::new(),
                    deed: "sends".to_owned(),
                    standing: (*standing).to_owned(),
                })
                .collect(),
            closed: true,
        }],
    }
}

#[test]
fn circles_of_waiting_processes() {
    let circle = |blocked: Vec<BlockedLane>| {
        let mut run = Run::new("deadlock");
        run.trace.end.blocked = blocked;
        run.explained().explain
    };
    let found = circle(vec![
        waiting("C", &[("A", "ahead")], "z"),
        waiting("A", &[("B", "ahead")], "q"),
        waiting("B", &[("C", "past"), ("A", "ahead")], "r"),
    ]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].text, "A waits for B (q), B waits for A (r)");
    assert_eq!(found[0].processes, ["A", "B"]);
    // Who is past it, or is itself, or has gone, closes no circle.
    let none = circle(vec![
        waiting("A", &[("B", "past"), ("A", "itself"), ("D", "ahead")], "q"),
        waiting("B", &[("A", "ahead")], "r"),
    ]);
    assert_eq!(none, []);
    // Those who may rest are left out if others do.
    let mut resting = waiting("R", &[("S", "ahead")], "a");
    resting.valid_end = true;
    let found = circle(vec![
        resting,
        waiting("S", &[("R", "ahead"), ("A", "ahead")], "b"),
        waiting("A", &[("B", "ahead")], "q"),
        waiting("B", &[("S", "ahead")], "r"),
    ]);
    assert_eq!(found[0].processes, ["S", "A", "B"]);
}

#[test]
fn a_message_that_a_full_channel_lost() {
    let run = |lost| {
        let mut run = Run::new("deadlock").step(0, &[], &[], &[]);
        run.trace.steps[0].msg = Some(Msg {
            channel: "q".to_owned(),
            payload: vec![Value::from("ACK")],
            motion: Motion::Send,
            rendezvous: false,
            lost,
            sender: None,
            receiver: None,
        });
        run.trace.end.blocked = vec![waiting("B", &[], "q")];
        run
    };
    assert_eq!(run(true).kinds(), one("lost-message", &[1]));
    assert_eq!(run(false).kinds(), []);
    let mut elsewhere = run(true);
    elsewhere.trace.end.blocked = vec![waiting("B", &[], "r")];
    assert_eq!(elsewhere.kinds(), []);
}
