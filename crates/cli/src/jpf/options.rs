//! What the keys of Java PathFinder mean here, and which mean nothing.

use everypath_model::most_similar;

use super::properties::{Properties, list};

/// What becomes of a key.
enum Fate {
    /// It is done, by these words of `everypath check`.
    Done(Vec<String>),
    /// It is done by what there is anyway.
    Always(&'static str),
    /// It has no effect, for this reason; the verdicts do not depend on it.
    Ignored(&'static str),
    /// Something was asked that is not looked at.
    Unchecked(&'static str),
}

/// Keys and families of keys that have no effect, with the reason.
const IGNORED: [(&str, &str); 29] = [
    ("search.match_depth", "a state that is met again on a shorter way is always followed again"),
    ("search.min_free", "--mem limits the memory"),
    ("search.heuristic.", "--search directed has its own order"),
    ("search.", "the search has its own settings"),
    ("cg.threads.", "threads are interleaved wherever they can observe each other"),
    ("cg.", "the order of choices does not change a verdict"),
    (
        "vm.storage.class",
        "--store says how states are kept; they are exact unless that says otherwise",
    ),
    ("vm.por", "which accesses others can see is found out, not assumed"),
    ("vm.gc", "garbage is never a part of a state"),
    ("vm.max_alloc_gc", "garbage is never a part of a state"),
    ("vm.process_finalizers", "finalizers do not run"),
    ("vm.time.", "time orders nothing"),
    ("vm.halt_on_throw", "the trace shows where an exception was thrown"),
    ("vm.tree_output", "what a single run prints is in the result; `everypath sim` prints it"),
    ("vm.path_output", "what a single run prints is in the result; `everypath sim` prints it"),
    ("vm.", "the virtual machine is another one"),
    ("jvm.", "the virtual machine is another one"),
    ("report.", "the report is that of `everypath check`; -o writes other formats"),
    ("native_classpath", "peers for native methods are built in"),
    ("peer_packages", "peers for native methods are built in"),
    ("boot_classpath", "the library is that of the JDK"),
    ("classloader.", "there is one class loader for the program"),
    ("extensions", "there are no extensions"),
    ("site", "there is no site.properties"),
    ("log.", "--progress and -v say more"),
    ("jpf.", "there are no extensions"),
    ("jpf-", "projects of Java PathFinder are not looked for"),
    ("shell", "there is no shell"),
    ("choice.", "drivers name their choices in the program"),
];

/// Listeners that only watch or print.
const WATCHERS: [&str; 14] = [
    "ExecTracker",
    "SearchMonitor",
    "SearchStats",
    "StateSpaceDot",
    "StateSpaceAnalyzer",
    "SimpleDot",
    "DeadlockAnalyzer",
    "CallMonitor",
    "TraceStorer",
    "ChoiceTracker",
    "InsnCounter",
    "HeapTracker",
    "VarTracker",
    "ObjectTracker",
];

/// What is known about some properties.
#[derive(Debug, Default)]
pub struct Translated {
    /// The words of `everypath check`.
    pub words: Vec<String>,
    /// What is done, each with the words for it.
    pub honoured: Vec<String>,
    /// What has no effect, each with the reason.
    pub ignored: Vec<String>,
    /// What is asked and not looked at.
    pub unchecked: Vec<String>,
    /// Whether races are asked for.
    races: bool,
}

/// Translates all keys but those that say what the program is.
pub fn translate(properties: &Properties) -> Result<Translated, String> {
    let mut translated = Translated::default();
    for (key, value, place) in properties.all() {
        if matches!(key, "target" | "target.args" | "target_args" | "classpath" | "sourcepath") {
            translated.honoured.push(key.to_owned());
            continue;
        }
        if key == "listener" || key == "listener.autoload" {
            listeners(&mut translated, key, value);
            continue;
        }
        match fate(key, value).map_err(|why| format!("{place}: {key} = {value}: {why}"))? {
            Fate::Done(words) => {
                translated.honoured.push(format!("{key} ({})", words.join(" ")));
                translated.words.extend(words);
            }
            Fate::Always(how) => translated.honoured.push(format!("{key} ({how})")),
            Fate::Ignored(why) => translated.ignored.push(format!("{key}: {why}")),
            Fate::Unchecked(why) => translated.unchecked.push(format!("{key}: {why}")),
        }
    }
    // They are, unless other properties are named.
    if translated.races && translated.words.iter().any(|word| word.starts_with("--only=")) {
        translated.words.push("--only=races".to_owned());
    }
    let left = properties.left_out.iter().map(|(what, why)| format!("{what}: {why}"));
    translated.ignored.extend(left);
    Ok(translated)
}

fn fate(key: &str, value: &str) -> Result<Fate, String> {
    let done = |words: &[&str]| Ok(Fate::Done(words.iter().map(|w| (*w).to_owned()).collect()));
    let number = |text: &str| text.parse::<u64>().map_err(|_| "expected a whole number".to_owned());
    let truth = match value {
        "true" | "yes" | "on" | "" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    };
    match key {
        "search.class" => search(value),
        "search.depth_limit" => match value {
            "-1" => Ok(Fate::Always("there is no limit")),
            _ => done(&[&format!("--depth={}", number(value)?)]),
        },
        "search.multiple_errors" => match truth {
            Some(true) => done(&["--all-errors"]),
            Some(false) => Ok(Fate::Always("one trace is shown")),
            None => Err("expected true or false".to_owned()),
        },
        "search.properties" => asked_properties(value),
        "search.RandomSearch.path_limit" => {
            done(&["--search=random", &format!("--runs={}", number(value)?)])
        }
        "cg.seed" => done(&[&format!("--seed={}", number(value)?)]),
        "cg.randomize_choices" => match value.to_ascii_uppercase().as_str() {
            "NONE" | "FIXED_SEED" | "VAR_SEED" => {
                Ok(Fate::Ignored("the order of choices does not change a verdict"))
            }
            _ => Err("expected NONE, FIXED_SEED or VAR_SEED".to_owned()),
        },
        "cg.enumerate_random" => match truth {
            Some(true) => Ok(Fate::Unchecked(
                "every value of a random number is not tried: one without a seed is a choice among some values, and one \
                 with a seed is that of the seed; Verify.getInt(low, high) tries all",
            )),
            Some(false) => Ok(Fate::Ignored("fewer values are tried than are asked for elsewhere")),
            None => Err("expected true or false".to_owned()),
        },
        "vm.enable_assertions" => Ok(Fate::Always("assertions are on")),
        "vm.disable_assertions" => Ok(Fate::Ignored("assertions are always on")),
        _ => {
            let known = IGNORED.iter().find(|(name, _)| match name.ends_with(['.', '-']) {
                true => key.starts_with(name),
                false => key == *name || key.starts_with(&format!("{name}.")),
            });
            // A slip in a key that would have had an effect is worse than an unknown one.
            let effective = [
                "target",
                "target.args",
                "classpath",
                "sourcepath",
                "listener",
                "search.class",
                "search.depth_limit",
                "search.multiple_errors",
                "search.properties",
                "cg.seed",
            ];
            match (most_similar(key, effective), known) {
                (Some(similar), _) => Err(format!("unknown key; did you mean `{similar}`?")),
                (None, Some((_, why))) => Ok(Fate::Ignored(why)),
                (None, None) => Ok(Fate::Ignored("the key is not known")),
            }
        }
    }
}

/// The last part of the name of a class.
fn simple(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or(class)
}

fn search(value: &str) -> Result<Fate, String> {
    let order = match simple(value) {
        "DFSearch" | "DFSHeuristic" | "PathSearch" => "dfs",
        "BFSHeuristic" | "BFSearch" => "bfs",
        "RandomSearch" | "Simulation" | "RandomHeuristic" => "random",
        "MostBlocked"
        | "Interleaving"
        | "PreferThreads"
        | "GlobalSwitchThread"
        | "UserHeuristic"
        | "SimplePriorityHeuristic"
        | "MinimizePreemption"
        | "HeuristicSearch" => "directed",
        _ => {
            return Ok(Fate::Ignored("searches of one's own do not run; --search names ours"));
        }
    };
    Ok(Fate::Done(vec![format!("--search={order}")]))
}

/// Which of the properties that there are were asked for.
fn asked_properties(value: &str) -> Result<Fate, String> {
    let mut groups = Vec::new();
    for class in list(value) {
        match simple(class) {
            "NotDeadlockedProperty" => groups.push("deadlock"),
            "NoUncaughtExceptionsProperty" | "NoUncaughtProperty" => groups.push("assertions"),
            _ => return Ok(Fate::Unchecked("properties of one's own do not run")),
        }
    }
    match groups.is_empty() {
        true => Ok(Fate::Always("everything is checked")),
        false => Ok(Fate::Done(vec![format!("--only={}", groups.join(","))])),
    }
}

fn listeners(translated: &mut Translated, key: &str, value: &str) {
    for class in list(value) {
        let what = format!("{key} {}", simple(class));
        match simple(class) {
            "CoverageAnalyzer" => {
                translated.honoured.push(format!("{what} (--coverage)"));
                translated.words.push("--coverage".to_owned());
            }
            "PreciseRaceDetector" => {
                translated.honoured.push(format!("{what} (races are looked for)"));
                translated.races = true;
            }
            name if WATCHERS.contains(&name) => {
                translated.ignored.push(format!("{what}: the trace and -v tell what happened"));
            }
            _ => translated.unchecked.push(format!("{what}: there are no listeners")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(options: &[&str]) -> Result<Translated, String> {
        let mut properties = Properties::default();
        options.iter().for_each(|option| properties.option(option).unwrap());
        translate(&properties)
    }

    #[test]
    fn keys_become_words() {
        let found = of(&[
            "search.class=gov.nasa.jpf.search.heuristic.BFSHeuristic",
            "search.depth_limit=9",
            "search.multiple_errors=true",
            "listener=gov.nasa.jpf.listener.CoverageAnalyzer,.listener.SearchMonitor",
            "report.console.property_violation=error,trace",
        ])
        .unwrap();
        assert_eq!(found.words, ["--coverage", "--search=bfs", "--depth=9", "--all-errors"]);
        assert_eq!(found.ignored.len(), 2, "{found:?}");
        assert!(found.unchecked.is_empty());
    }

    #[test]
    fn slips_and_wrong_values_are_errors() {
        assert!(of(&["search.depth_limt=9"]).unwrap_err().contains("search.depth_limit"));
        assert!(of(&["search.depth_limit=many"]).unwrap_err().contains("whole number"));
        assert!(of(&["search.multiple_errors=7"]).is_err());
    }

    #[test]
    fn what_is_not_looked_at_is_told() {
        let found =
            of(&["listener=gov.nasa.jpf.listener.EndlessLoopDetector", "my.key=1"]).unwrap();
        assert_eq!(found.unchecked.len(), 1);
        assert_eq!(found.ignored, ["my.key: the key is not known"]);
    }

    #[test]
    fn races_are_looked_for_beside_named_properties() {
        let races = "listener=gov.nasa.jpf.listener.PreciseRaceDetector";
        let found = of(&[races]).unwrap();
        assert!(found.unchecked.is_empty() && found.words.is_empty(), "{found:?}");
        let deadlocks = "search.properties=gov.nasa.jpf.vm.NotDeadlockedProperty";
        assert_eq!(of(&[races, deadlocks]).unwrap().words, ["--only=deadlock", "--only=races"]);
    }
}
