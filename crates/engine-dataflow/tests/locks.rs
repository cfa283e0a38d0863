//! Locks that a thread takes again, gives back for some time, or does not have.

use everypath_engine_dataflow::{Constraint, Model, Options, inline, refine};
use everypath_flow::read;
use everypath_model::FileId;
use everypath_property::events::{Fsa, read_qre};

fn required(text: &str) -> Fsa {
    read_qre(text).unwrap().property().unwrap().required()
}

/// Whether the property is proved with the constraints, and whether with those that are found.
fn proved(text: &str, property: &str, constraints: &[&str]) -> (bool, bool) {
    let graph = inline(&read(text, FileId(0)).unwrap()).unwrap();
    let constraints: Vec<Constraint> =
        constraints.iter().map(|text| Constraint::parse(text).unwrap()).collect();
    let given = Some(&constraints[..]);
    let model = Model::new(&graph, required(property), Vec::new(), given, Options::default());
    let with = model.decide(&constraints).unwrap().conclusive();
    let model = Model::new(&graph, required(property), Vec::new(), None, Options::default());
    (with, refine(&model, &[], 1_000_000).unwrap().answer.conclusive())
}

const NEVER: &str = "for events { x, y } show no executions satisfy .* ; x ; y ; .*";

#[test]
fn a_lock_may_be_taken_again_wherever_it_is_given_back() {
    let text = "thread t { lock A\n either { lock A\n unlock A } or { lock A }\n unlock A }\n\
                task main { lock A\n lock A\n unlock A\n unlock A\n event x\n event y\n start t }";
    assert_eq!(proved(text, NEVER, &["monitor:A"]), (false, false));
    // Both times on one way only.
    let text = "var again = false\ntask main { lock A\n if again == true { lock A } else { }\n event x\n event y\n\
                if again == true { unlock A } else { }\n unlock A }";
    assert_eq!(proved(text, NEVER, &["monitor:A", "task:main"]), (false, false));
}

#[test]
fn inside_of_a_lock_that_is_had_twice_nobody_else_is() {
    let text = "thread t { lock A\n event x\n unlock A }\n\
                task main { start t\n lock A\n either { lock A\n event y\n event y\n unlock A } or { lock A\n event y\n event y\n\
                unlock A\n unlock A\n lock A }\n unlock A }";
    let property = "for events { x, y } show no executions satisfy .* ; y ; x ; y ; .*";
    let (with, found) = proved(text, property, &["monitor:A", "task:main", "task:t"]);
    assert!(with && found);
}

#[test]
fn who_waits_gives_a_lock_back_wholly() {
    let text = "thread t { lock A\n event x\n unlock A }\n\
                task main { start t\n lock A\n lock A\n event y\n pause A\n event y\n unlock A\n unlock A }";
    let property = "for events { x, y } show no executions satisfy .* ; y ; x ; y ; .*";
    assert_eq!(proved(text, property, &["monitor:A", "task:main", "task:t"]), (false, false));
}

#[test]
fn what_one_has_not_one_does_not_give_back() {
    let text = "thread t { unlock A\n lock A\n event x\n unlock A }\n\
                task main { lock A\n event y\n start t\n event y\n unlock A }";
    let property = "for events { x, y } show no executions satisfy .* ; y ; x ; y ; .*";
    let (with, found) = proved(text, property, &["monitor:A", "task:main", "task:t"]);
    assert!(with && found);
}

#[test]
fn threads_without_events_are_followed_where_that_is_needed() {
    let text = "var go = false\nvar ready = false\n\
                thread helper { if ready == true { go = true } else { } }\n\
                thread w { if go == true { event late } else { } }\n\
                task main { start helper\n start w\n event x }";
    let property = "for events { late, x } show no executions satisfy .* ; late ; .*";
    assert!(proved(text, property, &["task:helper", "task:w", "var:go", "var:ready"]).0);
    assert!(proved(text, property, &[]).1);
}

#[test]
fn a_meeting_that_cannot_happen_is_not_stepped_over() {
    // Whoever sends first has nobody who accepts before the other one did.
    let text = "task p { send a\n event x\n send b }\ntask q { accept b\n event y\n accept a }";
    let property = "for events { x, y } show no executions satisfy .* ; (x | y) ; .*";
    assert!(proved(text, property, &[]).0);
}
