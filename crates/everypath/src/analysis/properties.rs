//! Each property with its verdict and its evidence.

use std::fmt::Write;
use std::time::Duration;

use everypath_engine_explicit::{Kind, Stopped, Violation};
use everypath_model::{FaultInfo, FileId, ModelError, Named};
use everypath_property::PropertyKind;
use everypath_verdict::{
    Claim, Context, Evidence, Fix, Place, PropertyResult, Reason, Trace, Verdict, number_ids,
    replay,
};

use super::judge::Judge;
use super::shown::{Shown, Source};
use super::{Loaded, RACES};
use crate::defect::InternalError;
use crate::fix::{self};
use crate::subject::Subject;
use crate::temporal::Judged;

/// Below this many states every trace gets the fewest context switches, not only those shown.
const SMALL: u64 = 100_000;
/// The id of the property that there is no deadlock, the kind of one that leaves some threads alone, and the id
/// of one whose notification was missed.
const DEADLOCK: &str = "deadlock";
const PARTIAL: &str = "partial deadlock";
const MISSED: &str = "missed-signal";
/// The code of what is wrong only where something happens without a reason.
const SPURIOUS: &str = "EP0127";
/// Races that are told.
const MOST_RACES: usize = 12;

/// Removes partial deadlocks whose threads are among those of a deadlock that is told.
fn drop_told(properties: &mut Vec<PropertyResult>) {
    let places = |property: &PropertyResult| -> Vec<Place> {
        let lanes = property.trace.iter().flat_map(|trace| &trace.end.blocked);
        lanes.filter(|lane| !lane.needs.is_empty()).flat_map(|l| &l.at).map(|at| at.span).collect()
    };
    let whole: Vec<Place> =
        properties.iter().filter(|property| property.id == DEADLOCK).flat_map(places).collect();
    properties.retain(|property| {
        let code = property.code.as_deref();
        code != Some("EP0117") || !places(property).iter().all(|place| whole.contains(place))
    });
}

impl<S: Subject> Judge<'_, S> {
    pub(super) fn properties(&self) -> Result<Vec<PropertyResult>, InternalError> {
        let Loaded { system, sources, temporal, .. } = self.loaded;
        let taken = |transition: u32| self.outcome.coverage.contains(transition);
        let unrefuted = Verdict::Holds.under(self.assurance());
        let mut properties: Vec<PropertyResult> = Vec::new();

        if self.selection.has_group(PropertyKind::Assertion) {
            for (span, reached) in system.assertions(&taken) {
                let place = Place::of(sources, span);
                let id = self.place_id("assert", place);
                let mut property =
                    PropertyResult::new(PropertyKind::Assertion, id.clone(), id, unrefuted);
                property.span = Some(place);
                property.vacuous = !reached;
                properties.push(property);
            }
        }
        if self.selection.has_group(PropertyKind::Deadlock) {
            let kind = PropertyKind::Deadlock;
            properties.push(PropertyResult::new(kind, "deadlock", "no deadlock", unrefuted));
        }
        if system.has_threads() && self.selection.has_group(PropertyKind::Race) {
            let kind = PropertyKind::Race;
            properties.push(PropertyResult::new(kind, RACES, "no data race", unrefuted));
        }
        let first_invariant = properties.len();
        if self.selection.has_group(PropertyKind::Invariant) {
            for text in system.invariants() {
                let name = format!("invariant {text}");
                properties.push(PropertyResult::new(
                    PropertyKind::Invariant,
                    format!("invariant:{text}"),
                    name,
                    unrefuted,
                ));
            }
        }
        let end_of_invariants = properties.len();
        for (index, one) in temporal.iter().enumerate() {
            if !self.selection.has(one) {
                continue;
            }
            let unknown = Verdict::Unknown(Reason::Unsupported);
            let mut property = PropertyResult::new(one.kind, one.id(), one.title(), unknown);
            property.span = one.span.map(|span| Place::of(sources, span));
            match self.judged.get(index).and_then(Option::as_ref) {
                Some(judged) => self.temporal(&mut property, judged),
                None => {
                    let why = "only a search of everything looks for cycles";
                    property.message = Some(why.to_owned());
                }
            }
            properties.push(property);
        }

        let (mut polished, mut races) = (0, 0);
        let mut spent = Duration::ZERO;
        // What went wrong comes before what could have: the first traces are made with most care.
        let mut violations: Vec<(Source<'_>, &Violation)> = Vec::new();
        for source in self.sources() {
            violations.extend(source.outcome.violations.iter().map(|one| (source, one)));
        }
        let of_probe = |source: &Source<'_>| source.search.is_some();
        violations.sort_by_key(|(source, one)| (self.is_race(one.kind), of_probe(source)));
        for (source, violation) in violations {
            if of_probe(&source)
                && self.outcome.violations.iter().any(|known| known.kind == violation.kind)
            {
                continue;
            }
            let index = match violation.kind {
                Kind::Deadlock(_) => {
                    properties.iter().position(|p| p.kind == PropertyKind::Deadlock)
                }
                Kind::Invariant(fault) => {
                    let number = system.invariant_of(fault).ok_or_else(|| {
                        InternalError("a violated invariant is not in the list".to_owned())
                    })?;
                    let index = first_invariant + number;
                    (index < end_of_invariants).then_some(index)
                }
                Kind::Fault(fault) => {
                    let info = system.fault(fault);
                    let place = info.span.map(|span| Place::of(sources, span));
                    if info.kind == "assertion"
                        && !self.selection.has_group(PropertyKind::Assertion)
                    {
                        continue;
                    }
                    let kind = match info.kind {
                        "assertion" => PropertyKind::Assertion,
                        "race" => PropertyKind::Race,
                        PARTIAL => PropertyKind::Deadlock,
                        _ if info.exception.is_some() => PropertyKind::Exception,
                        _ => PropertyKind::Fault,
                    };
                    if info.kind == PARTIAL && !self.selection.has_group(kind) {
                        continue;
                    }
                    if kind == PropertyKind::Race {
                        races += 1;
                        if races > MOST_RACES {
                            continue;
                        }
                        self.add_race(&mut properties, &info, place);
                    }
                    let known = properties.iter().position(|property| {
                        if kind == PropertyKind::Race {
                            return property.kind == kind && property.verdict != Verdict::Violated;
                        }
                        property.kind == kind
                            && property.id != DEADLOCK
                            && property.span == place
                            && property.code.as_deref().is_none_or(|code| code == info.code)
                            && (kind != PropertyKind::Exception
                                || property.exception == info.exception)
                    });
                    match known {
                        Some(index) => Some(index),
                        None => {
                            let id = match place {
                                Some(place) => self.place_id(info.kind, place),
                                None => info.kind.to_owned(),
                            };
                            let mut property = PropertyResult::new(kind, id, info.kind, unrefuted);
                            property.span = place;
                            property.exception.clone_from(&info.exception);
                            properties.push(property);
                            Some(properties.len() - 1)
                        }
                    }
                }
            };
            let Some(index) = index else { continue };
            let property = &mut properties[index];
            property.occurrences += violation.occurrences;
            if property.verdict == Verdict::Violated {
                // Threads that wait to be notified are another kind of deadlock than locks.
                let new = matches!(violation.kind, Kind::Deadlock(key) if key > 0);
                if new && !properties.iter().any(|property| property.id == MISSED) {
                    let (trace, ..) = self.evidence(source, violation, MISSED, polished)?;
                    properties.extend(self.missed_signal(&trace));
                }
                continue;
            }
            let (trace, message, only_with) =
                self.evidence(source, violation, &property.id, polished)?;
            if self.checking.traces && polished < self.checking.polished {
                property.fix = self.fix(&trace, &mut spent);
            }
            polished += 1;
            property.verdict = Verdict::Violated;
            property.vacuous = false;
            property.code = Some(match only_with {
                Some(_) => SPURIOUS.to_owned(),
                None => self.code(violation.kind),
            });
            property.only_with = only_with;
            if let Kind::Fault(fault) = violation.kind {
                property.exception = system.fault(fault).exception;
            }
            property.seed = violation.seed;
            property.found_by = source.search.map(|search| search.name().to_owned());
            property.message = Some(message);
            property.fingerprint = Some(PropertyResult::fingerprint_of(
                sources,
                property.kind,
                &property.id,
                property.span,
            ));
            let missed = self.missed_signal(&trace);
            if property.kind == PropertyKind::Deadlock && property.id == DEADLOCK {
                let blocked = trace.end.blocked.iter().find(|blocked| !blocked.valid_end);
                property.span = blocked.and_then(|blocked| blocked.at.first()).map(|at| at.span);
            }
            property.trace = Some(Box::new(trace));
            if !properties.iter().any(|property| property.id == MISSED) {
                properties.extend(missed);
            }
        }
        drop_told(&mut properties);
        number_ids(&mut properties);
        let last = properties.iter_mut().rfind(|property| property.kind == PropertyKind::Race);
        if let (Some(last), Some(more @ 1..)) = (last, races.checked_sub(MOST_RACES))
            && let Some(message) = &mut last.message
        {
            let _ = write!(message, " ({more} more pairs of places race)");
        }
        Ok(properties)
    }

    /// What a deadlock is that a notification would have prevented, had it not come too early.
    fn missed_signal(&self, trace: &Trace) -> Option<PropertyResult> {
        let why = trace.explain.iter().find(|why| why.kind == MISSED)?;
        let wait = trace.steps.get(*why.steps.last()? as usize - 1)?;
        let kind = PropertyKind::Deadlock;
        let mut property = PropertyResult::new(kind, MISSED, "missed signal", Verdict::Violated);
        property.code = Some("EP0118".to_owned());
        property.message = Some(why.text.clone());
        property.span = Some(wait.span);
        property.occurrences = 1;
        property.vacuous = false;
        property.fingerprint =
            Some(PropertyResult::fingerprint_of(self.loaded.sources, kind, MISSED, property.span));
        let mut trace = trace.clone();
        trace.result.property = MISSED.to_owned();
        property.trace = Some(Box::new(trace));
        Some(property)
    }

    fn is_race(&self, kind: Kind) -> bool {
        matches!(kind, Kind::Fault(fault) if self.loaded.system.fault(fault).kind == "race")
    }

    /// Makes room for a race: each pair of places is a property of its own, beside no other race.
    fn add_race(
        &self,
        properties: &mut Vec<PropertyResult>,
        info: &FaultInfo,
        place: Option<Place>,
    ) {
        let id = place.map_or_else(|| "race".to_owned(), |place| self.place_id("race", place));
        let same = properties.iter().filter(|p| p.id.split('~').next() == Some(&id)).count();
        let id = if same > 0 { format!("{id}~{}", same + 1) } else { id };
        let mut property =
            PropertyResult::new(PropertyKind::Race, id, info.message.clone(), Verdict::Holds);
        property.span = place;
        let after = properties.iter().rposition(|p| p.kind == PropertyKind::Race);
        match after {
            Some(index) if properties[index].id == RACES => properties[index] = property,
            Some(index) => properties.insert(index + 1, property),
            None => properties.push(property),
        }
    }

    /// Adds what is known about a temporal property.
    pub(super) fn temporal(&self, property: &mut PropertyResult, judged: &Judged) {
        property.verdict = judged.verdict;
        property.message = Some(judged.message.clone());
        property.vacuity.clone_from(&judged.vacuity);
        property.vacuous = judged.vacuous;
        property.product = judged.product.clone();
        if judged.verdict != Verdict::Violated {
            return;
        }
        property.code = judged.code.map(str::to_owned);
        property.occurrences = 1;
        property.fingerprint = Some(PropertyResult::fingerprint_of(
            self.loaded.sources,
            property.kind,
            &property.id,
            property.span,
        ));
        property.trace = judged.trace.clone().map(|mut trace| {
            trace.model.reading = Some(self.checking.reading.clone());
            Box::new(trace)
        });
    }

    /// A change that was tried and makes everything hold that is checked here.
    pub(super) fn fix(&self, trace: &Trace, spent: &mut Duration) -> Option<Fix> {
        let counts = |system: &S, kind: Kind| match kind {
            Kind::Fault(fault) => {
                system.fault(fault).kind != "assertion"
                    || self.selection.has_group(PropertyKind::Assertion)
            }
            Kind::Deadlock(_) | Kind::Invariant(_) => true,
        };
        fix::find(trace, self.loaded.variant?, self.options, spent, &counts)
    }

    fn code(&self, kind: Kind) -> String {
        match kind {
            Kind::Deadlock(_) => "EP0102".to_owned(),
            Kind::Fault(fault) | Kind::Invariant(fault) => {
                self.loaded.system.fault(fault).code.to_owned()
            }
        }
    }

    /// `assert@12:18`, with the file if it is not the main one.
    fn place_id(&self, what: &str, place: Place) -> String {
        let (line, column) = place.start;
        if place.file == 0 {
            return format!("{what}@{line}:{column}");
        }
        let path = &self.loaded.sources.file(FileId(place.file)).path;
        format!("{what}@{}:{line}:{column}", path.display())
    }

    /// The replayed run to a violation and what is wrong at its end.
    pub(super) fn evidence(
        &self,
        source: Source<'_>,
        violation: &Violation,
        property: &str,
        polished: usize,
    ) -> Result<(Trace, String, Option<String>), InternalError> {
        let internal = |e: ModelError| InternalError(e.to_string());
        self.loaded.system.with_spurious(violation.spurious);
        let small = self.outcome.stats.states < SMALL;
        // Who has no time any more gets what there is.
        let late = matches!(self.outcome.stopped, Stopped::Time | Stopped::Interrupted);
        let polish = !late && (small || polished < self.checking.polished);
        let Shown { initial, path, moves, shortest, fewest_switches } =
            self.shown(source, violation, polish).map_err(internal)?;
        let race = self.is_race(violation.kind);
        let evidence = Evidence {
            initial: &initial,
            actions: &path.actions,
            claim: match violation.kind {
                Kind::Fault(fault) => Claim::Fault(fault),
                Kind::Invariant(fault) => Claim::Invariant(fault),
                Kind::Deadlock(_) => Claim::Deadlock,
            },
            // A race is two steps that are looked at together.
            moves: Some(moves + u64::from(race)),
            shortest,
            fewest_switches,
        };
        let context = Context { property, lang: self.loaded.lang, sources: self.loaded.sources };
        let (mut trace, message) =
            replay(self.loaded.system, &evidence, &context).map_err(|failure| {
                InternalError(format!("the trace of {property} does not replay: {failure}"))
            })?;
        trace.model.reading = Some(self.checking.reading.clone());
        let message = match violation.kind {
            Kind::Deadlock(_) => format!("deadlock: {message}"),
            _ => message,
        };
        if !violation.spurious {
            return Ok((trace, message, None));
        }
        let found = self.loaded.system.spurious(&initial, &path.actions);
        let Some((event, [wakeups, failures])) = found else { return Ok((trace, message, None)) };
        if let Some(reading) = &mut trace.model.reading {
            (reading.spurious_wakeups, reading.spurious_failures) = (wakeups, failures);
        }
        Ok((trace, format!("{message}, {event}"), Some(event)))
    }
}
