//! Runs of which the events are noted: threads come between any two events of another one, and each is noted once.

mod support;

use std::sync::Arc;

use everypath_flow::Binding;
use everypath_lang_java::{Jdk, Options, Program, Reductions};
use everypath_model::Describe as _;
use support::{Tools, scratch};

/// The events of a run in which threads take turns as it is wanted, as far as they can.
fn run(name: &str, text: &str, rules: &str, wanted: &[(&str, &str)]) -> Option<Vec<String>> {
    let tools = Tools::find()?;
    let sources = scratch(&format!("flow-runs-{name}-sources"));
    std::fs::create_dir_all(&sources).unwrap();
    let source = sources.join(format!("{name}.java"));
    std::fs::write(&source, text).unwrap();
    let classes = scratch(&format!("flow-runs-{name}"));
    tools.compile(&[source], &classes, &["-g"]);
    let options = Options { reductions: Reductions::NONE, ..Options::new(vec![classes], name) };
    let program = Program::load(&Jdk::find().unwrap(), &options).unwrap();
    let binding = Arc::new(Binding::read(rules).unwrap());
    let extracted = program.flow_graph(&binding).unwrap();
    let wanted: Vec<(String, String)> =
        wanted.iter().map(|(thread, event)| (thread.to_string(), event.to_string())).collect();
    let stop: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(|| false);
    let run = program.watch(&extracted, &binding, &wanted, 0, &stop).unwrap().unwrap();
    assert!(run.ended);
    assert_eq!(program.replay(&run.initial, &run.actions).unwrap().len(), run.actions.len());
    Some(run.events.into_iter().map(|one| format!("{} {}", one.thread, one.event)).collect())
}

#[test]
fn a_thread_comes_between_two_events_of_another_one() {
    let text = "public class Between {
    static class Worker extends Thread { public void run() { step(); done(); } }
    static void step() {}
    static void done() {}
    public static void main(String[] args) throws Exception {
        Worker a = new Worker(), b = new Worker();
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
";
    let rules = "call Between.step => step\ncall Between.done => done\n";
    let wanted = [("a", "step"), ("b", "step"), ("a", "done"), ("b", "done")];
    let Some(found) = run("Between", text, rules, &wanted) else { return };
    assert_eq!(found, ["a step", "b step", "a done", "b done"]);
}

#[test]
fn every_event_is_noted_once() {
    let text = "public class Once {
    static int zero;
    static void step() {}
    static void fail() { zero = 1 / zero; }
    static void twice() { step(); step(); }
    public static void main(String[] args) throws Exception {
        step();
        twice();
        try { fail(); } catch (ArithmeticException e) { step(); }
        Thread t = new Thread(() -> step());
        t.start();
        t.join();
        step();
    }
}
";
    let rules = "call Once.step => call\nreturn Once.step => return\nexit Once.fail => failed\n\
                 return Once.twice => twice\njoin t => joined\n";
    let Some(found) = run("Once", text, rules, &[]) else { return };
    let own: Vec<&str> = found.iter().filter_map(|event| event.strip_prefix("main ")).collect();
    let one = ["call", "return"];
    let expected: Vec<&str> =
        [&one[..], &one, &one, &["twice", "failed"], &one, &["joined"], &one].concat();
    assert_eq!(own, expected, "{found:?}");
}
