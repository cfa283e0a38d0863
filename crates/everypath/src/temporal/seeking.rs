//! Which search looks for a run that violates a property.

use std::sync::Mutex;

use everypath_engine_explicit::emptiness::{
    Method, Numbered, Run, RunStep, SharedStates, Sought, seek, seek_shared, seek_strong, seek_weak,
};
use everypath_engine_explicit::{Lassos, Ledger, Limits, Observer, Options, Stopped};
use everypath_engine_jit::Jit;
use everypath_layer_optimise::{Observed, optimise};
use everypath_layer_product::{Acceptor, SharedLetter, Synchronous};
use everypath_layer_reduce::{Chosen, Options as PartialOptions};
use everypath_machine::Interpreter;
use everypath_model::{Describe, Successors, Touched, TransitionSystem};
use everypath_property::ltl::{Formula, Formulas};
use everypath_property::tgba::{self, Automaton, Strength};

use super::cycles::{Asked, Manner};
use super::emptiness::{General, How, WEAK};
use super::{Sign, Temporal};
use crate::choices::FairArg;
use crate::promela::executed;

/// Product states, at most, in which a run is looked for before it is worth while to begin a larger search.
const FEW: u64 = 30_000;
/// The same where it is known that there is one, for the sake of a short one.
const SOME: u64 = 2_000_000;

/// How often a cycle is followed, at most, until it closes in the whole model.
const MOST_ROUNDS: usize = 1000;

/// What a search says.
pub struct Found {
    pub sought: Sought,
    /// Whether the system said that it left something out.
    pub left_out: bool,
    /// The method.
    pub name: &'static str,
    /// The reductions in use.
    pub reductions: Vec<String>,
}

impl Found {
    /// Without reductions.
    fn whole(sought: Sought, left_out: bool, name: &'static str) -> Found {
        Found { sought, left_out, name, reductions: Vec::new() }
    }
}

/// What all searches have in common.
pub struct Seeking<'a, S: TransitionSystem> {
    pub temporal: &'a Temporal,
    pub system: &'a S,
    pub letter: SharedLetter<'a, S::Worker>,
    pub ledger: &'a Ledger,
    pub manner: &'a Manner<'a>,
}

impl<'a, S: TransitionSystem> Seeking<'a, S> {
    /// Looks for a run that an automaton accepts; or says why that cannot be done as it is wanted.
    pub fn seek(
        &self,
        asked: &Asked,
        states: &mut Numbered<'a, S>,
        shared: &mut Option<SharedStates<'a, S>>,
        observer: &mut dyn Observer,
    ) -> Result<Found, String> {
        let Manner { how, fairness, options, .. } = *self.manner;
        let weak = Weak {
            automaton: &asked.automaton,
            stutters: &|| self.temporal.stutters(&self.temporal.formulas, asked.formula),
            states: options.limits.states,
        };
        let mut acceptor = Acceptor::new(asked.automaton.clone());
        if options.store.is_lossy() {
            let threads = match how {
                How::Auto { threads, .. } | How::Weak(threads) => threads,
                How::Only(general) => {
                    return Err(format!("{} needs an exact store", general.name()));
                }
            };
            let found = match fairness {
                FairArg::None => self.by_one_search(&weak, threads, observer),
                _ => None,
            };
            return match found {
                Some(found) if found.sought.answer != Err(Stopped::Finished) => Ok(found),
                _ => Err("a lossy store is enough for one search only: of weak automata, \
                          without fairness"
                    .to_owned()),
            };
        }
        match how {
            How::Auto { threads, general } if fairness == FairArg::None => {
                let method = general.alone();
                let name = method.name();
                let small = seek(states, &mut acceptor, method, &self.within(FEW), observer);
                if !self.is_cut(&small, FEW) {
                    return Ok(Found::whole(small, states.left_out, name));
                }
                if let Some(found) = self.by_one_search(&weak, threads, observer) {
                    match found.sought.answer {
                        Ok(Some(_)) | Err(Stopped::Finished) => {}
                        _ => return Ok(found),
                    }
                    // There is one; the other search may find a shorter one, if it is not too far away.
                    let most = match options.lassos {
                        Lassos::Shortest => *options,
                        _ => self.within(SOME),
                    };
                    let short = seek(states, &mut acceptor, method, &most, observer);
                    match (length(&short), length(&found.sought)) {
                        (None, Some(_)) => return Ok(found),
                        (Some(short), Some(long)) if long < short => return Ok(found),
                        _ if short.answer.is_ok() => {
                            return Ok(Found::whole(short, states.left_out, name));
                        }
                        _ => {}
                    }
                }
            }
            How::Weak(threads) if fairness == FairArg::None => {
                let found = self.by_one_search(&weak, threads, observer);
                let why = "the automaton of the property is not weak, or too large for one search";
                let found = found.ok_or_else(|| why.to_owned())?;
                if !matches!(found.sought.answer, Err(Stopped::Finished)) {
                    return Ok(found);
                }
            }
            How::Weak(_) => {
                return Err(format!("{WEAK} is no search for runs that are fair"));
            }
            _ => {}
        }
        let general = how.general();
        let name = general.name();
        if fairness != FairArg::Weak && !general.takes(asked.automaton.marks) {
            return Err(format!(
                "{name} needs a mark in the automaton of the formula, and this one has none"
            ));
        }
        let (sought, left_out) = match general {
            _ if fairness == FairArg::Strong => {
                let deeds = self.temporal.counts(self.manner);
                let sought = seek_strong(states, &mut acceptor, &deeds, options, observer);
                (sought, states.left_out)
            }
            General::Alone(method) => {
                let sought = seek(states, &mut acceptor, method, options, observer);
                (sought, states.left_out)
            }
            General::Together(_) if options.lassos == Lassos::Shortest => {
                let sought = seek(states, &mut acceptor, general.alone(), options, observer);
                (sought, states.left_out)
            }
            General::Together(threads) => {
                let options = Options { threads, ..*options };
                let weak = fairness == FairArg::Weak;
                let states = shared.get_or_insert_with(|| {
                    SharedStates::new(self.system, self.letter, weak, self.ledger)
                });
                let sought = seek_shared(states, &acceptor, &options, observer);
                (sought, states.left_out())
            }
        };
        Ok(Found::whole(sought, left_out, name))
    }

    /// Whether no run satisfies a formula, of which `automaton` is; at most so many product states are
    /// looked at, and how many it were is taken off.
    pub fn is_empty(
        &self,
        (formulas, formula, automaton): (&Formulas, Formula, &Automaton),
        states: &mut Numbered<'a, S>,
        left: &mut u64,
        observer: &mut dyn Observer,
    ) -> Result<bool, Stopped> {
        let mut acceptor = Acceptor::new(automaton.clone());
        let method = Method::default();
        let spend = |sought: Sought, left: &mut u64| {
            *left = left.saturating_sub(sought.counts.nodes);
            sought.answer.map(|run| run.is_none())
        };
        if let (How::Auto { threads, .. }, FairArg::None) = (self.manner.how, self.manner.fairness)
        {
            let few = Options { lassos: Lassos::Any, ..self.within(FEW) };
            let small = spend(seek(states, &mut acceptor, method, &few, observer), left);
            if small != Err(Stopped::StateLimit) || few.limits.states != Some(FEW) {
                return small;
            }
            let stutters = || self.temporal.stutters(formulas, Some(formula));
            let most = self.within(*left).limits.states;
            let weak = Weak { automaton, stutters: &stutters, states: most };
            if let Some(found) = self.by_one_search(&weak, threads, observer)
                && found.sought.answer != Err(Stopped::Finished)
            {
                return spend(found.sought, left);
            }
        }
        let options = Options { lassos: Lassos::Any, ..self.within(*left) };
        spend(seek(states, &mut acceptor, method, &options, observer), left)
    }

    /// The options with a limit of states that is no greater than this.
    fn within(&self, limit: u64) -> Options<'a> {
        let options = *self.manner.options;
        let states = Some(options.limits.states.map_or(limit, |states| states.min(limit)));
        Options { limits: Limits { states, ..options.limits }, ..options }
    }

    /// Whether a search ended because of a limit that the user did not set.
    fn is_cut(&self, sought: &Sought, limit: u64) -> bool {
        let asked = self.manner.options.limits.states;
        matches!(sought.answer, Err(Stopped::StateLimit)) && asked.is_none_or(|asked| asked > limit)
    }

    /// Looks for it by one search of the product; `None` if the automaton is not one for that.
    fn by_one_search(
        &self,
        weak: &Weak<'_>,
        threads: usize,
        observer: &mut dyn Observer,
    ) -> Option<Found> {
        let automaton = weak.automaton;
        if tgba::strength(automaton) == Strength::Strong {
            return None;
        }
        let Seen { model, chosen, conditions, reductions } = self.seen(weak);
        let own = Mutex::new(model.worker());
        let letter = |worker: &mut _, state: &[u32]| match &conditions {
            Some(atoms) => {
                let mut letter = 0;
                for (index, atom) in atoms.iter().enumerate() {
                    let holds = chosen.violated_invariant(worker, state, index)?.is_none();
                    letter |= u64::from(holds) << atom;
                }
                Ok(letter)
            }
            None => {
                let mut violated = |index| chosen.violated_invariant(worker, state, index);
                self.temporal.letter(state, &mut violated, &own)
            }
        };
        let reads = conditions.as_ref().and_then(|atoms| reads(&model, atoms.len()));
        let product = Synchronous::new(&chosen, &letter, automaton, reads)?;
        let options = *self.manner.options;
        let options = Options {
            threads,
            reduction: None,
            checkpoints: None,
            resume: None,
            limits: Limits { depth: None, states: weak.states, ..options.limits },
            ..options
        };
        let mut sought = seek_weak(&product, &options, observer);
        if let Ok(Some(run)) = &sought.answer {
            sought.answer = self.unfolded(run).map(Some).ok_or(Stopped::Finished);
        }
        Some(Found { sought, left_out: product.left_out(), name: WEAK, reductions })
    }

    /// What of the model a property has to see.
    fn seen(&self, weak: &Weak<'_>) -> Seen {
        let Manner { exec, reductions, options, .. } = *self.manner;
        let original = &self.temporal.system;
        let native = |model: &Interpreter| executed(model, exec);
        let Some(atoms) = self.conditions(weak.automaton) else {
            let (model, chosen) = (original.clone(), Chosen::all(native(original)));
            return Seen { model, chosen, conditions: None, reductions: Vec::new() };
        };
        let mut machine = original.machine().clone();
        let invariant = |&(index, _): &(usize, u32)| original.machine().invariants[index].clone();
        machine.invariants = atoms.iter().map(invariant).collect();
        let conditions = Some(atoms.iter().map(|&(_, atom)| atom).collect());
        if !(weak.stutters)() {
            let model = Interpreter::new(machine.into()).braked_as(original);
            let chosen = Chosen::all(native(&model));
            return Seen { model, chosen, conditions, reductions: Vec::new() };
        }
        let passes = reductions.passes();
        let names = reductions.clone().without_symmetry().without_transactions();
        if !passes.is_empty() {
            machine = optimise(&machine, &passes, &Observed::default());
        }
        let model = Interpreter::new(machine.into()).braked_as(original);
        // A lossy store knows what is on the stack only if it remembers what parts of states do.
        let order = reductions.partial_order().filter(|_| !options.store.is_lossy());
        if let Some(method) = order {
            let few = || PartialOptions { method, ..PartialOptions::default() };
            let worth = reductions.names_partial_order()
                || Chosen::few(model.clone(), few()).is_worth_it().unwrap_or(false);
            if worth && everypath_layer_reduce::obstacle(&model).is_none() {
                let chosen = Chosen::few(native(&model), few());
                return Seen { model, chosen, conditions, reductions: names.names() };
            }
        }
        let chosen = Chosen::all(native(&model));
        Seen { model, chosen, conditions, reductions: names.without_partial_order().names() }
    }

    /// The conditions that an automaton looks at, with their atoms; `None` if it looks at labels.
    fn conditions(&self, automaton: &Automaton) -> Option<Vec<(usize, u32)>> {
        let condition = |&atom: &u32| match self.temporal.signs[atom as usize] {
            Sign::Condition(index) => Some((index, atom)),
            Sign::NonProgress | Sign::Accepting => None,
        };
        automaton.support().iter().map(condition).collect()
    }

    /// The run of the model for one of what is left of it. What was left out may be different each time
    /// around, but not for ever.
    fn unfolded(&self, run: &Run) -> Option<Run> {
        let system = &self.temporal.system;
        let initial = first_state(system)?;
        let mut state = initial.clone();
        let mut follow = |steps: &[RunStep]| -> Option<Vec<RunStep>> {
            let mut made = Vec::new();
            for step in steps {
                let actions = step.actions.clone();
                if let Some(last) = system.replay(&state, &actions).ok()?.last() {
                    state.clone_from(&last.state);
                }
                made.push(RunStep { actions, state: state.clone() });
            }
            Some(made)
        };
        let mut stem = follow(&run.stem)?;
        let mut starts: Vec<(Vec<u32>, usize)> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let at = stem.last().map_or_else(|| initial.clone(), |step| step.state.clone());
            if let Some((_, start)) = starts.iter().find(|(state, _)| *state == at) {
                let cycle = stem.split_off(*start);
                return Some(Run { initial, stem, cycle });
            }
            starts.push((at, stem.len()));
            stem.extend(follow(&run.cycle)?);
        }
        None
    }
}

/// The number of steps of a run that was found.
fn length(sought: &Sought) -> Option<usize> {
    let run = sought.answer.as_ref().ok()?.as_ref()?;
    Some(run.stem.len() + run.cycle.len())
}

/// What one search looks for.
struct Weak<'a> {
    automaton: &'a Automaton,
    /// Whether it makes no difference for it how long a run stays as it is.
    stutters: &'a dyn Fn() -> bool,
    /// Product states, at most.
    states: Option<u64>,
}

/// What of a model a property has to see.
struct Seen {
    /// The model, with what is left of it.
    model: Interpreter,
    /// Its steps.
    chosen: Chosen<Jit>,
    /// The atoms that its invariants are; `None` if letters are those of the whole model.
    conditions: Option<Vec<u32>>,
    reductions: Vec<String>,
}

/// The state that a model begins in.
fn first_state(model: &Interpreter) -> Option<Vec<u32>> {
    let mut out = Successors::new();
    model.initial(&mut model.worker(), &mut out).ok()?;
    Some(out.target(out.steps().first()?).to_vec())
}

/// The words of states that the invariants read, if that is known.
fn reads(model: &Interpreter, invariants: usize) -> Option<Vec<Touched>> {
    let state = first_state(model)?;
    let mut reads = Vec::new();
    model.invariants_read(&state, 0..invariants, &mut reads).then_some(reads)
}
