//! What is said about deadlocks of random models, against brute force: who is blocked, who could
//! help, and who waits for whom.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use everypath_conformance::Disk;
use everypath_engine_explicit::{AfterViolation, Kind, Limits, Options, search};
use everypath_lang_promela::{LowerOptions, lower, parse};
use everypath_machine::{Interpreter, Machine, TransitionKind};
use everypath_model::{
    Action, Blocked, Deed, Describe, Moment, Obstacle, Simulate, Sources, Span, Standing, Value,
};
use everypath_testkit::generate::{self, Profile};
use everypath_verdict::{Claim, Context, Evidence, Trace, replay};

/// Where the random models start.
const SEED: u64 = 7_000;

/// The processes of a state: where each record begins, and its proctype.
fn records(machine: &Machine, state: &[u32]) -> Vec<(usize, usize)> {
    let words = |ty: u16| machine.channel_types[usize::from(ty)].words as usize;
    let mut at = (machine.hidden_words + machine.global_words) as usize;
    at += machine.global_channels.iter().map(|c| words(c.ty)).sum::<usize>();
    let mut found = Vec::new();
    while at < state.len() {
        let ty = machine.head.proctype.get(&state[at..]) as usize;
        found.push((at, ty));
        at += machine.proctypes[ty].words as usize;
        at += machine.proctypes[ty].channels.iter().map(|c| words(c.ty)).sum::<usize>();
    }
    found
}

/// The locations that control can come to.
fn ahead(machine: &Machine, ty: usize, from: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for edge in &machine.proctypes[ty].locations[at].edges {
            let transition = &machine.transitions[edge.transition as usize];
            let to = usize::from(transition.target);
            if transition.kind != TransitionKind::End && found.insert(to) {
                open.push(to);
            }
        }
    }
    found
}

struct Deadlock<'a> {
    system: &'a Interpreter,
    state: Vec<u32>,
    blocked: Vec<Blocked>,
    /// Whether the claims of the analysis were looked at at least once.
    confirmed: usize,
}

impl Deadlock<'_> {
    fn enabled(&self, state: &[u32]) -> Vec<Vec<Action>> {
        let moment = Moment { state: state.to_vec(), holder: None };
        self.system.choices(&moment).unwrap().into_iter().map(|choice| choice.actions).collect()
    }

    fn after(&self, state: &[u32], actions: &[Action]) -> Option<Vec<u32>> {
        let moment = Moment { state: state.to_vec(), holder: None };
        let choices = self.system.choices(&moment).unwrap();
        let choice = choices.iter().find(|choice| choice.actions == actions)?;
        Some(self.system.take(&moment, choice).unwrap().next?.state)
    }

    /// Everybody is listed, and providers stand where the control flow says.
    fn check_standing(&self) {
        let machine = self.system.machine();
        let names: Vec<&str> = self.blocked.iter().map(|b| b.process.as_str()).collect();
        assert_eq!(names, self.system.processes(&self.state));
        let records = records(machine, &self.state);
        let statements = |pid: usize| -> BTreeSet<(Span, &str)> {
            let (offset, ty) = records[pid];
            let at = machine.head.location.get(&self.state[offset..]) as usize;
            ahead(machine, ty, at)
                .into_iter()
                .flat_map(|at| &machine.proctypes[ty].locations[at].edges)
                .map(|edge| &machine.transitions[edge.transition as usize])
                .map(|transition| (transition.span, transition.text.as_str()))
                .collect()
        };
        for (waiter, blocked) in self.blocked.iter().enumerate() {
            assert!(
                blocked.valid_end || !blocked.needs.is_empty(),
                "{} waits for nothing",
                blocked.process
            );
            for need in &blocked.needs {
                for provider in &need.providers {
                    let pid = names.iter().position(|name| *name == provider.process);
                    let statement = (provider.statement.span, provider.statement.text.as_str());
                    match provider.standing {
                        Standing::Ahead | Standing::Itself => {
                            let pid = pid.expect("it is alive");
                            assert!(statements(pid).contains(&statement), "{provider:?}");
                            assert_eq!(provider.standing == Standing::Itself, pid == waiter);
                        }
                        Standing::Past | Standing::Ended => {
                            let pid = pid.expect("it is alive");
                            let spans = statements(pid);
                            assert!(
                                !spans.iter().any(|(span, _)| *span == statement.0)
                                    || !spans.contains(&statement),
                                "{provider:?}"
                            );
                        }
                        Standing::Starts => assert!(pid.is_some()),
                        Standing::Absent => {}
                    }
                    let text = statement.1;
                    if text.starts_with("d_step") {
                        // Its text leaves out the middle.
                        continue;
                    }
                    assert!(
                        match provider.deed {
                            Deed::Sends => text.contains('!'),
                            Deed::Receives => text.contains('?'),
                            Deed::Writes =>
                                ["=", "++", "--", "?", ":"].iter().any(|s| text.contains(s)),
                            Deed::Releases | Deed::Ends => false,
                        },
                        "{provider:?}"
                    );
                }
            }
        }
    }

    /// Puts each process in turn at every place it can come to and lets it make one step there: if
    /// that sets a waiting process free, it must be among those who could.
    fn check_providers(&mut self) {
        let machine = self.system.machine();
        if machine.uses_priorities {
            return;
        }
        let records = records(machine, &self.state);
        for (pid, &(offset, ty)) in records.iter().enumerate() {
            let here = machine.head.location.get(&self.state[offset..]) as usize;
            for at in ahead(machine, ty, here) {
                let mut moved = self.state.clone();
                machine.head.location.set(&mut moved[offset..], at as i32);
                let before = self.enabled(&moved);
                for actions in &before {
                    match actions[..] {
                        [one] if one.process as usize == pid => {
                            let Some(after) = self.after(&moved, actions) else { continue };
                            for freed in self.enabled(&after) {
                                for action in freed.iter().filter(|a| a.process as usize != pid) {
                                    let was = |b: &Vec<Action>| b.contains(action);
                                    if freed.len() == 1 && !before.iter().any(was) {
                                        self.expect(pid, *action, one);
                                    }
                                }
                            }
                        }
                        [a, b] if a.process as usize == pid => self.expect(pid, b, a),
                        [a, b] if b.process as usize == pid => self.expect(pid, a, b),
                        _ => {}
                    }
                }
            }
        }
    }

    /// Nobody takes messages that are said to be stranded, wherever its control flow leads it.
    fn check_stranded(&self) -> usize {
        let machine = self.system.machine();
        let stranded = self.system.stranded(&self.state);
        let length = |state: &[u32], name: &str| {
            let values = self.system.values(state);
            // The variable that holds the channel has its name, too.
            values.into_iter().find_map(|(n, value)| match value {
                Value::List(messages) if n == name => Some(messages.len()),
                _ => None,
            })
        };
        for one in &stranded {
            let all = Some(one.contents.len());
            assert_eq!(length(&self.state, &one.channel), all);
            assert!(!one.receivers.iter().any(|r| r.standing.can_act()));
            for (pid, (offset, ty)) in records(machine, &self.state).into_iter().enumerate() {
                let here = machine.head.location.get(&self.state[offset..]) as usize;
                for at in ahead(machine, ty, here) {
                    let mut moved = self.state.clone();
                    machine.head.location.set(&mut moved[offset..], at as i32);
                    for actions in self.enabled(&moved) {
                        if actions.iter().any(|a| a.process as usize == pid)
                            && let Some(after) = self.after(&moved, &actions)
                            && after.len() >= self.state.len()
                        {
                            assert!(length(&after, &one.channel) >= all, "{one:?}");
                        }
                    }
                }
            }
        }
        stranded.len()
    }

    /// The process `pid` is told to be able to set `freed` free.
    fn expect(&mut self, pid: usize, freed: Action, by: Action) {
        let machine = self.system.machine();
        let Some(blocked) = self.blocked.get(freed.process as usize) else { return };
        let transition = &machine.transitions[freed.transition as usize];
        let need = blocked.needs.iter().find(|need| {
            matches!(need.obstacle, Obstacle::Provided { .. })
                || (need.statement.span, &need.statement.text)
                    == (transition.span, &transition.text)
        });
        // `else`, ends, and what it comes to only after another step are not waited for.
        let Some(need) = need.filter(|need| need.closed) else { return };
        let name = &self.blocked[pid].process;
        assert!(
            need.providers.iter().any(|p| p.process == *name && p.standing == Standing::Ahead),
            "{name} can do `{}` and so free {} at `{}`, but nobody said so: {need:?}",
            machine.transitions[by.transition as usize].text,
            blocked.process,
            need.statement.text,
        );
        self.confirmed += 1;
    }
}

/// A circle is made of waits that are claimed.
fn check_circle(trace: &Trace) -> bool {
    let mut found = false;
    for why in trace.explain.iter().filter(|why| why.kind == "wait-cycle") {
        found = true;
        let distinct: BTreeSet<&String> = why.processes.iter().collect();
        assert_eq!(distinct.len(), why.processes.len());
        assert!(distinct.len() > 1);
        for (i, process) in why.processes.iter().enumerate() {
            let next = &why.processes[(i + 1) % why.processes.len()];
            let lane = trace.end.blocked.iter().find(|lane| lane.process == *process).unwrap();
            let mut providers = lane.needs.iter().flat_map(|need| &need.providers);
            assert!(providers.any(|p| p.can_act() && p.process == *next), "{}", why.text);
        }
    }
    found
}

/// Looks at the deadlocks of a model: how many, with a circle, with providers that brute force
/// found too, and how many channels with messages that nobody takes.
fn look(text: &str) -> [usize; 4] {
    let mut sources = Sources::default();
    let main = sources.add(PathBuf::from("m.pml"), text.to_owned());
    let parsed = parse(&mut sources, main, &everypath_lang_promela::Options::default(), &Disk);
    let Some(model) = parsed.model else { return [0; 4] };
    let Some(machine) = lower(&model, &LowerOptions::default()).machine else { return [0; 4] };
    let system = Interpreter::new(Arc::new(machine));
    let options = Options {
        limits: Limits { states: Some(20_000), ..Limits::default() },
        after_violation: AfterViolation::Continue,
        ..Options::default()
    };
    let outcome = search(&system, &options, &mut ());
    let (mut deadlocks, mut circles, mut confirmed, mut stranded) = (0, 0, 0, 0);
    for violation in &outcome.violations {
        let Kind::Deadlock(_) = violation.kind else { continue };
        let path = outcome.path(&system, violation).unwrap();
        let mut deadlock = Deadlock {
            system: &system,
            blocked: system.blocked(&path.last),
            state: path.last.clone(),
            confirmed: 0,
        };
        deadlock.check_standing();
        deadlock.check_providers();
        stranded += deadlock.check_stranded();
        let evidence = Evidence {
            initial: &path.initial,
            actions: &path.actions,
            claim: Claim::Deadlock,
            moves: None,
            shortest: true,
            fewest_switches: false,
        };
        let context = Context { property: "deadlock", lang: "promela", sources: &sources };
        let (trace, _) = replay(&system, &evidence, &context).unwrap();
        let listed: Vec<&str> = trace.end.blocked.iter().map(|b| b.process.as_str()).collect();
        assert_eq!(listed, system.processes(&path.last));
        deadlocks += 1;
        circles += usize::from(check_circle(&trace));
        confirmed += usize::from(deadlock.confirmed > 0);
    }
    [deadlocks, circles, confirmed, stranded]
}

#[test]
fn deadlocks_are_told_truly() {
    let count = std::env::var("EVERYPATH_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(600);
    let mut all = [0; 4];
    for seed in SEED..SEED + count {
        // Without an environment that keeps channels going there are more deadlocks.
        let profile = Profile { environment: 10, priority: 0, ..Profile::of_seed(seed) };
        let model = generate::model_with(seed, &profile);
        let found = std::panic::catch_unwind(|| look(&model.text))
            .unwrap_or_else(|_| panic!("seed {seed}:\n{}", model.text));
        all = std::array::from_fn(|i| all[i] + found[i]);
    }
    let [deadlocks, circles, confirmed, stranded] = all;
    println!(
        "{deadlocks} deadlocks, {circles} with a circle, {confirmed} with confirmed providers, \
         {stranded} channels with stranded messages"
    );
    assert!(deadlocks > count as usize / 10, "too few deadlocks to judge: {all:?}");
    assert!(circles > 0 && stranded > 0, "too little to judge: {all:?}");
    assert!(confirmed > count as usize / 50, "too little to judge: {all:?}");
}
