//! What the outside decides is tried, or the search says that it proves nothing; programs that do not look at it
//! lose nothing.

mod support;

use everypath_lang_java::{Jdk, Options, Outcomes, Program, Reductions};
use support::{Tools, parallel, scratch, tests};

/// The most states that are looked at.
const MOST: usize = 100_000;

/// What is known after a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It holds.
    Holds,
    /// It fails, and nothing was left out.
    Fails,
    /// Something was left out; whether it fails is as may be.
    Unknown,
    /// It fails, and something was left out.
    FailsAtLeast,
}
use Known::{Fails, FailsAtLeast, Holds, Unknown};

const CASES: [(&str, Known); 116] = [
    ("nextInt2", Fails),
    ("nextBoolean", Fails),
    ("nextInt6", Holds),
    ("nextInt6last", Fails),
    ("range", Holds),
    ("rangeLast", Fails),
    ("threadLocal", Fails),
    ("splittable", Fails),
    ("split", Fails),
    ("secure", Fails),
    ("shuffle", Fails),
    ("shuffleSum", Holds),
    ("ownRandom", FailsAtLeast),
    ("stream", Fails),
    ("mathRandomHalf", FailsAtLeast),
    ("nextIntAny", FailsAtLeast),
    ("nextLong", FailsAtLeast),
    ("gaussian", FailsAtLeast),
    ("bytes", Unknown),
    ("uuid", Unknown),
    ("pauses", Holds),
    ("badPause", FailsAtLeast),
    ("seeded", Holds),
    ("seededLater", Holds),
    ("seededSplittable", Holds),
    ("lowestSeed", Holds),
    ("nanoTime", Unknown),
    ("currentTimeMillis", Unknown),
    ("date", Unknown),
    ("instant", Unknown),
    ("timer", Unknown),
    ("helper", Unknown),
    ("seedOfTime", Unknown),
    ("printedTime", Holds),
    ("timedWaits", Holds),
    ("recordTime", Unknown),
    ("recordInstant", Unknown),
    ("recordText", Unknown),
    ("logText", Unknown),
    ("logged", Holds),
    ("taskTime", Unknown),
    ("delayLeft", Unknown),
    ("dateFormat", Holds),
    ("shortYear", Unknown),
    ("formatCalendar", Unknown),
    ("ownLoader", Holds),
    ("mac", Holds),
    ("input", Unknown),
    ("inputLine", Unknown),
    ("inputNumber", Unknown),
    ("inputLeft", Unknown),
    ("ownInput", Holds),
    ("allThreads", Unknown),
    ("lambdaName", Unknown),
    ("threadNumber", Unknown),
    ("threadNumbers", Holds),
    ("firstThread", Holds),
    ("className", Holds),
    ("methodOrder", Holds),
    ("methodsOrder", Unknown),
    ("methodCount", Holds),
    ("constructorOrder", Unknown),
    ("openOptions", Holds),
    ("queued", Unknown),
    ("cleaned", Unknown),
    ("identity", Unknown),
    ("hashCode", Unknown),
    ("enumHash", Unknown),
    ("toString", Unknown),
    ("concat", Unknown),
    ("order", Unknown),
    ("methodReference", Unknown),
    ("printedObject", Holds),
    ("tables", Holds),
    ("iteration", Unknown),
    ("enumIteration", Unknown),
    ("recordIteration", Unknown),
    ("streamIteration", Unknown),
    ("forEach", Unknown),
    ("setOf", Unknown),
    ("setOf2", Unknown),
    ("mapOf", Unknown),
    ("constants", Holds),
    ("library", Holds),
    ("processors", Unknown),
    ("memory", Unknown),
    ("printedMemory", Holds),
    ("environment", Unknown),
    ("wholeEnvironment", Unknown),
    ("user", Unknown),
    ("version", Unknown),
    ("ownProperty", Holds),
    ("separator", Holds),
    ("charset", Unknown),
    ("console", Unknown),
    ("commonPool", Unknown),
    ("ownPool", Holds),
    ("fileExists", Unknown),
    ("pathExists", Unknown),
    ("fileRead", Unknown),
    ("ownFile", Holds),
    ("ownResource", Holds),
    ("primes", Holds),
    ("lowerCase", Holds),
    ("parsedDate", Holds),
    ("methodType", Holds),
    ("bundle", Holds),
    ("sameList", Unknown),
    ("sameListOfMap", Unknown),
    ("otherLists", Holds),
    ("locale", Unknown),
    ("cleared", Unknown),
    ("kept", Holds),
    ("clearable", Unknown),
    ("redirected", Unknown),
    ("ownStream", Unknown),
];

#[test]
fn what_the_outside_decides_is_a_choice_or_no_proof() {
    let Some(tools) = Tools::find() else { return };
    let classes = scratch("outside");
    tools.compile(&[tests().join("outside/Outside.java")], &classes, &[]);
    let wrong = parallel(&CASES, |&(case, expected)| {
        let options = Options::new(vec![classes.clone()], "Outside");
        let arguments = vec![case.to_owned()];
        let options = Options { arguments, reductions: Reductions::ALL, ..options };
        let found = Program::load(&Jdk::find().expect("a JDK"), &options)
            .map_err(|error| error.to_string())
            .and_then(|program| program.outcomes(MOST).map_err(|error| error.0));
        let found = match found {
            Ok(Some(found)) => found,
            other => return Some(format!("{case}: {other:?}")),
        };
        let known = known(&found);
        let fits = known == expected || expected == Unknown && known == FailsAtLeast;
        (!fits).then(|| format!("{case}: {expected:?}, found {known:?}: {:?}", found.left_out))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn known(found: &Outcomes) -> Known {
    let fails = found.ends.iter().any(|end| !end.uncaught.is_empty());
    match (fails, found.left_out.is_empty()) {
        (false, true) => Holds,
        (true, true) => Fails,
        (true, false) => FailsAtLeast,
        (false, false) => Unknown,
    }
}
