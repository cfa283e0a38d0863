//! The runs that are shown.

use everypath_engine_explicit::{Fewest, Options, Order, Outcome, Path, Violation, shortest_run};
use everypath_model::{ModelError, Successors};

use super::Loaded;
use super::judge::Judge;
use crate::brake::within;
use crate::choices::SearchArg;
use crate::portfolio::Probed;
use crate::subject::{Manner, Subject};

/// The search that found a violation.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) outcome: &'a Outcome,
    pub(super) order: Order,
    pub(super) manner: Manner,
    /// Its name, if it is not the one that was asked for.
    pub(super) search: Option<SearchArg>,
}

impl<S> Judge<'_, S> {
    pub(super) fn sources(&self) -> impl Iterator<Item = Source<'_>> {
        let main = Source {
            outcome: self.outcome,
            order: self.options.order,
            manner: self.checking.manner(),
            search: None,
        };
        let beside = self.probed.iter().map(|probed| {
            let Probed { search, order, manner, ref outcome } = *probed;
            Source { outcome, order, manner, search: Some(search) }
        });
        std::iter::once(main).chain(beside)
    }
}

/// A run of the model as it is shown.
pub(super) struct Shown {
    pub(super) initial: Vec<u32>,
    pub(super) path: Path,
    /// Steps, as the model takes them.
    pub(super) moves: u64,
    pub(super) shortest: bool,
    pub(super) fewest_switches: bool,
}

impl<S: Subject> Judge<'_, S> {
    /// The run to a violation; a shortest one with the fewest context switches, if that is wanted
    /// and can be found.
    pub(super) fn shown(
        &self,
        source: Source<'_>,
        violation: &Violation,
        polish: bool,
    ) -> Result<Shown, ModelError> {
        let Loaded { searched, .. } = *self.loaded;
        let Source { outcome, order, manner, .. } = source;
        let options = Options { order, ..self.what_is_left() };
        let breadth = order == Order::Breadth;
        if self.checking.reductions.keep_lengths() {
            let (path, fewest) = if polish {
                let fewest = || searched.fewest_switches(manner, outcome, &options, violation);
                match within(searched.brake(), self.bounds, fewest) {
                    Ok(found) => (found.path, found.exact),
                    // There is no time for a better one.
                    Err(error) if error.why_ended().is_some() => {
                        (searched.path(manner, outcome, violation)?, false)
                    }
                    Err(error) => return Err(error),
                }
            } else {
                (searched.path(manner, outcome, violation)?, false)
            };
            // A lossy store may have cut off a shorter one; otherwise all that are shorter were
            // looked at, before or afterwards.
            let shortest = if breadth { outcome.loss.is_none() } else { fewest };
            let (initial, moves) = (self.initial(&path)?, path.len() as u64);
            return Ok(Shown { initial, path, moves, shortest, fewest_switches: fewest });
        }
        let path = searched.path(manner, outcome, violation)?;
        let initial = self.initial(&path)?;
        let moves = self.moves(&initial, &path);
        if polish
            && order != Order::Depth
            && moves > 0
            && let Some(found) = self.shortest(&options, violation, moves)?
        {
            return Ok(Shown {
                initial: found.path.initial.clone(),
                moves: found.path.len() as u64,
                path: found.path,
                shortest: true,
                fewest_switches: true,
            });
        }
        let least = moves == 0;
        Ok(Shown { initial, path, moves, shortest: least, fewest_switches: least })
    }

    /// A shortest run of the model, if there is time to look for one.
    pub(super) fn shortest(
        &self,
        options: &Options<'_>,
        violation: &Violation,
        moves: u64,
    ) -> Result<Option<Fewest>, ModelError> {
        let system = self.loaded.system;
        let look = || shortest_run(system, options, violation, moves);
        match within(system.brake(), self.bounds, look) {
            Err(error) if error.why_ended().is_some() => Ok(None),
            found => found,
        }
    }

    /// The options of the search, with what it left of the memory limit: about 60 bytes a pair.
    fn what_is_left(&self) -> Options<'_> {
        let used = self.outcome.stats.bytes.peak;
        let left = self.checking.memory.map_or(u64::MAX, |limit| limit.saturating_sub(used));
        let most = usize::try_from(left / 64).unwrap_or(usize::MAX);
        Options { max_switch_pairs: self.options.max_switch_pairs.min(most), ..*self.options }
    }

    /// The initial state of the model for a run of what was searched.
    fn initial(&self, path: &Path) -> Result<Vec<u32>, ModelError> {
        let beginnings = |system: &S| -> Result<Vec<Vec<u32>>, ModelError> {
            let mut out = Successors::new();
            system.initial(&mut system.worker(), &mut out)?;
            Ok(out.steps().iter().map(|step| out.target(step).to_vec()).collect())
        };
        let number = beginnings(self.loaded.searched)?.iter().position(|s| *s == path.initial);
        let nth =
            number.and_then(|number| beginnings(self.loaded.system).ok()?.into_iter().nth(number));
        nth.ok_or_else(|| ModelError("the run begins nowhere".to_owned()))
    }

    /// Number of steps of a run, as the model takes them.
    fn moves(&self, initial: &[u32], path: &Path) -> u64 {
        let steps = self.loaded.system.replay(initial, &path.actions).unwrap_or_default();
        let whole = steps.iter().filter(|step| !step.atomic).count();
        (whole + usize::from(steps.last().is_some_and(|step| step.atomic))) as u64
    }
}
