//! C14: the inputs of a result are those of the program, with their hashes, and so are its places.

use std::process::Command;

use everypath_testkit::needs;
use everypath_verdict::sha256_hex;
use serde_json::Value;

use super::javac;
use super::project::Project;

const MAIN: &str = "public class Main {\n public static void main(String[] args) {\n  int x = Used.X;\n  \
                    assert x == 2;\n }\n}\n";
const USED: &str = "class Used { static int X = 1; }\n";

/// Paths and hashes of the inputs, and the file of the first place.
fn inputs(project: &Project, args: &[&str]) -> (Vec<(String, String)>, Option<String>) {
    let args: Vec<&str> =
        ["check", "--no-save", "--format=json"].iter().chain(args).copied().collect();
    let run = project.run(&args);
    let document: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{args:?}: {e} {}", run.err));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let all = document["inputs"].as_array().unwrap();
    let inputs =
        all.iter().map(|one| (text(&one["path"]), text(&one["sha256"]))).collect::<Vec<_>>();
    let violated =
        document["properties"].as_array().unwrap().iter().find(|one| one["verdict"] == "violated");
    let place = violated.and_then(|one| one["span"]["file"].as_u64());
    let file = place.map(|file| inputs[file as usize].0.clone());
    (inputs, file)
}

fn hash(project: &Project, name: &str) -> (String, String) {
    (name.to_owned(), sha256_hex(&std::fs::read(project.path.join(name)).unwrap()))
}

#[test]
fn inputs_are_the_files_that_a_program_consists_of() {
    if !needs::javac() {
        return;
    }
    let project = Project::new(&[
        ("Main.java", MAIN),
        ("Used.java", USED),
        ("Other.java", "class Other { }\n"),
        ("old/Main.java", "\n\n\n\nclass Main { }\n"),
    ]);
    let expected = vec![hash(&project, "Main.java"), hash(&project, "./Used.java")];
    assert_eq!(inputs(&project, &["Main.java"]), (expected, Some("Main.java".to_owned())));
    // Class files beside their sources: those in other folders are of something else.
    javac(&project.path, ".", &["Main.java"]);
    let (all, file) = inputs(&project, &["Main.class"]);
    assert_eq!(
        all,
        [hash(&project, "./Main.java"), hash(&project, "./Used.java")].map(|(path, sha)| {
            let found =
                all.iter().find(|(other, _)| other.ends_with(path.trim_start_matches("./")));
            (found.map(|(path, _)| path.clone()).unwrap_or_default(), sha)
        })
    );
    assert!(file.is_some_and(|file| file.ends_with("Main.java") && !file.contains("old/")));
}

#[test]
fn class_files_and_jars_have_hashes_of_their_own() {
    if !needs::javac() {
        return;
    }
    let project = Project::new(&[
        ("src/app/Main.java", &format!("package app;\n{MAIN}")),
        ("src/app/Used.java", &format!("package app;\n{USED}")),
    ]);
    javac(&project.path, "out", &["src/app/Main.java", "src/app/Used.java"]);
    let jar = Command::new("jar")
        .args(["cfe", "app.jar", "app.Main", "-C", "out", "."])
        .current_dir(&project.path)
        .status();
    std::fs::remove_dir_all(project.path.join("src")).unwrap();
    let class = "out/app/Main.class";
    assert_eq!(inputs(&project, &[class]).0, [hash(&project, class)]);
    assert_eq!(inputs(&project, &["out", "--main", "app.Main"]).0, [hash(&project, class)]);
    if jar.is_ok_and(|status| status.success()) {
        assert_eq!(inputs(&project, &["app.jar"]).0, [hash(&project, "app.jar")]);
    }
}

#[test]
fn a_place_is_never_in_a_file_of_another_package() {
    if !needs::javac() {
        return;
    }
    let other = format!("package other;\n\n\n\n{MAIN}");
    let project =
        Project::new(&[("Main.java", MAIN), ("Used.java", USED), ("src/other/Main.java", &other)]);
    javac(&project.path, "out", &["Main.java", "Used.java"]);
    // The source of another class of that name is all that is there.
    let (all, file) = inputs(&project, &["out/Main.class", "--source-path", "src"]);
    assert_eq!((all, file), (vec![hash(&project, "out/Main.class")], None));
}
