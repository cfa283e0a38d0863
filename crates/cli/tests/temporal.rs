//! Temporal properties on the command line.

mod project;

use project::Project;

const LABELS: &str = "byte x;
active proctype P() {
again:
  x = 1 - x;
  if
  :: goto again
  :: true
  fi;
progress:
  x = 0;
  goto again
}
active proctype Q() {
accept:
  (x == 3)
}
";
const CLAIM: &str = "byte x;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
never { do :: x == LIMIT -> break :: else od }
";
const REST: &str = "byte x;
active proctype P() { x = 1; x == 2 }
";

fn codes(model: &str, args: &[&str]) -> (i32, String) {
    let project = Project::new(&[("m.pml", model)]);
    let run = project.run(&[&["check", "--no-save", "m.pml"], args].concat());
    (run.code, run.out)
}

#[test]
fn labels_claims_and_formulas_have_verdicts() {
    for (model, args, code, said) in [
        (LABELS, &["--only", "progress", "--cycles", "progress"][..], 1, "EP0202"),
        (LABELS, &["--only", "accept", "--cycles", "accept"], 1, "EP0203"),
        (LABELS, &["--only", "formula", "--ltl", "G F x=0"], 2, "EP1701"),
        (LABELS, &["--only", "formula", "--ltl", "F G (x == 0)"], 1, "EP0201"),
        (LABELS, &["--only", "formula", "--ltl", "G F (x == 0)", "--fair", "weak"], 0, "holds"),
        (CLAIM, &["--only", "never", "-D", "LIMIT=3"], 1, "EP0204"),
        (CLAIM, &["--only", "never", "-D", "LIMIT=4"], 0, "holds"),
        (REST, &["--only", "formula", "--ltl", "<> (x == 2)"], 1, "by a standstill"),
        (REST, &["--only", "formula", "--ltl", "<>[] (x == 1)"], 0, "holds"),
    ] {
        let (exit, out) = codes(model, args);
        assert_eq!(exit, code, "{args:?}\n{out}");
        assert!(out.contains(said), "{args:?}\n{out}");
    }
}
