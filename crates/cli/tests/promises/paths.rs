//! A2: what a configuration or a document names lies below its folder, and replaces nothing of others.

use std::fs;
use std::os::unix::fs::symlink;

use super::project::{HOLDS, Project, VIOLATED};

/// A project in a folder, with something beside it that must stay as it is.
fn beside() -> Project {
    let project = Project::new(&[
        ("in/m.pml", VIOLATED),
        ("in/sub/x.txt", "mine\n"),
        ("victim/bashrc", "export PATH\n"),
    ]);
    symlink("../victim", project.path.join("in/away")).unwrap();
    symlink("../victim/new", project.path.join("in/dangling")).unwrap();
    symlink("../victim/bashrc", project.path.join("in/file")).unwrap();
    project
}

fn untouched(project: &Project, what: &str) {
    let names: Vec<_> = fs::read_dir(project.path.join("victim"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(names, ["bashrc"], "{what}");
    assert_eq!(project.read("victim/bashrc"), "export PATH\n", "{what}");
    assert_eq!(project.read("in/sub/x.txt"), "mine\n", "{what}");
    assert_eq!(project.read("in/m.pml"), VIOLATED, "{what}");
}

#[test]
fn a_configuration_writes_below_its_folder_only() {
    let project = beside();
    let absolute = project.path.join("victim/x").display().to_string();
    for config in [
        "output = [\"json=../victim/x\"]".to_owned(),
        "output = [\"json=../victim/bashrc\"]".to_owned(),
        "output = [\"full=away/x\"]".to_owned(),
        "output = [\"full=away/bashrc\"]".to_owned(),
        "output = [\"sarif=file\"]".to_owned(),
        "output = [\"json=dangling\"]".to_owned(),
        "output = [\"json=sub/../../victim/x\"]".to_owned(),
        format!("output = [\"json={absolute}\"]"),
        "disk = \"../victim/x\"".to_owned(),
        "disk = \"away/x\"".to_owned(),
        "disk = \"dangling\"".to_owned(),
        format!("disk = \"{absolute}\""),
        "include = [\"../victim\"]".to_owned(),
        "class-path = \"sub:../victim\"".to_owned(),
        "source-path = \"away\"".to_owned(),
        "fsa = [\"../victim/bashrc\"]".to_owned(),
    ] {
        project.write("in/everypath.toml", format!("[check]\n{config}\n"));
        let run = project.run_in("in", &["check", "m.pml"]);
        assert_eq!(run.code, 2, "{config}: {}", run.err);
        let told = run.err.contains("outside of the folder") || run.err.contains("leads nowhere");
        assert!(told && run.err.contains("--trust"), "{config}: {}", run.err);
        assert!(run.err.contains("everypath.toml:2:"), "{config}: {}", run.err);
        untouched(&project, &config);
    }
    for path in ["../victim", "../victim/*", "away", "/etc", "file"] {
        project.write("in/everypath.toml", format!("[[target]]\npath = \"{path}\"\n"));
        let run = project.run_in("in", &["check"]);
        assert_eq!(run.code, 2, "{path}: {}", run.err);
        assert!(run.err.contains("outside of the folder"), "{path}: {}", run.err);
    }
}

#[test]
fn a_configuration_replaces_no_file_that_everypath_did_not_write() {
    let project = beside();
    for format in
        ["full", "concise", "json", "jsonl", "sarif", "junit", "github", "gitlab", "trail"]
    {
        for file in ["sub/x.txt", "m.pml", "everypath.toml"] {
            project
                .write("in/everypath.toml", format!("[check]\noutput = [\"{format}={file}\"]\n"));
            let run = project.run_in("in", &["check", "m.pml"]);
            assert_eq!(run.code, 2, "{format} {file}: {}", run.err);
            untouched(&project, format);
        }
        // What it wrote itself it replaces.
        project.write("in/everypath.toml", format!("[check]\noutput = [\"{format}=out\"]\n"));
        for round in 0..3 {
            let run = project.run_in("in", &["check", "m.pml"]);
            assert_eq!(run.code, 1, "{format}, round {round}: {}", run.err);
        }
        assert!(!project.read("in/out").is_empty(), "{format}");
        fs::remove_file(project.path.join("in/out")).unwrap();
    }
}

#[test]
fn the_command_line_may_name_everything_and_trust_the_file() {
    let project = beside();
    let run = project.run_in("in", &["check", "m.pml", "-o", "json=../victim/bashrc"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(project.read("victim/bashrc").starts_with("{\"schema\":"));
    project.write("in/everypath.toml", "[check]\noutput = [\"full=../victim/bashrc\"]\n");
    assert_eq!(project.run_in("in", &["check", "m.pml"]).code, 2);
    assert_eq!(project.run_in("in", &["check", "m.pml", "--trust"]).code, 1);
    assert!(project.read("victim/bashrc").contains("error[EP0101]"));
}

#[test]
fn the_folder_of_runs_is_no_link() {
    for link in [".everypath", ".everypath/runs", ".everypath/checkpoints", ".everypath/disk"] {
        let project = beside();
        let path = project.path.join("in").join(link);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(project.path.join("victim"), &path).unwrap();
        let run =
            project.run_in("in", &["check", "m.pml", "--checkpoint=1ms", "--disk", "--verbose"]);
        assert!([1, 2].contains(&run.code), "{link}: {}", run.err);
        untouched(&project, link);
    }
    // Nor are the files in it: those that links lead to stay.
    let project = beside();
    fs::create_dir_all(project.path.join("in/.everypath/runs")).unwrap();
    for name in ["last", ".gitignore"] {
        let link = project.path.join("in/.everypath").join(name);
        symlink(project.path.join("victim/bashrc"), link).unwrap();
    }
    assert_eq!(project.run_in("in", &["check", "m.pml"]).code, 1);
    untouched(&project, "last");
}

#[test]
fn documents_of_strangers_write_nothing_elsewhere() {
    let project = beside();
    let run = project.run_in("in", &["check", "m.pml", "--no-save", "--format", "json"]);
    for option in ["--output=json=../victim/bashrc", "--disk=../victim/x", "-oconcise=sub/x.txt"] {
        let mut result: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        result["run"]["argv"] =
            serde_json::json!(["everypath", "check", "m.pml", option, "--trust"]);
        project.write("in/old.json", result.to_string());
        let run = project.run_in("in", &["diff", "old.json", "m.pml"]);
        assert_eq!(run.code, 2, "{option}: {} {}", run.out, run.err);
        untouched(&project, option);
    }
    // A checkpoint says how its run was called, too.
    let endless = "int x, y;\nactive proctype P() { do :: x++ :: x - y != 1 -> y++ od }\n";
    project.write("in/endless.pml", endless);
    let args = ["check", "endless.pml", "--checkpoint", "--states", "1000"];
    assert_eq!(project.run_in("in", &args).code, 3);
    let folder = project.path.join("in/.everypath/checkpoints");
    let path = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let bytes = fs::read(&path).unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assert!(text.contains("--states=1000"), "the words of the command line are in it");
    // The words keep their length, so that the header does.
    let at = bytes.windows(13).position(|word| word == b"--states=1000").unwrap();
    let mut hostile = bytes.clone();
    hostile[at..at + 13].copy_from_slice(b"--disk=../new");
    fs::write(&path, hostile).unwrap();
    let run = project.run_in("in", &["check", "--resume", "last"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(!project.path.join("new").exists());
}

#[test]
fn trails_and_traces_do_not_follow_links() {
    let project = beside();
    symlink("../victim/bashrc", project.path.join("in/m.pml.trail")).unwrap();
    let run = project.run_in("in", &["spin", "-run", "m.pml"]);
    assert!(run.out.contains("errors: 1"), "{} {}", run.out, run.err);
    untouched(&project, "m.pml.trail");
    project.write("in/good.pml", HOLDS);
    assert_eq!(project.run_in("in", &["check", "good.pml"]).code, 0);
}
