//! Random models with random formulas, never claims and labels through SPIN and through us: the verdicts are
//! the same, with and without weak fairness.

mod rich;

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex};

use everypath_conformance::Disk;
use everypath_engine_explicit::emptiness::{
    Method, Numbered, SharedStates, seek, seek_shared, seek_weak,
};
use everypath_engine_explicit::{Ledger, Options as SearchOptions, Stopped};
use everypath_engine_jit::Jit;
use everypath_lang_promela::ast::ExprKind;
use everypath_lang_promela::{LowerOptions, Options, Propositions, claim, lower, parse};
use everypath_layer_optimise::{Observed, Pass, optimise};
use everypath_layer_product::{Acceptor, Synchronous};
use everypath_layer_reduce::Chosen;
use everypath_machine::Interpreter;
use everypath_model::{Action, Describe, Rng, Sources, Successors, TransitionSystem};
use everypath_property::tgba::{self, Automaton};
use everypath_testkit::needs;
use everypath_testkit::spin::{self, Spin, SpinResult, parallel};

/// Where the random numbers begin.
const SEED: u64 = 20_261_115;

/// What is asked of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// Its formula.
    Formula,
    /// Its never claim.
    Never,
    /// That no run is at an accept label again and again.
    Accept,
    /// That every run comes to a progress label again and again.
    Progress,
}

impl Asked {
    /// How labels begin that count.
    fn label(self) -> Option<&'static str> {
        match self {
            Asked::Formula | Asked::Never => None,
            Asked::Accept => Some("accept"),
            Asked::Progress => Some("progress"),
        }
    }
}

/// A model of up to three processes over few variables and a channel, with a formula, a claim or labels.
fn model(seed: u64, asked: Asked) -> String {
    let mut rng = Rng::new(seed);
    let mut text = String::from("byte x, y;\nbool b;\nchan c = [1] of { byte };\n");
    // For SPIN, `enabled` and rendezvous exclude each other, and what it says of a process at `else`
    // depends on the order of options.
    let plain = asked == Asked::Never && rng.chance(50);
    let statement = |rng: &mut Rng| loop {
        let statement = statement(rng);
        if !(plain && statement.starts_with('r')) {
            return statement;
        }
    };
    if !plain {
        text += "chan r = [0] of { byte };\n";
    }
    let processes = 1 + rng.below(3);
    for process in 0..processes {
        text += &format!("active proctype P{process}() {{\n  byte v;\n");
        if rng.chance(30) {
            text += &format!("  {};\n", statement(&mut rng));
        }
        text += "  do\n";
        let mut labels = 0;
        for _ in 0..1 + rng.below(3) {
            let guard = match rng.chance(60) {
                true => format!("({}) -> {}", condition(&mut rng), statement(&mut rng)),
                false => statement(&mut rng),
            };
            text += &format!("  :: {guard}");
            if let Some(label) = asked.label().filter(|_| rng.chance(15)) {
                // At the end of an atomic sequence a label counts, inside of it it does not.
                labels += 1;
                let (one, other) = (statement(&mut rng), statement(&mut rng));
                let more = if rng.chance(30) { "; b = !b" } else { "" };
                if !other.starts_with("atomic") {
                    text += &format!("; atomic {{ {one}; {label}{labels}: {other}{more} }}");
                }
            }
            for _ in 0..rng.below(3) {
                let label = asked.label().filter(|_| rng.chance(40)).map(|label| {
                    labels += 1;
                    format!("{label}{labels}: ")
                });
                text += &format!("; {}{}", label.unwrap_or_default(), statement(&mut rng));
            }
            if rng.chance(15) {
                text += "; break";
            }
            text += "\n";
        }
        if !plain && rng.chance(20) {
            text += "  :: else\n";
        }
        if !plain && rng.chance(10) {
            text += "  :: timeout -> b = !b\n";
        }
        text += "  od\n}\n";
    }
    match asked {
        Asked::Formula => text + &format!("ltl f {{ {} }}\n", formula(&mut rng, 3, processes)),
        Asked::Never => text + &never(&mut rng, plain.then_some(processes), &condition),
        Asked::Accept | Asked::Progress => text,
    }
}

/// A claim of three places, some of which accept, and an end; it may ask about so many processes.
fn never(
    rng: &mut Rng,
    processes: Option<usize>,
    condition: &dyn Fn(&mut Rng) -> String,
) -> String {
    let mut name = |place: usize| {
        let prefix = match rng.below(20) {
            0 => "end_",
            1..=8 => "accept_",
            _ => "",
        };
        format!("{prefix}S{place}")
    };
    let names: Vec<String> = (0..3).map(&mut name).collect();
    let end = if rng.chance(20) { "end_E" } else { "E" };
    let mut guards = 0;
    let mut text = String::from("never {\n");
    for name in &names {
        text += &format!("{name}: if\n");
        for _ in 0..1 + rng.below(3) {
            let target = match rng.chance(8) {
                true => end,
                false => &names[rng.below(names.len())],
            };
            let condition = match processes {
                Some(count) if rng.chance(40) => {
                    let process = rng.below(count);
                    match rng.below(3) {
                        0 => format!("enabled({process})"),
                        1 => format!("!enabled({process})"),
                        _ => format!("_last == {process}"),
                    }
                }
                _ if rng.chance(25) => "true".to_owned(),
                _ => condition(rng),
            };
            let mut label = String::new();
            if rng.chance(8) {
                // SPIN means the place behind such a guard.
                guards += 1;
                label = format!("{}_g{guards}: ", if rng.chance(70) { "accept" } else { "end" });
            }
            text += &format!("  :: {label}({condition}) -> goto {target}\n");
        }
        if rng.chance(40) {
            text += &format!("  :: else -> goto {}\n", names[rng.below(names.len())]);
        }
        text += "  fi;\n";
    }
    text + &format!("{end}: skip\n}}\n")
}

fn condition(rng: &mut Rng) -> String {
    match rng.below(5) {
        0 => "x == 0".to_owned(),
        1 => format!("x < {}", 1 + rng.below(3)),
        2 => format!("y == {}", rng.below(3)),
        3 => "b".to_owned(),
        _ => "!b".to_owned(),
    }
}

fn statement(rng: &mut Rng) -> String {
    match rng.below(9) {
        0 => "x = (x + 1) % 3".to_owned(),
        1 => format!("y = {}", rng.below(3)),
        2 => "y = (y + x) % 3".to_owned(),
        3 => "b = !b".to_owned(),
        4 => "c ! x".to_owned(),
        5 => "c ? v".to_owned(),
        6 => if rng.chance(50) { "r ! 1" } else { "r ? v" }.to_owned(),
        7 => format!("atomic {{ x = {}; y = {} }}", rng.below(3), rng.below(2)),
        _ => format!("({})", condition(rng)),
    }
}

fn formula(rng: &mut Rng, depth: usize, processes: usize) -> String {
    let below = |rng: &mut Rng| formula(rng, depth - 1, processes);
    if depth == 0 || rng.chance(15) {
        return match rng.below(6) {
            0 => format!("(len(c) == {})", rng.below(2)),
            1 => format!("(P{}:v == {})", rng.below(processes), rng.below(3)),
            _ => format!("({})", condition(rng)),
        };
    }
    match rng.below(10) {
        0 | 1 => format!("([] {})", below(rng)),
        2 | 3 => format!("(<> {})", below(rng)),
        4 => format!("(! {})", below(rng)),
        5 => format!("({} && {})", below(rng), below(rng)),
        6 => format!("({} || {})", below(rng), below(rng)),
        7 => format!("({} -> {})", below(rng), below(rng)),
        8 => format!("({} U {})", below(rng), below(rng)),
        _ => format!("({} V {})", below(rng), below(rng)),
    }
}

/// What we say about the formula of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ours {
    Holds,
    Violated,
    /// By a run after which nothing can move.
    Standstill,
}

/// By the method that is the default, after all others gave the same verdict.
fn ours(text: &str, asked: Asked, fair: bool) -> Ours {
    judged(text, asked, fair, asked == Asked::Accept)
}

/// The same, but labels at the end of atomic sequences do not count.
fn ours_at_labels(text: &str, asked: Asked, fair: bool) -> Ours {
    judged(text, asked, fair, false)
}

fn judged(text: &str, asked: Asked, fair: bool, accept_steps: bool) -> Ours {
    let mut sources = Sources::default();
    let main = sources.add(Path::new("m.pml").to_owned(), text.to_owned());
    let parsed = parse(&mut sources, main, &Options::default(), &Disk);
    let model = parsed.model.unwrap_or_else(|| panic!("{text}\n{:?}", parsed.diagnostics));
    let mut propositions = Propositions::default();
    let automaton = match asked {
        Asked::Formula => {
            let formula = propositions.formula(&model, &model.ltl[0].formula);
            let formulas = &mut propositions.formulas;
            let negation = formulas.negation(formula);
            tgba::best(formulas, negation).expect("small")
        }
        Asked::Never => {
            let claim = claim(&model, &model.never[0], &mut propositions).expect("conditions");
            tgba::reduce(&claim.automaton(&propositions.formulas))
        }
        Asked::Accept | Asked::Progress => {
            // Infinitely often at a label; or from some point on never.
            let formulas = &mut propositions.formulas;
            let label = formulas.atom("label");
            let wrong = match asked {
                Asked::Accept => {
                    let again = formulas.eventually(label);
                    formulas.always(again)
                }
                _ => {
                    let not = formulas.not(label);
                    let never = formulas.always(not);
                    formulas.eventually(never)
                }
            };
            tgba::best(formulas, wrong).expect("small")
        }
    };
    let Propositions { formulas, mut conditions } = propositions;
    let no_progress = formulas.atoms().iter().position(|atom| atom.text == "np_");
    if let Some(index) = no_progress {
        // No expression says it; the letter does.
        conditions[index].kind = ExprKind::Const(1);
    }
    let options = LowerOptions { invariants: conditions, accept_steps, ..LowerOptions::default() };
    let machine = lower(&model, &options).machine.expect("a machine");
    let system = Interpreter::new(Arc::new(machine));
    let count = formulas.atoms().len();
    let own = Mutex::new(system.worker());
    let letter = |_: &mut _, state: &[u32]| {
        let mut own = own.lock().expect("nobody panics");
        if asked.label().is_some() {
            let proctypes = &system.machine().proctypes;
            let labelled = system.locations(&mut own, state).any(|(ty, at)| {
                let location = &proctypes[ty].locations[at];
                if asked == Asked::Accept { location.accept } else { location.progress }
            });
            // A run that ends does not go on without progress.
            let mut out = Successors::new();
            system.successors(&mut own, state, &mut out)?;
            let ends = asked == Asked::Progress && out.is_empty();
            let passed = system.passed_accept(state) && !out.is_empty();
            return Ok(u64::from(labelled || passed || ends));
        }
        let mut letter = 0;
        for index in 0..count {
            let violated = system.violated_invariant(&mut own, state, index)?;
            letter |= u64::from(violated.is_none()) << index;
        }
        if let Some(index) = no_progress {
            let proctypes = &system.machine().proctypes;
            let progress = system
                .locations(&mut own, state)
                .any(|(ty, at)| proctypes[ty].locations[at].progress);
            let mut out = Successors::new();
            system.successors(&mut own, state, &mut out)?;
            if progress || out.is_empty() {
                letter &= !(1 << index);
            }
        }
        Ok(letter)
    };
    let ledger = Ledger::new(None);
    let by = |method: Method| {
        let mut states = Numbered::new(&system, &letter, fair, &ledger);
        let mut acceptor = Acceptor::new(automaton.clone());
        let options = SearchOptions::default();
        let sought = seek(&mut states, &mut acceptor, method, &options, &mut ());
        match sought.answer.expect("it ends") {
            None => Ours::Holds,
            Some(run) if run.cycle.iter().all(|step| step.actions.is_empty()) => Ours::Standstill,
            Some(_) => Ours::Violated,
        }
    };
    let answer = by(Method::default());
    for method in Method::ALL.into_iter().filter(|method| fair || method.takes(automaton.marks)) {
        let same = (by(method) == Ours::Holds) == (answer == Ours::Holds);
        assert!(same, "{} differs, fair {fair}\n{text}", method.name());
    }
    for threads in 1..=4 {
        let states = SharedStates::new(&system, &letter, fair, &ledger);
        let options = SearchOptions { threads, ..SearchOptions::default() };
        let sought = seek_shared(&states, &Acceptor::new(automaton.clone()), &options, &mut ());
        let run = sought.answer.expect("it ends");
        let same = run.is_none() == (answer == Ours::Holds);
        assert!(same, "{threads} threads differ, fair {fair}\n{text}");
        if let Some(run) = run {
            let all = run.stem.iter().chain(&run.cycle);
            let actions: Vec<Action> = all.flat_map(|step| step.actions.clone()).collect();
            let steps = system.replay(&run.initial, &actions).expect("it is a run");
            let end = steps.last().map_or(&run.initial, |step| &step.state);
            let last = run.cycle.last().map_or(&run.initial, |step| &step.state);
            assert_eq!(end, last, "{threads} threads, fair {fair}\n{text}");
        }
    }
    if !fair && asked.label().is_none() && no_progress.is_none() {
        // A claim may count steps.
        let smaller = (asked == Asked::Formula)
            .then(|| optimise(system.machine(), &Pass::ALL, &Observed::default()))
            .map(|machine| Interpreter::new(Arc::new(machine)));
        let few =
            smaller.clone().map(|system| Chosen::few(Jit::after(system, 3), Default::default()));
        let all = Chosen::all(Jit::after(system.clone(), 3));
        let less = smaller.clone().map(|system| Chosen::all(Jit::after(system, 3)));
        for (what, chosen) in [("all", Some(all)), ("smaller", less), ("few", few)] {
            let Some(chosen) = chosen else { continue };
            let model = if what == "all" { &system } else { smaller.as_ref().expect("made") };
            for threads in 1..=3 {
                let by = one_search(model, &chosen, &automaton, count, threads);
                let same = by.is_none_or(|by| by == (answer == Ours::Holds));
                assert!(same, "one search differs: {what}, {threads} threads\n{text}");
            }
        }
    }
    answer
}

/// Whether a property holds, by one search; `None` if its automaton is not weak.
fn one_search(
    model: &Interpreter,
    chosen: &Chosen<Jit>,
    automaton: &Automaton,
    count: usize,
    threads: usize,
) -> Option<bool> {
    let letter = |worker: &mut _, state: &[u32]| {
        let mut letter = 0;
        for index in 0..count {
            let violated = chosen.violated_invariant(worker, state, index)?;
            letter |= u64::from(violated.is_none()) << index;
        }
        Ok(letter)
    };
    let mut first = Successors::new();
    model.initial(&mut model.worker(), &mut first).expect("it begins");
    let mut reads = Vec::new();
    let state = first.target(&first.steps()[0]);
    let known = model.invariants_read(state, 0..count, &mut reads);
    let product = Synchronous::new(chosen, &letter, automaton, known.then_some(reads))?;
    let options = SearchOptions { threads, ..SearchOptions::default() };
    let sought = seek_weak(&product, &options, &mut ());
    match sought.answer {
        // A run that seems to be accepted may end with a fault.
        Err(Stopped::Finished) => None,
        other => Some(other.expect("it ends").is_none()),
    }
}

/// Whether a run violates what labels ask for under weak fairness, slowly and obviously: all states, their
/// components, and whether one of these is fair to everybody. `None` if there are too many states for that.
fn naive(text: &str, asked: Asked) -> Option<bool> {
    let mut sources = Sources::default();
    let main = sources.add("m.pml".into(), text.to_owned());
    let parsed = parse(&mut sources, main, &Options::default(), &Disk);
    let model = parsed.model.expect("it was read before");
    let accept_steps = asked == Asked::Accept;
    let options = LowerOptions { accept_steps, ..LowerOptions::default() };
    let system = Interpreter::new(Arc::new(lower(&model, &options).machine.expect("a machine")));
    let mut worker = system.worker();
    let mut out = Successors::new();
    system.initial(&mut worker, &mut out).expect("it begins");
    let mut states = vec![out.target(&out.steps()[0]).to_vec()];
    let mut numbers = HashMap::from([(states[0].clone(), 0)]);
    // For each state, each step: who moves, where to.
    let mut steps: Vec<Vec<(BTreeSet<u32>, usize)>> = Vec::new();
    let mut labelled = Vec::new();
    while steps.len() < states.len() {
        let state = states[steps.len()].clone();
        let proctypes = &system.machine().proctypes;
        let at_label = system.locations(&mut worker, &state).any(|(ty, at)| {
            let location = &proctypes[ty].locations[at];
            if asked == Asked::Accept { location.accept } else { location.progress }
        });
        out.clear();
        system.successors(&mut worker, &state, &mut out).expect("evaluated");
        labelled.push(at_label || system.passed_accept(&state) && !out.is_empty());
        let mut all = Vec::new();
        for step in out.steps() {
            let target = out.target(step).to_vec();
            let new = states.len();
            let number = *numbers.entry(target.clone()).or_insert(new);
            if number == new {
                states.push(target);
            }
            let movers = out.actions(step).iter().map(|action| action.process).collect();
            all.push((movers, number));
        }
        steps.push(all);
        if states.len() > MOST_STATES {
            return None;
        }
    }
    // A run that ends stays where it is.
    let stands = |state: usize| steps[state].is_empty();
    if asked == Asked::Accept && (0..states.len()).any(|state| stands(state) && labelled[state]) {
        return Some(true);
    }
    // Without progress, only states without a label count.
    let counts = |state: usize| asked == Asked::Accept || !labelled[state];
    let reach = |from: usize| {
        let mut seen = BTreeSet::new();
        let mut work = vec![from];
        while let Some(state) = work.pop() {
            for (_, target) in &steps[state] {
                if counts(*target) && seen.insert(*target) {
                    work.push(*target);
                }
            }
        }
        seen
    };
    let reached: Vec<BTreeSet<usize>> =
        (0..states.len()).map(|s| if counts(s) { reach(s) } else { BTreeSet::new() }).collect();
    Some((0..states.len()).any(|state| {
        let component: BTreeSet<usize> = reached[state]
            .iter()
            .copied()
            .filter(|&other| reached[other].contains(&state))
            .collect();
        let inside = |target: &usize| component.contains(target);
        let fair = |process: u32| {
            component.iter().any(|&at| {
                let mut own = steps[at].iter().filter(|(movers, _)| movers.contains(&process));
                own.clone().next().is_none() || own.any(|(_, target)| inside(target))
            })
        };
        let processes: BTreeSet<u32> =
            component.iter().flat_map(|&at| &steps[at]).flat_map(|(m, _)| m.clone()).collect();
        let wanted = asked == Asked::Progress || component.iter().any(|&at| labelled[at]);
        component.contains(&state) && wanted && processes.into_iter().all(fair)
    }))
}

/// States that the slow check takes, at most.
const MOST_STATES: usize = 1_500;

/// The same from SPIN; `None` if it has no answer.
fn spins(spin: &Spin, text: &str, asked: Asked, fair: bool) -> Option<bool> {
    let (search, more) = match asked {
        Asked::Progress => ("-l", Some("-DNP")),
        _ => ("-a", None),
    };
    let mut pan_args = vec![search.to_owned()];
    if fair {
        pan_args.push("-f".to_owned());
    }
    let mut compiler_args = vec!["-DNFAIR=3".to_owned()];
    compiler_args.extend(more.map(str::to_owned));
    let config = spin::Config {
        end_states: false,
        no_claim: false,
        cycles: true,
        pan_args,
        compiler_args,
        ..spin::Config::default()
    };
    match spin.run(text, &config) {
        SpinResult::Accepted(run) if !run.complete() && run.errors == 0 => None,
        SpinResult::Accepted(run) => Some(run.errors > 0),
        _ => None,
    }
}

/// Compares so many random models, and requires that each verdict is at least so frequent, in percent.
fn compare(asked: Asked, count: usize, least: usize) {
    let Some(spin) = needs::spin() else { return };
    let count = if std::env::var_os("EVERYPATH_ALL").is_some() { 1_000 } else { count };
    let results = parallel(count, 2, |index| {
        let text = model(SEED + index as u64, asked);
        // Every other pair under weak fairness.
        let fair = index % 2 == 1;
        let ours = ours(&text, asked, fair);
        let mut theirs = spins(&spin, &text, asked, fair);
        if fair && ours == Ours::Standstill && theirs == Some(false) {
            // Where nothing can move nobody is treated unfairly, but SPIN's copies of the states for
            // fairness may step past the claim's acceptance. Without them it has to find the run.
            theirs = spins(&spin, &text, asked, false);
        }
        let ours = ours != Ours::Holds;
        // SPIN's copies of the states for fairness lose some cycles without progress, and take a standstill next
        // to an accept label for one at it.
        let defect = fair
            && asked.label().is_some()
            && theirs.is_some_and(|theirs| theirs != ours)
            && naive(&text, asked) != Some(!ours);
        if defect {
            theirs = None;
        }
        (text, fair, ours, theirs)
    });
    let (mut different, mut compared, mut violations) = (String::new(), 0, 0);
    for (index, (text, fair, ours, theirs)) in results.into_iter().enumerate() {
        let Some(theirs) = theirs else { continue };
        compared += 1;
        violations += usize::from(theirs);
        if ours != theirs {
            different += &format!(
                "number {index}, fair {fair}: we say {}, SPIN says {}\n{text}\n",
                if ours { "violated" } else { "holds" },
                if theirs { "violated" } else { "holds" },
            );
        }
    }
    assert!(different.is_empty(), "\n{different}");
    assert!(compared * 10 >= count * 9, "only {compared} of {count} could be compared");
    let enough = |number: usize| number * 100 >= compared * least;
    assert!(
        enough(violations) && enough(compared - violations),
        "{violations} of {compared} are violated"
    );
}

/// The slow check says what ours says, and SPIN where it has no defect.
#[test]
fn labels_under_fairness_are_what_they_seem() {
    for asked in [Asked::Accept, Asked::Progress] {
        let (mut violated, mut holds) = (0, 0);
        for seed in 0..60 {
            let text = model(SEED + 50_000 + seed, asked);
            let Some(bad) = naive(&text, asked) else { continue };
            assert_eq!(ours(&text, asked, true) != Ours::Holds, bad, "{text}");
            violated += u32::from(bad);
            holds += u32::from(!bad);
        }
        assert!(violated > 5 && holds > 5, "{violated} violated, {holds} hold");
    }
}

#[test]
fn random_formulas_get_spins_verdict() {
    compare(Asked::Formula, 120, 20);
}

#[test]
fn random_claims_get_spins_verdict() {
    compare(Asked::Never, 100, 10);
}

#[test]
fn random_accept_labels_get_spins_verdict() {
    compare(Asked::Accept, 100, 10);
}

#[test]
fn random_progress_labels_get_spins_verdict() {
    compare(Asked::Progress, 100, 5);
}
