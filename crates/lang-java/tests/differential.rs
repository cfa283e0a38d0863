//! Programs on our virtual machine and on the real one: the same output, the same exceptions, the same
//! exit status.

mod support;

use std::path::Path;

use support::{
    NotYet, Tools, class_name, difference, generate, parallel, run_ours, scratch, sources, tests,
};

/// Programs that end the virtual machine, or are changed by being one of many.
const ENDING: [&str; 5] =
    ["AssertionStatus", "ExitInFinally", "Hooks", "HooksOnExit", "ThreadGroups"];

/// How many random programs are compared; `EVERYPATH_JAVA_RANDOM` asks for another number.
const RANDOM_PROGRAMS: u64 = 30;

/// Compares the programs; the text has everything that is not as expected. Most programs share one virtual
/// machine; where that shows a difference, which may be due to what others left behind, a machine of its
/// own decides.
fn compare(tools: &Tools, classes: &Path, programs: &[String], not_yet: &NotYet) -> Vec<String> {
    let alone = |name: &String| ENDING.iter().any(|other| other == name);
    let shared: Vec<String> = programs.iter().filter(|name| !alone(name)).cloned().collect();
    let shared = tools.run_together(classes, &shared);
    let complaints = parallel(programs, |name| {
        let ours = run_ours(classes, name);
        let difference = match shared.get(name) {
            Some(real) if difference(real, &ours).is_none() => None,
            _ => difference(&tools.run(classes, name), &ours),
        };
        not_yet.complaint(name, difference.as_deref())
    });
    complaints.into_iter().flatten().collect()
}

#[test]
fn programs_do_what_they_do_in_java() {
    let Some(tools) = Tools::find() else { return };
    let sources = sources(&tests().join("programs"));
    let programs: Vec<String> = sources.iter().map(|source| class_name(source)).collect();
    assert!(programs.len() >= 200, "only {} programs", programs.len());
    let classes = scratch("programs");
    tools.compile(&sources, &classes, &[]);
    let not_yet = NotYet::read();
    let complaints = compare(&tools, &classes, &programs, &not_yet);
    assert!(
        complaints.is_empty(),
        "{} of {}\n{}",
        complaints.len(),
        programs.len(),
        complaints.join("\n")
    );
}

#[test]
fn random_programs_do_what_they_do_in_java() {
    let Some(tools) = Tools::find() else { return };
    let count = std::env::var("EVERYPATH_JAVA_RANDOM")
        .map_or(RANDOM_PROGRAMS, |text| text.parse().expect("a number"));
    let directory = scratch("random-sources");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("directory");
    let programs: Vec<String> = (0..count).map(|seed| format!("Random{seed}")).collect();
    for (seed, name) in (0..).zip(&programs) {
        std::fs::write(directory.join(format!("{name}.java")), generate::program(name, seed))
            .expect("source");
    }
    let classes = scratch("random");
    tools.compile(&sources(&directory), &classes, &[]);
    let complaints = compare(&tools, &classes, &programs, &NotYet::read());
    assert!(complaints.is_empty(), "{} of {count}\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn the_list_of_what_fails_names_programs_only() {
    let mut known: Vec<String> =
        sources(&tests().join("programs")).iter().map(|source| class_name(source)).collect();
    let conformance =
        std::fs::read_dir(tests().join("conformance")).expect("conformance").flatten();
    known.extend(conformance.map(|entry| entry.file_name().to_string_lossy().into_owned()));
    known.sort();
    let not_yet = NotYet::read();
    let strangers =
        not_yet.strangers(|name| known.binary_search_by(|known| known.as_str().cmp(name)).is_ok());
    assert!(strangers.is_empty(), "not-yet.txt names {strangers:?}");
}
