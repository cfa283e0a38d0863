//! All runs of a model that end, one statement at a time, with their events.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use everypath_lang_promela::{LowerOptions, lower};
use everypath_machine::Interpreter;
use everypath_model::{Moment, Simulate, Taken};
use everypath_property::events::Fsa;

use crate::Read;

/// The moments of a model and how they lead to each other.
pub struct Runs {
    /// The events of each step, and where it leads.
    steps: Vec<Vec<(Vec<String>, usize)>>,
    /// Whether a run ends here as it should.
    ends: Vec<bool>,
}

/// What all runs show about a property.
pub struct Found {
    /// Whether a run ends.
    pub ended: bool,
    /// The events of one that ends and has not the property.
    pub violation: Option<Vec<String>>,
    /// The events of a beginning after which no run can have it.
    pub hopeless: Option<Vec<String>>,
}

const MOST_MOMENTS: usize = 6_000;

impl Runs {
    /// `None` if there are too many.
    pub fn of(read: &Read) -> Option<Runs> {
        let system = system(read)?;
        let mut places: HashMap<(Vec<u32>, Option<u32>), usize> = HashMap::new();
        let mut moments: Vec<Moment> = Vec::new();
        let mut place = |moment: Moment, moments: &mut Vec<Moment>| {
            let new = moments.len();
            let index = *places.entry((moment.state.clone(), moment.holder)).or_insert(new);
            if index == new {
                moments.push(moment);
            }
            index
        };
        for moment in system.beginnings().unwrap() {
            place(moment, &mut moments);
        }
        let (mut steps, mut ends) = (Vec::new(), Vec::new());
        while steps.len() < moments.len() {
            let moment = moments[steps.len()].clone();
            let choices = system.choices(&moment).unwrap();
            ends.push(choices.is_empty() && is_end(&system, &moment.state));
            let mut row = Vec::new();
            for choice in choices {
                let taken = system.take(&moment, &choice).unwrap();
                let events = events(read, &system, &taken);
                if let Some(next) = taken.next {
                    row.push((events, place(next, &mut moments)));
                }
            }
            steps.push(row);
            if moments.len() > MOST_MOMENTS {
                return None;
            }
        }
        Some(Runs { steps, ends })
    }

    /// The events that happen.
    pub fn events(&self) -> BTreeSet<String> {
        self.steps.iter().flatten().flat_map(|(events, _)| events.clone()).collect()
    }

    /// Whether a run has these events, and no others of those that are asked for; and ends, if that is wanted.
    pub fn has(&self, word: &[&str], asked: &[String], ended: bool) -> bool {
        let mut seen: HashSet<(usize, usize)> = HashSet::from([(0, 0)]);
        let mut work = vec![(0, 0)];
        while let Some((at, read)) = work.pop() {
            if read == word.len() && (!ended || self.ends[at]) {
                return true;
            }
            for (events, next) in &self.steps[at] {
                // A message is several events at a time.
                let mut new: Vec<&str> = events
                    .iter()
                    .filter(|event| asked.contains(event))
                    .map(String::as_str)
                    .collect();
                let mut next_of_word: Vec<&str> =
                    word[read..].iter().take(new.len()).copied().collect();
                new.sort_unstable();
                next_of_word.sort_unstable();
                let fits = new == next_of_word;
                if fits && seen.insert((*next, read + new.len())) {
                    work.push((*next, read + new.len()));
                }
            }
        }
        false
    }

    /// What is true of a property.
    pub fn check(&self, property: &Fsa) -> Found {
        let mut found = Found { ended: self.ends.contains(&true), violation: None, hopeless: None };
        let mut seen: HashSet<(usize, usize)> = HashSet::from([(0, property.start)]);
        let mut queue: VecDeque<(usize, usize, Vec<String>)> =
            VecDeque::from([(0, property.start, Vec::new())]);
        while let Some((at, state, run)) = queue.pop_front() {
            if self.ends[at] && !property.accepting[state] {
                found.violation.get_or_insert_with(|| run.clone());
            }
            if property.is_trap(state) {
                found.hopeless.get_or_insert_with(|| run.clone());
            }
            for (events, next) in &self.steps[at] {
                let after = events.iter().fold(state, |state, event| property.step(state, event));
                if seen.insert((*next, after)) {
                    let mut run = run.clone();
                    run.extend(events.iter().cloned());
                    queue.push_back((*next, after, run));
                }
            }
        }
        found
    }
}

/// What executes a model.
pub fn system(read: &Read) -> Option<Interpreter> {
    let machine = lower(&read.model, &LowerOptions::default()).machine?;
    Some(Interpreter::new(Arc::new(machine)))
}

/// Whether every process is where it may rest for ever.
fn is_end(system: &Interpreter, state: &[u32]) -> bool {
    let machine = system.machine();
    let words = |ty: u16| machine.channel_types[usize::from(ty)].words as usize;
    let mut at = (machine.hidden_words + machine.global_words) as usize;
    at += machine.global_channels.iter().map(|c| words(c.ty)).sum::<usize>();
    while at < state.len() {
        let ty = machine.head.proctype.get(&state[at..]) as usize;
        let location = machine.head.location.get(&state[at..]) as usize;
        if !machine.proctypes[ty].locations[location].valid_end {
            return false;
        }
        at += machine.proctypes[ty].words as usize;
        at += machine.proctypes[ty].channels.iter().map(|c| words(c.ty)).sum::<usize>();
    }
    true
}

/// The events of a step: labels of all statements, then the message, then what gets a value.
fn events(read: &Read, system: &Interpreter, taken: &Taken) -> Vec<String> {
    let mut events = Vec::new();
    for step in &taken.steps {
        let proctype = system.machine().transitions[step.action.transition as usize].proctype;
        let proctype = &read.model.proctypes[usize::from(proctype)].name;
        // A label stands alone in front of its statement, on the same line.
        let span = step.info.span;
        let (line, column) = read.sources.start(span);
        let text = read.sources.file(span.file).line(line);
        let before = text[..column as usize - 1].trim_end();
        if let Some(label) = before.strip_suffix(':').and_then(|rest| rest.split(' ').next_back())
            && label.starts_with('L')
        {
            events.push(format!("{proctype}.{label}"));
        }
    }
    for message in taken.steps.iter().filter_map(|step| step.message.as_ref()) {
        if message.send {
            let channel = message.channel.replace('[', ".").replace(']', "");
            events.push(channel.clone());
            if let Some(first) = message.fields.first() {
                events.push(format!("{channel}.{first}"));
            }
        }
    }
    for step in &taken.steps {
        for (name, _, new) in &step.writes {
            if name == "x" && new.to_string() == "1" {
                events.push("xOne".to_owned());
            }
            if name == "m" && new.to_string() == "up" {
                events.push("mUp".to_owned());
            }
        }
    }
    events
}
