//! Which search looks for a run that violates a property.

use std::sync::Mutex;

use everypath_engine_explicit::emptiness::{
    Numbered, SharedStates, Sought, seek, seek_shared, seek_strong, seek_weak,
};
use everypath_engine_explicit::{Ledger, Limits, Observer, Options, Stopped};
use everypath_layer_product::{Acceptor, SharedLetter, Synchronous};
use everypath_model::{Successors, Touched, TransitionSystem};
use everypath_property::tgba::Automaton;

use super::cycles::{Asked, Manner};
use super::emptiness::{General, How, WEAK};
use super::fairness::statements;
use super::{Sign, Temporal};
use crate::args::FairArg;

/// Product states, at most, in which a run is looked for before it is worth while to begin a larger search.
const FEW: u64 = 30_000;
/// The same where it is known that there is one, for the sake of a short one.
const SOME: u64 = 2_000_000;

/// What a search says.
pub struct Found {
    pub sought: Sought,
    /// Whether the system said that it left something out.
    pub left_out: bool,
    /// The method.
    pub name: &'static str,
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
        let mut acceptor = Acceptor::new(asked.automaton.clone());
        match how {
            How::Auto { threads, general } if fairness == FairArg::None => {
                let method = general.alone();
                let name = method.name();
                let small = seek(states, &mut acceptor, method, &self.within(FEW), observer);
                if !self.is_cut(&small, FEW) {
                    return Ok(Found { sought: small, left_out: states.left_out, name });
                }
                if let Some(found) = self.by_one_search(&asked.automaton, threads, observer) {
                    if matches!(found.sought.answer, Ok(None))
                        || found.sought.answer.as_ref().is_err_and(|why| *why != Stopped::Finished)
                    {
                        return Ok(found);
                    }
                    // There is one; the other search finds a shorter one, if it is not too far away.
                    let short = seek(states, &mut acceptor, method, &self.within(SOME), observer);
                    if matches!(short.answer, Ok(_)) {
                        return Ok(Found { sought: short, left_out: states.left_out, name });
                    }
                    if found.sought.answer.is_ok() {
                        return Ok(found);
                    }
                }
            }
            How::Weak(threads) if fairness == FairArg::None => {
                let found = self.by_one_search(&asked.automaton, threads, observer);
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
                let sought = seek_strong(states, &mut acceptor, &statements, options, observer);
                (sought, states.left_out)
            }
            General::Alone(method) => {
                let sought = seek(states, &mut acceptor, method, options, observer);
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
        Ok(Found { sought, left_out, name })
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
        automaton: &Automaton,
        threads: usize,
        observer: &mut dyn Observer,
    ) -> Option<Found> {
        let atoms = automaton.edges.iter().flatten();
        let mut wanted = 0;
        for edge in atoms {
            for atom in automaton.labels.support(edge.label) {
                wanted |= 1u64 << atom;
            }
        }
        let own = Mutex::new(self.temporal.system.worker());
        let letter = |worker: &mut S::Worker, state: &[u32]| {
            let mut violated = |index| self.system.violated_invariant(worker, state, index);
            self.temporal.letter(state, wanted, &mut violated, &own)
        };
        let reads = self.reads(wanted);
        let product = Synchronous::new(self.system, &letter, automaton, reads)?;
        let options = *self.manner.options;
        let options = Options {
            threads,
            reduction: None,
            checkpoints: None,
            resume: None,
            limits: Limits { depth: None, ..options.limits },
            ..options
        };
        let sought = seek_weak(&product, &options, observer);
        Some(Found { sought, left_out: product.left_out(), name: WEAK })
    }

    /// The words of states that some propositions read, if that is known.
    fn reads(&self, wanted: u64) -> Option<Vec<Touched>> {
        let mut conditions = Vec::new();
        for (bit, sign) in self.temporal.signs.iter().enumerate() {
            match *sign {
                _ if wanted >> bit & 1 == 0 => {}
                Sign::Condition(index) => conditions.push(index),
                Sign::NonProgress | Sign::Accepting => return None,
            }
        }
        let system = &self.temporal.system;
        let mut first = Successors::new();
        system.initial(&mut system.worker(), &mut first).ok()?;
        let state = first.target(first.steps().first()?);
        let mut reads = Vec::new();
        system.invariants_read(state, conditions, &mut reads).then_some(reads)
    }
}
