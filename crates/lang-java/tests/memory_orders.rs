//! Programs with weaker orders of memory than sequential consistency are searched, but that is no proof.

mod support;

use std::collections::HashSet;
use std::path::Path;

use everypath_lang_java::{Jdk, Options, Program, Reductions};
use everypath_model::{Describe, Successors, TransitionSystem};
use support::{Tools, class_name, parallel, scratch, sources, tests};

/// What a search of all states leaves out, in words.
fn left_out(classes: &Path, name: &str, reductions: Reductions) -> Option<String> {
    let options = Options::new(vec![classes.to_path_buf()], name);
    let program = Program::load(&Jdk::find().expect("a JDK"), &Options { reductions, ..options })
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    program.prepare_assumptions().expect("random runs");
    'again: loop {
        let (mut worker, mut out) = (program.worker(), Successors::new());
        program.initial(&mut worker, &mut out).expect("a first state");
        let mut open: Vec<Vec<u32>> =
            out.steps().iter().map(|step| out.target(step).to_vec()).collect();
        let mut known: HashSet<Vec<u32>> = open.iter().cloned().collect();
        let mut found = None;
        while let Some(state) = open.pop() {
            out.clear();
            if let Err(error) = program.successors(&mut worker, &state, &mut out) {
                assert!(program.assume_less(), "{name}: {}", error.0);
                continue 'again;
            }
            found = found.or(out.incomplete.map(|fault| program.fault(fault).message));
            for step in out.steps() {
                let target = out.target(step);
                if known.insert(target.to_vec()) {
                    open.push(target.to_vec());
                }
            }
        }
        return found;
    }
}

#[test]
fn weak_orders_of_memory_are_no_proof() {
    let Some(tools) = Tools::find() else { return };
    let programs = sources(&tests().join("orders"));
    let classes = scratch("orders");
    tools.compile(&programs, &classes, &[]);
    let wrong = parallel(&programs, |source| {
        let text = std::fs::read_to_string(source).expect("source");
        let weak = text.starts_with("// weak");
        assert!(weak || text.starts_with("// strong"), "{} promises nothing", source.display());
        // What locks keep apart is known only where a reduction looks at them.
        let ways: &[Reductions] = match text.starts_with("// strong with all reductions") {
            true => &[Reductions::ALL],
            false => &[Reductions::ALL, Reductions::LOCAL],
        };
        let name = class_name(source);
        let found: Vec<_> = ways.iter().map(|&way| left_out(&classes, &name, way)).collect();
        let named = |why: &Option<String>| {
            why.as_ref().is_some_and(|why| why.contains("weaker than sequential consistency"))
        };
        let right = found.iter().all(|why| if weak { named(why) } else { why.is_none() });
        (!right).then(|| format!("{}: {found:?}", source.display()))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
