//! The textual form: what is written is read back, what is wrong is refused with its place.

use everypath_flow::{Op, Program, read, write, write_svg};
use everypath_model::{FileId, Sources};

const PHILOSOPHERS: &str = "\
var fork1.isUp = false
var fork2.isUp = false

proc up(f) {
  local success
  synchronized f {
    success = false
    while success == false {
      if f.isUp { wait f } else { f.isUp = true; success = true }
    }
    event f.up
  }
}
proc down(f) {
  synchronized f { f.isUp = false; notifyall f; event f.down }
}
proc philosopher(left, right, n) {
  while * {
    call up(left)
    call up(right)
    event n.start; event n.stop
    call down(left)
    call down(right)
  }
}
thread p1 = philosopher(fork1, fork2, one)
thread p2 = philosopher(fork1, fork2, two)
task main { start p1; start p2 }
";

#[test]
fn what_is_written_is_read_back() {
    let all = [
        PHILOSOPHERS,
        "task a { x: event e -> x, y\n y: skip\n return }",
        "task a { loop { either { break } or { continue } or { send c } } }",
        "proc p() { throw }\ntask a { try { call p(); event e } catch { event f } }",
        "task a { synchronized m { while * { return } } }",
        "task a { accept c { event e }; goto end; end: skip }\ntask b { send c }",
        "task a { }",
        "task a { while * { skip } event e\n if x { skip } else { skip } event f }",
    ];
    for text in all {
        let program = read(text, FileId(0)).unwrap_or_else(|error| panic!("{text}\n{error:?}"));
        let written = write(&program);
        let again = read(&written, FileId(0)).unwrap_or_else(|e| panic!("{written}\n{e:?}"));
        assert_eq!(write(&again), written, "{text}");
        let sizes = |program: &Program| -> Vec<(String, usize, usize)> {
            let mut all: Vec<_> = program
                .procedures
                .iter()
                .map(|one| {
                    let edges = one.nodes.iter().map(|n| n.next.len() + n.handlers.len()).sum();
                    (one.name.clone(), one.nodes.len(), edges)
                })
                .collect();
            // Bodies of threads come behind the others.
            all.sort();
            all
        };
        assert_eq!(sizes(&again), sizes(&program), "{text}");
    }
}

#[test]
fn locks_are_given_back_wherever_control_leaves() {
    let text = "proc p() { throw }\n\
                task a { loop { synchronized m { either { break } or { return } or { call p() } } } }";
    let program = read(text, FileId(0)).unwrap();
    let body = &program.procedures[program.procedure("a").unwrap()];
    let unlocks = body.nodes.iter().filter(|node| matches!(node.op, Op::Unlock(_))).count();
    // At the end, at `break`, at `return`, and for the exception.
    assert_eq!(unlocks, 4);
    let call = body.nodes.iter().find(|node| matches!(node.op, Op::Call { .. })).unwrap();
    assert!(matches!(body.nodes[call.handlers[0]].op, Op::Unlock(_)));
}

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    for (text, line, part) in [
        ("task a { lock }", 1, "expected the name of a lock"),
        ("task a {\n fly x }", 2, "`fly` is no statement"),
        ("task a {\n goto x }", 2, "there is no label `x`"),
        ("task a { call p() }", 1, "there is no procedure `p`"),
        ("proc p(x) { }\ntask a { call p() }", 2, "has 1 parameters, here are 0"),
        ("task a { break }", 1, "is not in a loop"),
        ("task a { skip\n", 2, "expected `}`"),
        ("task a { }\ntask a { }", 2, "two threads"),
        ("task a { x: skip\nx: skip }", 2, "two labels"),
        ("task a { ~ }", 1, "has no meaning"),
        ("hello", 1, "expected `var`"),
        ("task a { skip skip }", 1, "expected a new line"),
        ("task a { try { } }", 1, "needs a `catch`"),
    ] {
        let error = read(text, FileId(0)).unwrap_err();
        assert!(error.message.contains(part), "{text}: {}", error.message);
        let mut sources = Sources::default();
        sources.add("a.flow".into(), text.to_owned());
        assert_eq!(sources.start(error.primary.expect("a place").span).0, line, "{text}");
    }
    let deep = format!("task a {{ {} }}", "if * { ".repeat(100_000));
    assert!(read(&deep, FileId(0)).unwrap_err().message.contains("too deep"));
    let deep = format!("task a {{ if * {{ }} {} }}", "else if * { } ".repeat(100_000));
    assert!(read(&deep, FileId(0)).unwrap_err().message.contains("too deep"));
    let deep = format!("task a {{ if {} }}", "(".repeat(100_000));
    assert!(read(&deep, FileId(0)).is_err());
}

#[test]
fn pictures_show_every_node_once() {
    let program = read(PHILOSOPHERS, FileId(0)).unwrap();
    let picture = write_svg(&program).unwrap();
    let nodes: usize = program.procedures.iter().map(|procedure| procedure.nodes.len()).sum();
    let edges: usize = program
        .procedures
        .iter()
        .flat_map(|procedure| &procedure.nodes)
        .map(|node| node.next.len() + node.handlers.len())
        .sum();
    assert_eq!(picture.matches("<rect class=\"node").count(), nodes);
    assert_eq!(picture.matches("<path class=\"edge").count(), edges);
    assert!(picture.contains("notifyall f") && picture.contains(">philosopher(left, right, n)<"));
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
    assert!(write_svg(&Program::default()).is_some(), "nothing is a picture, too");
}
