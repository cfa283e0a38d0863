//! Small programs with several threads: all ways in which they can end, as their first lines say.

mod support;

use std::path::Path;

use everypath_lang_java::{Jdk, Options, Program, Reductions};
use support::{Tools, class_name, parallel, scratch, sources, tests};

/// The most states that are looked at.
const MOST: usize = 200_000;

/// What a source promises: `// ends: ...` for each end, `// endless` if a path need not end.
fn promised(source: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(source).expect("source");
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    let mut ends: Vec<String> = lines
        .filter_map(|line| match line {
            "// endless" => Some("endless".to_owned()),
            _ => line.strip_prefix("// ends: ").map(str::to_owned),
        })
        .collect();
    ends.sort();
    ends
}

fn found(classes: &Path, name: &str, reductions: Reductions) -> Result<Vec<String>, String> {
    let options = Options::new(vec![classes.to_path_buf()], name);
    let options = Options { output: true, reductions, ..options };
    let program = Program::load(&Jdk::find()?, &options)?;
    let outcomes = program.outcomes(MOST).map_err(|error| error.0)?;
    let outcomes = outcomes.ok_or_else(|| format!("more than {MOST} states"))?;
    let mut ends: Vec<String> = outcomes
        .ends
        .iter()
        .map(|end| {
            let mut parts = Vec::new();
            if !end.stdout.is_empty() {
                parts.push(end.stdout.trim_end().replace('\n', "|"));
            }
            parts.extend(end.uncaught.iter().map(|text| format!("uncaught {text}")));
            if end.deadlock {
                parts.push("deadlock".to_owned());
            }
            parts.join("; ")
        })
        .collect();
    if outcomes.endless {
        ends.push("endless".to_owned());
    }
    ends.sort();
    Ok(ends)
}

#[test]
fn searches_find_every_end_and_no_other() {
    let Some(tools) = Tools::find() else { return };
    let programs = sources(&tests().join("searches"));
    assert!(programs.len() >= 9, "only {} programs", programs.len());
    let classes = scratch("searches");
    let library = tests().join("../library").display().to_string();
    tools.compile(&programs, &classes, &["-sourcepath", &library]);
    let wrong = parallel(&programs, |source| {
        let (name, promised) = (class_name(source), promised(source));
        assert!(!promised.is_empty(), "{name} promises nothing");
        let reduced = found(&classes, &name, Reductions::ALL);
        // A path that waits inside of a call of the library for ever has no steps there.
        let all = |ends: &[String]| ends.iter().filter(|end| *end != "endless").cloned().collect();
        match (found(&classes, &name, Reductions::LOCAL), &reduced) {
            (Ok(ends), Ok(fewer))
                if ends == promised && Vec::<String>::eq(&all(&ends), &all(fewer)) =>
            {
                None
            }
            (other, _) => Some(format!(
                "{name}: promised {promised:#?}, found {other:#?}, with all reductions {reduced:#?}"
            )),
        }
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
