//! everypath.toml, the environment and the command line.

mod project;

use std::time::Instant;

use everypath_verdict::{Expectation, RunResult};
use project::{ENDLESS, HOLDS, Project, VIOLATED};

const BOUNDED: &str =
    "byte x;\nactive proctype P() { do :: x < N -> x++ :: else -> break od; assert(x < 5) }\n";

fn json(text: &str) -> Vec<RunResult> {
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    match value.get("results") {
        Some(results) => serde_json::from_value(results.clone()).unwrap(),
        None => vec![serde_json::from_value(value).unwrap()],
    }
}

/// The paths and verdicts of a run.
fn verdicts(project: &Project, folder: &str, args: &[&str]) -> Vec<(String, String)> {
    let args: Vec<&str> = ["check", "--format=json"].iter().chain(args).copied().collect();
    let run = project.run_in(folder, &args);
    assert!(!run.out.is_empty(), "{args:?}: {}", run.err);
    json(&run.out)
        .into_iter()
        .map(|result| (result.inputs[0].path.clone(), result.verdict.to_string()))
        .collect()
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|&(path, verdict)| (path.to_owned(), verdict.to_owned())).collect()
}

#[test]
fn the_file_is_found_upwards_and_its_paths_start_there() {
    let config =
        "[check]\ninclude = [\"inc\"]\n[[target]]\npath = \"models\"\ndefine = { N = 3 }\n";
    let project = Project::new(&[
        ("everypath.toml", config),
        ("inc/limit.h", "#define LIMIT N\n"),
        ("models/a.pml", "#include \"limit.h\"\nactive proctype P() { assert(LIMIT == 3) }\n"),
        ("models/deep/er/b.pml", HOLDS),
    ]);
    let holds = |paths: [&str; 2]| pairs(&[(paths[0], "holds"), (paths[1], "holds")]);
    assert_eq!(verdicts(&project, "", &[]), holds(["models/a.pml", "models/deep/er/b.pml"]));
    assert_eq!(
        verdicts(&project, "models/deep", &[]),
        holds(["../../models/a.pml", "../../models/deep/er/b.pml"])
    );
    // The settings of a target count for its files when they are named, too.
    assert_eq!(verdicts(&project, "models", &["a.pml"]), pairs(&[("a.pml", "holds")]));
    assert_eq!(verdicts(&project, "", &["models/deep/.././a.pml"]).len(), 1);
    assert_eq!(project.run(&["check", "models/a.pml", "--no-config"]).code, 2);
    // The runs are kept beside the file.
    assert!(project.path.join(".everypath/last").exists());
    assert!(!project.path.join("models/.everypath").exists());
}

#[test]
fn the_stronger_origin_wins() {
    let config =
        "[check]\nstates = 10\nsearch = \"dfs\"\n[[target]]\npath = \"a.pml\"\nstates = 20\n";
    let project =
        Project::new(&[("everypath.toml", config), ("a.pml", ENDLESS), ("b.pml", ENDLESS)]);
    let states = |args: &[&str], variable: Option<&str>| {
        let all: Vec<&str> = ["check", "--format=json"].iter().chain(args).copied().collect();
        let mut command = project.command(&all);
        if let Some(value) = variable {
            command.env("EVERYPATH_STATES", value);
        }
        let output = command.output().unwrap();
        let result = json(&String::from_utf8(output.stdout).unwrap()).remove(0);
        (result.scope.bounds["states"].as_u64().unwrap(), result.run.search)
    };
    let dfs = |states| (states, "dfs".to_owned());
    assert_eq!(states(&["b.pml"], None), dfs(10));
    assert_eq!(states(&["a.pml"], None), dfs(20));
    assert_eq!(states(&["a.pml"], Some("30")), dfs(30));
    assert_eq!(states(&["a.pml", "--states", "40"], Some("30")), dfs(40));
    assert_eq!(states(&["a.pml", "--states=40", "--search=bfs"], None), (40, "bfs".to_owned()));
    // A wrong variable is an error, as a wrong option is.
    let output = project.command(&["check", "a.pml"]).env("EVERYPATH_STATES", "many").output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("EVERYPATH_STATES is `many`"));
}

#[test]
fn macros_of_all_origins_count_and_the_strongest_value_of_each() {
    let config =
        "[check]\ndefine = { N = 1, M = 2 }\n[[target]]\npath = \"a.pml\"\ndefine = [\"N=3\"]\n";
    let text = "active proctype P() { assert(N == 3 && M == 2 && K == 7) }\n";
    let project = Project::new(&[("everypath.toml", config), ("a.pml", text)]);
    assert_eq!(project.run(&["check", "a.pml", "-DK=7"]).code, 0);
    assert_eq!(project.run(&["check", "a.pml", "-DK=7", "-D", "N=4"]).code, 1);
}

#[test]
fn a_file_may_be_checked_in_several_ways() {
    let config = "\
[[target]]
path = \"*.pml\"
[[target]]
path = \"bounded.pml\"
define = { N = 3 }
[[target]]
path = \"bounded.pml\"
define = { N = 5 }
expect = \"violated\"
";
    let project = Project::new(&[
        ("everypath.toml", config),
        ("bounded.pml", BOUNDED),
        ("other.pml", HOLDS),
        (".hidden/x.pml", VIOLATED),
        ("readme.txt", "proctype"),
    ]);
    // A file that a target names does not belong to a pattern as well.
    let all = [("other.pml", "holds"), ("bounded.pml", "holds"), ("bounded.pml", "violated")];
    assert_eq!(verdicts(&project, "", &[]), pairs(&all));
    assert_eq!(verdicts(&project, "", &["bounded.pml"]), pairs(&all[1..]));
    assert_eq!(project.run(&["check"]).code, 0);
}

#[test]
fn expectations_of_properties_decide_the_exit_code() {
    let config = |name: &str, expect: &str| {
        format!(
            "[[target]]\npath = \"*.pml\"\n[[target.prop]]\nname = \"{name}\"\n\
             expect = \"{expect}\"\nreason = \"teaching example\"\n"
        )
    };
    let project = Project::new(&[("v.pml", VIOLATED), ("h.pml", HOLDS)]);
    for (file, name, expect, code, last) in [
        (
            "v.pml",
            "assertions",
            "violated",
            0,
            "violated as expected: 1 of 2 properties     (exit 0)",
        ),
        (
            "v.pml",
            "assert@2:30",
            "violated",
            0,
            "violated as expected: 1 of 2 properties     (exit 0)",
        ),
        ("v.pml", "deadlock", "holds", 1, "violated: 1 of 2 properties     (exit 1)"),
        (
            "v.pml",
            "deadlock",
            "violated",
            1,
            "unmet: no deadlock is expected to be violated (teaching example), but it holds     \
             (exit 1)",
        ),
        (
            "h.pml",
            "assertions",
            "violated",
            1,
            "unmet: assert@2:30 is expected to be violated (teaching example), but it holds     \
             (exit 1)",
        ),
        ("h.pml", "fnord", "violated", 2, "error in the expectations     (exit 2)"),
    ] {
        project.write("everypath.toml", config(name, expect));
        let run = project.run(&["check", file]);
        assert_eq!((run.code, run.last()), (code, last), "{file} {name} {expect}: {}", run.out);
    }
    project.write("everypath.toml", config("assertions", "violated"));
    let result = json(&project.run(&["check", "v.pml", "--format=json"]).out).remove(0);
    assert_eq!(result.exit, 0);
    assert_eq!(result.properties[0].expected, Some(Expectation::Violated));
    assert_eq!(result.properties[0].expected_because.as_deref(), Some("teaching example"));
    assert_eq!(result.properties[1].expected, None);
}

#[test]
fn directories_are_searched_for_models() {
    let project = Project::new(&[
        ("m/b.pml", HOLDS),
        ("m/a/z.promela", VIOLATED),
        ("m/.hidden/x.pml", VIOLATED),
        ("m/.everypath/y.pml", VIOLATED),
        ("m/notes.txt", "active proctype"),
        ("empty/notes.txt", ""),
    ]);
    #[cfg(unix)]
    for (from, to) in [("m/a/loop", ".."), ("m/again", "a"), ("m/broken", "nowhere")] {
        std::os::unix::fs::symlink(to, project.path.join(from)).unwrap();
    }
    let found = verdicts(&project, "", &["m"]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[1], ("m/b.pml".to_owned(), "holds".to_owned()));
    let run = project.run(&["check", "empty"]);
    assert_eq!(run.code, 2);
    assert!(run.out.contains("cannot read empty: it is a directory without models"), "{}", run.out);
}

#[test]
fn every_setting_is_shown_with_its_origin() {
    let config = "[check]\ntime = \"10m\"\n\n[[target]]\npath = \"a.pml\"\ndefine = { N = 3 }\n";
    let project = Project::new(&[("everypath.toml", config), ("a.pml", HOLDS)]);
    let output = project
        .command(&["check", "--show-config", "--depth", "7"])
        .env("EVERYPATH_MEM", "1GiB")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    for (key, value, from) in [
        ("time", "\"10m\"", "everypath.toml:2"),
        ("mem", "\"1GiB\"", "EVERYPATH_MEM"),
        ("depth", "\"7\"", "command line"),
        ("search", "\"auto\"", "default"),
        ("define", "[\"N=3\"]", "everypath.toml:6"),
    ] {
        let wanted = format!("{key} = {value}");
        let mut lines = text.lines().filter_map(|line| line.split_once("  # "));
        assert!(
            lines.any(|(setting, origin)| (setting.trim_end(), origin) == (&wanted, from)),
            "{key}: {text}"
        );
    }
    // What is shown is a file that says the same.
    project.write("shown.toml", &text);
    let again = project.run(&["check", "--config", "shown.toml", "--show-config"]);
    assert_eq!(again.code, 0, "{}{text}", again.err);
    assert!(again.out.contains("depth = \"7\""), "{}", again.out);
    assert!(!project.path.join(".everypath").exists(), "nothing was checked");
}

#[test]
fn errors_name_the_place_and_what_there_is() {
    let project = Project::new(&[("a.pml", HOLDS)]);
    for (config, place, expected) in [
        ("[chek]\n", "1:2", "did you mean `check`?"),
        ("[check]\nserach = 1\n", "2:1", "did you mean `search`?"),
        ("[check]\ntime = \"soon\"\n", "2:8", "`time`: expected a time such as"),
        ("[check]\nsearch = \"swam\"\n", "2:10", "did you mean `swarm`? there are: auto, bfs, dfs"),
        ("[check]\nquiet = \"yes\"\n", "2:9", "`quiet` has to be true or false, not a string"),
        ("[check]\ntime = [1]\n", "2:8", "`time` has to be a value, not an array"),
        ("[check]\ndefine = { N = [1] }\n", "2:16", "a macro is a number or a string"),
        ("[check]\nonly = [1]\n", "2:9", "expected a string, not an integer"),
        ("[check]\ntime = 5\ntime = 6\n", "3:1", "duplicate key"),
        ("[check\n", "1:7", "EP1006"),
        ("check = 3\n", "1:9", "`check` has to be a table"),
        ("[target]\npath = \"a.pml\"\n", "1:1", "`target` has to be a list"),
        ("[[target]]\ntime = \"1s\"\n", "1:1", "a target needs a `path`"),
        ("[[target]]\npath = 3\n", "2:8", "`path` has to be a string"),
        ("[[target]]\npath = \"a\\u0000b\"\n", "2:8", "this is no path"),
        ("[[target]]\npath = \"*/../a.pml\"\n", "2:8", "`..` cannot come after a wildcard"),
        ("[[target]]\npath = \"a.pml\"\ncolor = \"never\"\n", "3:1", "move it to [check]"),
        ("[[target]]\npath = \"a.pml\"\nprop = 3\n", "3:8", "`prop` has to be a list"),
        (
            "[[target]]\npath = \"a.pml\"\n[[target.prop]]\nexpect = \"holds\"\n",
            "3:1",
            "a property needs `name`",
        ),
        (
            "[[target]]\npath = \"a.pml\"\n[[target.prop]]\nname = \"x\"\nexpect = \"x\"\n",
            "5:10",
            "there are: holds, violated",
        ),
        ("[[target]]\npath = \"none/*.pml\"\n", "2:8", "there is no model"),
    ] {
        project.write("everypath.toml", config);
        let run = project.run(&["check"]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{config}: {}", run.err);
        assert!(
            run.err.contains(&format!("--> everypath.toml:{place}\n")),
            "{config}: {}",
            run.err
        );
        assert!(run.err.contains(expected), "{config}: {}", run.err);
    }
    let run = project.run(&["check", "--config", "none.toml", "a.pml"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot read none.toml: no such file"), "{}", run.err);
}

#[test]
fn hostile_files_are_refused_in_time() {
    let project = Project::new(&[("a.pml", HOLDS)]);
    let many = "[[target]]\npath = \"a.pml\"\n";
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("huge", many.repeat(1_000_000).into_bytes(), "it is larger than 1 MiB"),
        ("many", many.repeat(20_000).into_bytes(), "20000 targets are more than 10000"),
        ("latin", b"[check]\n# gr\xf6\xdfe\n".to_vec(), "line 2 is not UTF-8"),
        ("nul", b"[check]\0\n".to_vec(), "error[EP1006]"),
        ("deep", format!("x = {}", "[".repeat(100_000)).into_bytes(), "error[EP1006]"),
        ("dots", format!("{}x = 1", "a.".repeat(100_000)).into_bytes(), "error[EP100"),
        ("tables", format!("[{}x]", "a.".repeat(100_000)).into_bytes(), "error[EP100"),
        (
            "stars",
            format!("[[target]]\npath = \"{}\"\n", "**/".repeat(1000)).into_bytes(),
            "there is no model",
        ),
        (
            "keys",
            (0..50_000).map(|i| format!("k{i} = 1\n")).collect::<String>().into_bytes(),
            "more errors",
        ),
        ("escape", b"\"\\u001b[2J\" = 1\n".to_vec(), "the file has no key"),
    ];
    std::fs::remove_file(project.path.join("a.pml")).unwrap();
    for (name, bytes, expected) in cases {
        project.write("everypath.toml", bytes);
        let start = Instant::now();
        let run = project.run(&["check"]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{name}: {}", run.err);
        assert!(run.err.contains(expected), "{name}: {}", run.err);
        assert!(run.err.len() < 50_000 && !run.err.contains('\x1b'), "{name}: {}", run.err.len());
        assert!(start.elapsed().as_secs() < 20, "{name}: {:?}", start.elapsed());
    }
    std::fs::remove_file(project.path.join("everypath.toml")).unwrap();
    std::fs::create_dir(project.path.join("everypath.toml")).unwrap();
    let run = project.run(&["check"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot read everypath.toml: it is a directory"), "{}", run.err);
}

#[test]
fn runs_are_kept_unless_unwanted() {
    let project = Project::new(&[("a.pml", VIOLATED)]);
    project.run(&["check", "a.pml", "--no-save"]);
    let output = project.command(&["check", "a.pml"]).env("EVERYPATH_SAVE", "0").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    project.write("everypath.toml", "[check]\nsave = false\n");
    project.run(&["check", "a.pml"]);
    assert!(!project.path.join(".everypath").exists());
    project.write("everypath.toml", "");
    project.run(&["check", "a.pml"]);
    assert_eq!(project.read(".everypath/last"), "1\n");
    assert_eq!(project.read(".everypath/.gitignore"), "*\n");
    json(&project.read(".everypath/runs/1/result.json"));
    // A folder that cannot be made is worth a word to those who want many.
    let other = Project::new(&[("a.pml", HOLDS), (".everypath", "a file")]);
    let run = other.run(&["check", "a.pml"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let run = other.run(&["check", "a.pml", "-v"]);
    assert!(run.err.starts_with("note: the run is not kept: "), "{}", run.err);
}
