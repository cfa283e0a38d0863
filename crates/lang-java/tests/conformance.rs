//! Texts and behaviours that programs rely on, one small program for each. The expected output lies beside
//! the program; it was made by the real virtual machine, and a test compares it with the one at hand.

mod support;

use std::path::PathBuf;
use std::sync::OnceLock;

use support::{NotYet, Run, Tools, difference, once, parallel, run_ours, scratch, tests};

/// The class directory of a program; all of them are compiled on first use.
fn classes(name: &str) -> Option<PathBuf> {
    static COMPILED: OnceLock<bool> = OnceLock::new();
    let compiled = *COMPILED.get_or_init(|| {
        let Some(tools) = Tools::find() else { return false };
        let jobs: Vec<_> = names()
            .iter()
            .map(|name| {
                let source = tests().join("conformance").join(name).join("C.java");
                let text = std::fs::read_to_string(&source).expect("source");
                let options = text.lines().find_map(|line| line.strip_prefix("// javac: "));
                let mut words = vec![source.display().to_string()];
                words.extend(options.unwrap_or("").split_whitespace().map(str::to_string));
                (scratch("conformance").join(name), words)
            })
            .collect();
        let mut sources = vec![tests().join("tools/Compile.java")];
        sources.extend(jobs.iter().map(|(_, words)| PathBuf::from(&words[0])));
        once(&scratch("conformance"), &sources, || tools.compile_each(&jobs));
        true
    });
    compiled.then(|| scratch("conformance").join(name))
}

fn names() -> Vec<String> {
    let entries = std::fs::read_dir(tests().join("conformance")).expect("conformance").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn expected(name: &str) -> Run {
    let read = |file| std::fs::read_to_string(tests().join("conformance").join(name).join(file));
    Run {
        stdout: read("expected.out").expect("expected.out"),
        stderr: read("expected.err").unwrap_or_default(),
        status: read("expected.status").map_or(0, |text| text.trim().parse().expect("a status")),
    }
}

/// Line numbers of the library differ between releases of the JDK.
fn without_library_lines(mut run: Run) -> Run {
    let lines = run.stderr.lines().map(|line| match line.rsplit_once(':') {
        Some((place, _)) if line.starts_with("\tat java.base/") => format!("{place}\n"),
        _ => format!("{line}\n"),
    });
    run.stderr = lines.collect();
    run
}

fn check(name: &str) {
    let Some(classes) = classes(name) else { return };
    let expected = without_library_lines(expected(name));
    let ours = run_ours(&classes, "C").map(without_library_lines);
    if let Some(complaint) = NotYet::read().complaint(name, difference(&expected, &ours).as_deref())
    {
        panic!("{complaint}");
    }
}

#[test]
fn the_expected_texts_are_what_java_prints() {
    let Some(tools) = Tools::find() else { return };
    let wrong = parallel(&names(), |name| {
        let real = without_library_lines(tools.run(&classes(name).expect("a JDK"), "C"));
        let text = difference(&without_library_lines(expected(name)), &Ok(real));
        text.map(|text| format!("{name}: {text}"))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "\"java\" is the file, \"ours\" is java\n{}", wrong.join("\n"));
}

macro_rules! programs {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*

        #[test]
        fn every_program_has_a_test() {
            assert_eq!(names(), [$(stringify!($name)),*]);
        }
    };
}

programs! {
    t01 t02 t03 t04 t05 t05g t06 t07 t08 t09 t10 t11 t12 t13 t14 t15 t16 t17 t18 t19 t20 t21 t22 t23 t24 t25 t26 t27
    t28 t29 t30 t31 t32 t33 t34 t35 t36 t37 t38 t39 t40 t41 t42 t43 t44 t44m t45 t46 t46a t47 t48 t49 t50 t51 t52 t53
    t54 t55 t56 t57 t58 t59 t60 t61 t62 t63 t64 t65 t66 t67 t68 t69 t70 t71 t72
}
