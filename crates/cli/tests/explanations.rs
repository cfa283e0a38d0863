//! Counterexamples as people read them, at several widths.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use insta::assert_snapshot;

const RENDEZVOUS: &str = "\
mtype = { REQ, ACK };
chan q = [1] of { mtype };
chan r = [0] of { mtype };
active proctype Client()
{
  q!REQ;
  q??ACK;
  r!REQ
}
active proctype Server()
{
  q?REQ;
  r?REQ;
  q!ACK
}
";
const MISSING: &str = "\
chan q = [1] of { byte };
chan done = [1] of { bool };
active proctype Producer()
{
  q!1;
  q!2;
  q!3;
  q!4;
  done!true
}
active proctype Consumer()
{
  byte x;
  q?x;
  q?x
}
active proctype Log()
{
end:
  do
  :: done?true -> printf(\"done\\n\")
  od
}
";
const LOCK: &str = "\
bool lock;
byte inside;
active [2] proctype P()
{
  do
  :: lock == 0 ->
     lock = 1;
     inside++;
     assert(inside == 1);
     inside--;
     lock = 0
  od
}
";
const INVARIANT: &str = "\
byte a, b, limit = 3;
active proctype A() { a = 2 }
active proctype B() { b = 1; b = 2 }
";
const CHOICE: &str = "\
mtype = { ON, OFF };
chan ctl = [2] of { mtype };
bool ready;
active proctype Device()
{
  ctl!OFF;
  do
  :: ctl?ON -> ready = true
  :: ready -> break
  od
}
";

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What `everypath check` prints about a model, without what differs from run to run.
fn check(name: &str, text: &str, width: usize, options: &[&str]) -> String {
    let folder = format!("everypath-told-{}-{name}-{width}", std::process::id());
    let folder = Folder(std::env::temp_dir().join(folder));
    std::fs::create_dir_all(&folder.0).unwrap();
    std::fs::write(folder.0.join("m.pml"), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_everypath"));
    command.args(["check", "m.pml"]).args(options).current_dir(&folder.0).stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "TERM"] {
        command.env_remove(name);
    }
    let output = command.env("COLUMNS", width.to_string()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{name}");
    let out = String::from_utf8(output.stdout).unwrap();
    let ascii = options.contains(&"--ascii");
    for line in out.lines() {
        assert!(line.chars().count() <= width || line.starts_with("error"), "{width}: {line}");
        assert!(!ascii || line.is_ascii(), "{line}");
    }
    let next = out.contains("  next: everypath show last");
    assert_eq!(next, !options.contains(&"none"), "{out}");
    out.lines()
        .filter(|line| !line.contains("searched:") && !line.starts_with("  next: "))
        .map(|line| line.to_owned() + "\n")
        .collect()
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela").join(name);
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_deadlock_with_a_circle() {
    let text = example("philosophers.pml").replace("#define N 5", "#define N 3");
    assert_snapshot!("circle_80", check("circle", &text, 80, &[]));
    assert_snapshot!("circle_60_ascii", check("circle", &text, 60, &["--ascii"]));
    assert_snapshot!("circle_120", check("circle", &text, 120, &[]));
}

#[test]
fn a_rendezvous_that_never_comes() {
    assert_snapshot!("rendezvous_80", check("rendezvous", RENDEZVOUS, 80, &[]));
    assert_snapshot!("rendezvous_60", check("rendezvous", RENDEZVOUS, 60, &[]));
}

#[test]
fn a_receiver_that_is_gone() {
    assert_snapshot!("missing_80", check("missing", MISSING, 80, &[]));
    assert_snapshot!("missing_60_ascii", check("missing", MISSING, 60, &["--ascii"]));
}

#[test]
fn a_choice_of_statements() {
    assert_snapshot!("choice_80", check("choice", CHOICE, 80, &[]));
}

#[test]
fn a_lost_update_with_its_fix() {
    let text = example("counter.pml");
    assert_snapshot!("lost_update_80", check("lost", &text, 80, &[]));
    assert_snapshot!("lost_update_120", check("lost", &text, 120, &[]));
}

#[test]
fn an_outdated_check_with_its_fix() {
    assert_snapshot!("lock_80", check("lock", LOCK, 80, &[]));
    assert_snapshot!("lock_60", check("lock", LOCK, 60, &[]));
}

#[test]
fn a_fix_is_tried_and_only_offered_if_it_holds() {
    // Here something else is wrong as well, which the fix does not cure.
    let text = LOCK.replace("inside--;", "inside--; assert(!lock);");
    let out = check("unfixed", &text, 80, &["--all-errors"]);
    assert!(out.contains("why: ") && !out.contains("try: "), "{out}");
    let none = check("untold", LOCK, 80, &["--trace", "none"]);
    assert!(!none.contains("try: "), "{none}");
}

#[test]
fn an_invariant_with_its_last_writers() {
    let options = ["--invariant", "a + b <= limit"];
    assert_snapshot!("last_writers_80", check("invariant", INVARIANT, 80, &options));
}
