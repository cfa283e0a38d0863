//! The annotated models with their claims, their labels and their trace assertions: our verdict is that of the
//! header, or of the description of SPIN. The other tests of these models leave the claims out.

mod project;

use everypath_testkit::models::{self, TestModel, Verdict};
use everypath_testkit::needs;
use everypath_testkit::spin::{Config, Kind, parallel, parse_report};
use project::Project;

/// For SPIN a claim is one of the processes that `_nr_pr` counts, for us it is not: docs/promela.md.
const OTHER_COUNT: [&str; 2] = ["M50", "trap 33"];

/// With its first claim a model has the verdict of its header, if only finite runs count.
#[test]
fn claims_have_the_verdicts_of_the_headers() {
    let models: Vec<TestModel> =
        models::promela().into_iter().filter(|model| model.header.claim.is_some()).collect();
    let wrong = parallel(models.len(), 2, |i| {
        let model = &models[i];
        let claim = model.header.claim.as_ref().expect("it has one");
        let project = Project::new(&[("m.pml", &model.source)]);
        let run = project.run(&["spin", "-run", "-safety", "-noreduce", "m.pml"]);
        let Some(report) = parse_report(&run.out) else {
            return Some(format!("{}: no report\n{}{}", model.name, run.out, run.err));
        };
        let mut verdict = claim.verdict;
        if OTHER_COUNT.contains(&&*model.header.oracle) {
            assert_eq!((verdict, &*claim.kinds), (Verdict::Violated, &[Kind::Assertion][..]));
            verdict = Verdict::Holds;
        }
        let found = if report.errors == 0 { Verdict::Holds } else { Verdict::Violated };
        let claimed = report.errors == 0 || run.out.contains("end state in claim reached");
        (found != verdict || !claimed).then(|| format!("{}: {found:?}\n{}", model.name, run.out))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let violated =
        |model: &&TestModel| model.header.claim.as_ref().unwrap().verdict == Verdict::Violated;
    assert_eq!((models.len(), models.iter().filter(violated).count()), (16, 8));
}

/// What is asked of a model, and the answer.
struct Asked {
    oracle: &'static str,
    /// For us, behind `check --reduce none`.
    ours: &'static str,
    /// For SPIN's verifier; the option `-l` needs another verifier.
    theirs: &'static str,
    holds: bool,
    /// States of the model together with its claim, its formula or its assertion: SPIN has as many.
    states: Option<u64>,
}

const fn holds(
    oracle: &'static str,
    ours: &'static str,
    theirs: &'static str,
    states: Option<u64>,
) -> Asked {
    Asked { oracle, ours, theirs, holds: true, states }
}

const fn violated(oracle: &'static str, ours: &'static str, theirs: &'static str) -> Asked {
    Asked { oracle, ours, theirs, holds: false, states: None }
}

const ASKED: [Asked; 31] = [
    violated("M59", "--only never", "-a"),
    violated("M60", "--only never", "-a"),
    holds("M61", "--only never", "-a", Some(5)),
    holds("M62", "--only p", "-a -N p", Some(13)),
    violated("M62", "--only q", "-a -N q"),
    holds("M63", "--only p", "-a -N p", Some(28)),
    violated("M63", "--only q", "-a -N q"),
    holds("M64", "--only p", "-a -N p", Some(8)),
    holds("M64", "--only q", "-a -N q", Some(3)),
    holds("M64", "--only r", "-a -N r", Some(3)),
    violated("M65", "--only never", "-a"),
    holds("M66", "--cycles accept", "-a", Some(9)),
    violated("M67", "--cycles accept", "-a"),
    violated("M68", "--only p", "-a -N p"),
    holds("M68", "--only p --fair weak", "-a -f -N p", None),
    violated("M69", "--cycles progress", "-l"),
    holds("M69", "--cycles progress --fair weak", "-l -f", None),
    holds("M70", "--only trace", "", Some(6)),
    violated("M71", "--only notrace", ""),
    // Beside a claim SPIN does not look for deadlocks; we do, unless only the claim is asked for.
    holds("trap 34", "--only p", "-a -N p", Some(1)),
    violated("trap 34", "", ""),
    violated("trap 35", "--only p", "-a -N p"),
    holds("trap 36", "--only p", "-a -N p", Some(4)),
    violated("trap 37", "--only p", "-a -N p"),
    violated("trap 38", "--only never", "-a"),
    // SPIN takes the first element of the array.
    violated("trap 41", "--only p", ""),
    holds("trap 62", "--only trace", "", Some(6)),
    // SPIN refuses it.
    holds("trap 63", "--only p", "", None),
    // Labels of another kind do not count, and none does unless cycles are asked for.
    holds("M66", "--cycles progress", "-l", None),
    holds("M67", "--only deadlock", "", None),
    violated("M67", "--cycles accept --fair weak", "-a -f"),
];

/// What SPIN says about a model, and how many states it stored; `None` where it is not asked.
fn spins(asked: &Asked, source: &str) -> Option<(bool, u64)> {
    let spin = needs::spin()?;
    let ours_alone = ["trap 34", "trap 41", "trap 63"].contains(&asked.oracle);
    if asked.theirs.is_empty() && ours_alone {
        return None;
    }
    let pan_args: Vec<String> = asked.theirs.split_whitespace().map(str::to_owned).collect();
    let has = |flag: &str| pan_args.iter().any(|arg| arg == flag);
    let mut compiler_args = Vec::new();
    if has("-l") {
        compiler_args.push("-DNP".to_owned());
    }
    if has("-f") {
        compiler_args.push("-DNFAIR=3".to_owned());
    }
    let config = Config {
        end_states: asked.oracle == "M67",
        no_claim: false,
        cycles: !pan_args.is_empty(),
        pan_args,
        compiler_args,
        ..Config::default()
    };
    let result = spin.run(source, &config);
    let run = result.run().unwrap_or_else(|| panic!("{}: {result:?}", asked.oracle));
    Some((run.errors == 0, run.counts.stored))
}

/// The code of the finding that is asked for.
fn code(ours: &str) -> &'static str {
    match ours {
        "" => "EP0102",
        _ if ours.contains("--cycles progress") => "EP0202",
        _ if ours.contains("--cycles accept") => "EP0203",
        "--only never" => "EP0204",
        _ if ours.ends_with("trace") => "EP0205",
        _ => "EP0201",
    }
}

/// How many states the model has together with what is asked, as the answer says first.
fn product_states(answer: &str) -> Option<u64> {
    let (before, _) = answer.split_once(" product state")?;
    before.split(' ').next_back()?.parse().ok()
}

#[test]
fn claims_cycles_and_trace_assertions_have_the_verdicts_that_are_described() {
    let models = models::promela();
    let wrong = parallel(ASKED.len(), 2, |i| {
        let asked = &ASKED[i];
        let Asked { oracle, ours, .. } = asked;
        let model =
            models.iter().find(|model| model.header.oracle == *oracle).expect("it is there");
        let project = Project::new(&[("m.pml", &model.source)]);
        let args = ["check", "--no-save", "--reduce", "none", "m.pml"].into_iter();
        let run = project.run(&args.chain(ours.split_whitespace()).collect::<Vec<_>>());
        let mut wrong = Vec::new();
        if run.code != i32::from(!asked.holds) {
            wrong.push(format!("exit {}", run.code));
        }
        if !asked.holds && !run.out.contains(&format!("error[{}]", code(ours))) {
            wrong.push(format!("no {}", code(ours)));
        }
        if asked.states.is_some_and(|wanted| product_states(&run.out) != Some(wanted)) {
            wrong.push(format!("{:?} states", product_states(&run.out)));
        }
        if let Some((holds, stored)) = spins(asked, &model.source) {
            if holds != asked.holds {
                wrong.push(format!("for SPIN it holds: {holds}"));
            }
            if asked.states.is_some_and(|wanted| stored != wanted) {
                wrong.push(format!("SPIN stores {stored} states"));
            }
        }
        (!wrong.is_empty()).then(|| format!("{oracle} {ours}: {wrong:?}\n{}", run.out))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
