//! `-o FMT=FILE`

use crate::project::{HOLDS, Run};
use crate::{FORMATS, check, models};

#[test]
fn one_run_writes_all_formats() {
    let project = models();
    let files: Vec<String> = FORMATS.iter().map(|format| format!("{format}=r.{format}")).collect();
    // Longer than what comes, to see that nothing of it stays.
    for format in FORMATS {
        std::fs::write(project.path.join(format!("r.{format}")), "x".repeat(100_000)).unwrap();
    }
    let mut args = vec!["check", "violated.pml", "broken.pml"];
    for file in &files {
        args.extend(["-o", file]);
    }
    let Run { code, out, err } = project.run(&args);
    assert_eq!(code, 1, "{err}");
    assert!(out.starts_with("error[EP0101]"), "{out}");
    for format in FORMATS {
        let text = project.read(&format!("r.{format}"));
        assert!(
            !text.contains("xxx") && text.contains("EP0101") && text.contains("EP1203"),
            "{text}"
        );
        let (_, alone) = check(&project, &["violated.pml", "broken.pml"], format);
        if ["concise", "junit", "github", "gitlab"].contains(&format) {
            let timeless = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
            assert_eq!(timeless(&text), timeless(&alone), "{format}");
        }
    }
    let Run { out, .. } = project.run(&["check", "holds.pml", "-q", "-o", "gitlab=-"]);
    assert_eq!(out.trim(), "[]");
    let Run { code, out, err } =
        project.run(&["check", "holds.pml", "-o", "sarif=no/such.sarif", "-o", "json=kept.json"]);
    assert_eq!(code, 2);
    assert_eq!(err, "error: cannot write no/such.sarif: there is no directory no\n");
    assert!(out.contains("holds  no deadlock"), "{out}");
    assert!(project.read("kept.json").contains("\"verdict\":\"holds\""));
    for (output, why) in [
        ("json=./holds.pml", "./holds.pml: it is an input"),
        ("json=kept.json", "kept.json: it is named twice"),
        ("json=.", ".: is a directory"),
    ] {
        let Run { code, err, .. } =
            project.run(&["check", "holds.pml", "-q", "-o", "full=kept.json", "-o", output]);
        assert_eq!((code, err), (2, format!("error: cannot write {why}\n")));
    }
    assert_eq!(project.read("holds.pml"), HOLDS);
}
