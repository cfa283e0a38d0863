//! What a person reads about a race: two accesses, the calls and locks of both, and where the object
//! was made.

use everypath_model::{Action, Fault, FaultInfo, Value};
use rustc_hash::FxHashMap;

use super::pending::{Cell, Pending, Plain};
use crate::describe::{Marks, Paths, Target, frame_text, simple_name};
use crate::program::Program;
use crate::system::Move;
use crate::vm::{Run, Worker};

/// Where each object was made, and by which thread.
type Births = FxHashMap<u32, ((u32, u32), String)>;

impl Cell {
    /// What is accessed, whatever the object.
    fn kind(&self, worker: &Worker) -> String {
        match self {
            Cell::Static(field) | Cell::Field(_, field) => {
                format!("{}.{}", field.class.get_name(), field.name)
            }
            Cell::Elements(array, _) => worker.class_of(*array).java_name(),
        }
    }

    fn target(&self) -> Option<Target> {
        match self {
            Cell::Static(field) => Some(Target::Static(field)),
            Cell::Field(object, field) => Some(Target::Field(*object, field)),
            Cell::Elements(array, range) if range.len() == 1 => {
                Some(Target::Element(*array, range.start))
            }
            Cell::Elements(..) => None,
        }
    }

    /// What is accessed in this state.
    fn name(&self, worker: &Worker, paths: &Paths) -> String {
        let known = self.target().and_then(|target| worker.target_name(paths, target));
        known.unwrap_or_else(|| match self {
            Cell::Elements(array, range) => {
                let array = match paths.known(*array) {
                    Some(name) => name.to_owned(),
                    None => format!("an array {}", worker.class_of(*array).java_name()),
                };
                match range.len() {
                    1 => format!("element {} of {array}", range.start),
                    _ => format!("elements of {array}"),
                }
            }
            Cell::Static(field) | Cell::Field(_, field) => {
                format!("{}.{}", simple_name(field.class), field.name)
            }
        })
    }

    fn object(&self) -> u32 {
        match self {
            Cell::Static(_) => 0,
            Cell::Field(object, _) | Cell::Elements(object, _) => *object,
        }
    }
}

/// Whether both threads are in methods of objects of the library that are not made for that.
fn collection(left: &Pending, right: &Pending) -> bool {
    [left, right].iter().all(|p| p.through.is_some_and(|through| !through.method.is_static()))
}

impl Program {
    /// The number of a race between two places about a kind of memory.
    pub(super) fn race_fault(
        &self,
        worker: &Worker,
        (left, one): (&Pending, &Plain),
        (right, _): (&Pending, &Plain),
    ) -> Fault {
        let place = |pending: &Pending| {
            let (method, pc) = pending.site;
            frame_text(self.vm.registry.method_of(method), pc)
        };
        let mut places = [(place(left), left), (place(right), right)];
        places.sort_by(|a, b| a.0.cmp(&b.0));
        // What the library does to an object inside of two calls is one race.
        let kind = match collection(left, right) {
            true => "an object of the library".to_owned(),
            false => one.cell.kind(worker),
        };
        let key = format!("race {kind} {} {}", places[0].0, places[1].0);
        let kind = match places[0].1.through.filter(|_| collection(left, right)) {
            Some(through) => through.class.get_name(),
            None => kind,
        };
        self.names.fault_of(key, || {
            let mut sites = [left.site, right.site].map(|site| self.site_span(site));
            sites.sort();
            FaultInfo {
                code: "EP0116",
                kind: "race",
                message: format!("data race on {kind}"),
                span: sites[0],
                parts: Vec::new(),
                stack: Vec::new(),
                exception: None,
            }
        })
    }

    fn site_span(&self, (method, pc): (u32, u32)) -> Option<everypath_model::Span> {
        self.names.span(&self.sources, self.vm.registry.method_of(method), pc)
    }

    /// The race that the last two actions of a run are.
    pub(crate) fn races_of_run(
        &self,
        state: &[u32],
        actions: &[Action],
    ) -> Run<Vec<(Fault, FaultInfo)>> {
        let [before @ .., one, two] = actions else { return Ok(Vec::new()) };
        let mut worker = self.new_worker()?;
        let mut state = state.to_vec();
        let mut births = Births::default();
        worker.births = Some(Vec::new());
        for &action in before {
            if !self.advance(&mut worker, &mut state, action, &mut births)? {
                return Ok(Vec::new());
            }
        }
        worker.births = None;
        worker.load(&state);
        let threads = [one.process as usize, two.process as usize];
        let races = self.races(&worker, &mut super::Standing::default());
        let race = races.iter().find(|race| {
            [race.threads.0, race.threads.1] == threads && race.actions == [*one, *two]
        });
        let Some(race) = race else { return Ok(Vec::new()) };
        let mut marks = self.marks(&state);
        Ok(self
            .race_told(&worker, threads, race.fault, &mut marks, &births)
            .map(|info| vec![(race.fault, info)])
            .unwrap_or_default())
    }

    /// The state that a run leads to.
    pub(crate) fn after(
        &self,
        worker: &mut Worker,
        state: &[u32],
        actions: &[Action],
    ) -> Option<Vec<u32>> {
        let mut state = state.to_vec();
        let mut births = Births::default();
        for &action in actions {
            self.advance(worker, &mut state, action, &mut births).ok().filter(|&made| made)?;
        }
        Some(state)
    }

    /// Makes one step of a run; whether that is possible.
    fn advance(
        &self,
        worker: &mut Worker,
        state: &mut Vec<u32>,
        action: Action,
        births: &mut Births,
    ) -> Run<bool> {
        worker.load(state);
        let moves = self.moves(worker)?;
        let found = moves.iter().find(|step| self.action_of(worker, step) == action);
        let Some(&Move { thread, alternative }) = found else { return Ok(false) };
        let name = worker.thread_name(thread);
        worker.transition(thread, alternative)?;
        if worker.pruned {
            return Ok(false);
        }
        worker.save(state)?;
        let Some(made) = worker.births.as_mut().map(std::mem::take) else { return Ok(true) };
        let old = std::mem::take(births).into_iter();
        let new = made.into_iter().map(|(object, site)| (object, (site, name.clone())));
        *births = old
            .chain(new)
            .filter_map(|(object, birth)| Some((worker.number_in_vector(object)?, birth)))
            .collect();
        Ok(true)
    }

    /// A race of a state, with names and values.
    fn race_told(
        &self,
        worker: &Worker,
        threads: [usize; 2],
        fault: Fault,
        marks: &mut Marks,
        births: &Births,
    ) -> Option<FaultInfo> {
        let pending = [worker.pending(threads[0])?, worker.pending(threads[1])?];
        let (one, two) = pending[0].conflict(&pending[1])?;
        let paths = Paths::of(worker, marks);
        let called = pending.each_ref().map(|p| p.through.map_or(0, |through| through.object));
        let through = pending[0].through.filter(|_| collection(&pending[0], &pending[1]));
        let mut objects = called.into_iter().chain([one.cell.object()]);
        let object = match through {
            Some(_) => objects.find(|&o| paths.known(o).is_some()).unwrap_or(called[0]),
            None => one.cell.object(),
        };
        let what = match (through, paths.known(object)) {
            (Some(_), Some(name)) => format!("{name} ({})", worker.class_of(object).get_name()),
            (Some(through), None) => format!("an object of {}", through.class.get_name()),
            (None, _) => one.cell.name(worker, &paths),
        };
        let line = |pending: &Pending| match self.site_span(pending.site) {
            Some(span) => format!("line {}", self.sources.start(span).0),
            None => {
                let (method, pc) = pending.site;
                frame_text(self.vm.registry.method_of(method), pc)
            }
        };
        let does = |pending: &Pending, plain: &Plain, what: &str| {
            let verb = if plain.write { "writes" } else { "reads" };
            match pending.through {
                Some(through) => format!("{verb} {what} (in {})", through.method.name),
                None => format!("{verb} {what}"),
            }
        };
        let accesses = [one, two];
        let names = threads.map(|thread| worker.thread_name(thread));
        let told: Vec<String> = (0..2)
            .map(|i| {
                let does = does(&pending[i], accesses[i], "it");
                format!("{} {does} at {}", names[i], line(&pending[i]))
            })
            .collect();
        let message =
            format!("data race on {what}: {} and {}; nothing orders the two", told[0], told[1]);
        let target = one.cell.target().filter(|_| through.is_none());
        let value = target.map(|target| worker.target_value(target));
        let mut stack = Vec::new();
        for i in 0..2 {
            let now = value.as_ref().map(|value: &Value| format!(", now {value}"));
            let locks = worker.locks_of(threads[i]).into_iter();
            let locks: Vec<String> = locks.map(|lock| worker.lock_name(&paths, lock)).collect();
            let holds = match locks.is_empty() {
                true => "no lock".to_owned(),
                false => locks.join(" and "),
            };
            let does = does(&pending[i], accesses[i], &what);
            let now = if i == 0 { now.unwrap_or_default() } else { String::new() };
            stack.push(format!("{} {does}{now}, holding {holds}", names[i]));
            let calls = worker.calls(threads[i]);
            let shown = calls.iter().rev().filter(|c| !c.is_own() && !c.method.class.hidden);
            stack.extend(shown.map(|call| format!("at {}", call.text())));
        }
        if let Some(((method, pc), thread)) = births.get(&object).filter(|_| object != 0) {
            let class = simple_name(worker.class_of(object));
            let name = paths.known(object).map_or_else(|| format!("the {class}"), str::to_owned);
            let at = frame_text(self.vm.registry.method_of(*method), *pc);
            stack.push(format!("{name} was made by {thread} at {at}"));
        }
        Some(FaultInfo { message, stack, ..self.names.fault(fault) })
    }
}
