//! Flow graphs of Promela models: what is proved on them is true of all runs of the machine.

mod forks;
mod models;
mod truth;

use std::path::PathBuf;

use everypath_conformance::Disk;
use everypath_engine_dataflow::{Constraint, Graph, Model, Options, Runs, inline};
use everypath_flow::Binding;
use everypath_lang_promela::{Extracted, Watcher, ast, flow_graph, parse};
use everypath_model::{Rng, Sources};
use everypath_property::events::Fsa;

/// A model that was read, with its flow graph.
struct Read {
    sources: Sources,
    model: ast::Model,
    extracted: Extracted,
    graph: Graph,
}

fn read(text: &str, binding: &Binding) -> Read {
    let mut sources = Sources::default();
    let main = sources.add(PathBuf::from("m.pml"), text.to_owned());
    let parsed = parse(&mut sources, main, &everypath_lang_promela::Options::default(), &Disk);
    let Some(model) = parsed.model else { panic!("{text}\n{:?}", parsed.diagnostics) };
    let extracted = flow_graph(&model, &sources, binding).unwrap();
    // What is written is read back as the same graph.
    let written = everypath_flow::write(&extracted.program);
    everypath_flow::read(&written, main).unwrap_or_else(|error| panic!("{written}\n{error:?}"));
    let graph = inline(&extracted.program).unwrap();
    Read { sources, model, extracted, graph }
}

/// All constraints that a graph can have.
fn constraints(graph: &Graph) -> Vec<Constraint> {
    let threads = graph.threads.iter().filter(|thread| !thread.many);
    let tasks = threads.map(|thread| Constraint::Task(thread.name.clone()));
    let variables = graph.variables.iter().map(|v| Constraint::Variable(v.name.clone()));
    tasks.chain(variables).collect()
}

fn conclusive(graph: &Graph, property: &Fsa, constraints: &[Constraint]) -> bool {
    conclusive_of(Runs::Ending, graph, property, constraints)
}

fn conclusive_of(runs: Runs, graph: &Graph, property: &Fsa, constraints: &[Constraint]) -> bool {
    let options = Options { runs, limit: 300_000, ..Options::default() };
    let model = Model::new(graph, property.clone(), Vec::new(), Some(constraints), options);
    model.decide(constraints).unwrap().conclusive()
}

/// A random automaton over some events.
fn automaton(rng: &mut Rng, events: &[String]) -> Fsa {
    let states = 2 + rng.below(2);
    let mut delta: Vec<Vec<usize>> =
        (0..states).map(|_| events.iter().map(|_| rng.below(states)).collect()).collect();
    // Mostly something that is wrong for ever, as properties are.
    if rng.chance(70) {
        delta[states - 1] = vec![states - 1; events.len()];
    }
    Fsa {
        events: events.to_vec(),
        delta,
        start: 0,
        accepting: (0..states).map(|state| state + 1 < states).collect(),
        names: (0..states).map(|state| format!("s{state}")).collect(),
    }
}

/// Up to three events, mostly such as happen.
fn some_events(rng: &mut Rng, happen: &[String], all: &[String]) -> Vec<String> {
    let mut chosen: Vec<String> = Vec::new();
    for _ in 0..1 + rng.below(3) {
        let from = if happen.is_empty() || rng.chance(15) { all } else { happen };
        let event = rng.pick(from).clone();
        if !chosen.contains(&event) {
            chosen.push(event);
        }
    }
    chosen
}

/// Executes a model some times: the events that are noted are those of a run. Gives how many runs were noted, and
/// how many could not be.
fn noted_runs(
    read: &Read,
    binding: &Binding,
    runs: &truth::Runs,
    asked: &[String],
    seed: u64,
) -> (usize, usize) {
    let system = truth::system(read).unwrap();
    let watcher = Watcher::new(&read.model, &read.sources, &read.extracted, binding, &system);
    let Some(watcher) = watcher else { return (0, 3) };
    let mut noted = 0;
    for chance in 0..3 {
        let Some(run) = watcher.run(&[], seed * 3 + chance, &|| false).unwrap() else { continue };
        noted += 1;
        let word: Vec<&str> = run
            .events
            .iter()
            .map(|one| one.event.as_str())
            .filter(|event| asked.iter().any(|one| one == event))
            .collect();
        let text = read.sources.iter().next().map_or("", |(_, file)| file.text.as_str());
        let known = runs.has(&word, asked, run.ended);
        assert!(known, "seed {seed}: {word:?} of {asked:?} is no run\n{text}");
    }
    (noted, 3 - noted)
}

#[test]
fn what_is_proved_of_random_models_is_true() {
    let all = std::env::var_os("EVERYPATH_ALL").is_some();
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a number"));
    let count: u64 = number("EVERYPATH_FLOW_RANDOM").unwrap_or(if all { 1_000 } else { 100 });
    let first: u64 = number("EVERYPATH_FLOW_FIRST").unwrap_or(0);
    let (mut compared, mut ended, mut proved, mut violated) = (0, 0, 0, 0);
    let (mut watched, mut unclear) = (0, 0);
    for seed in first..first + count {
        let mut rng = Rng::new(0xF10 + seed);
        let text = models::model(&mut rng);
        let all: Vec<String> = models::events(&text);
        let rules = Binding::read(models::RULES).unwrap();
        let Some(runs) = truth::Runs::of(&read(&text, &rules)) else { continue };
        let happen: Vec<String> = runs.events().into_iter().filter(|e| all.contains(e)).collect();
        compared += 1;
        for _ in 0..4 {
            let chosen = some_events(&mut rng, &happen, &all);
            let property = automaton(&mut rng, &chosen);
            // Only what the property is about is an event.
            let mut binding = rules.clone();
            binding.complete(&chosen);
            let read = read(&text, &binding);
            assert!(read.extracted.doubts.is_empty());
            let found = runs.check(&property);
            ended += u32::from(found.ended);
            violated += u32::from(found.violation.is_some());
            let runs_noted = noted_runs(&read, &binding, &runs, &chosen, seed);
            (watched, unclear) = (watched + runs_noted.0, unclear + runs_noted.1);
            let possible = constraints(&read.graph);
            let some: Vec<Constraint> =
                possible.iter().filter(|_| rng.chance(40)).cloned().collect();
            let few: Vec<Constraint> =
                possible.iter().filter(|_| rng.chance(70)).take(6).cloned().collect();
            for set in [&[][..], &some, &few] {
                for (runs, wrong) in
                    [(Runs::Ending, &found.violation), (Runs::All, &found.hopeless)]
                {
                    if conclusive_of(runs, &read.graph, &property, set) {
                        proved += 1;
                        assert!(
                            wrong.is_none(),
                            "seed {seed}: {runs:?} proved with {set:?} though there is a run {wrong:?}\n{text}\n\
                             {property:?}\n{}",
                            everypath_flow::write(&read.extracted.program),
                        );
                    }
                }
            }
        }
    }
    println!(
        "{compared} models, {ended} properties with runs that end, {violated} violated, {proved} proved; \
         {watched} runs were noted, {unclear} could not be"
    );
    let least = count as u32;
    assert!(compared > least / 2, "{compared}");
    assert!(watched > 4 * count as usize && unclear < watched, "{watched} {unclear}");
    assert!(ended > least && violated > least / 4 && proved > least, "{ended} {violated} {proved}");
}
