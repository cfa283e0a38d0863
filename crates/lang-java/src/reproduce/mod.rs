//! A failing run for the real virtual machine: its classes with calls at the places where threads have to wait for
//! their turns, and the order of these turns.
//!
//! A step of a run can be forced if it begins at an instruction of the program, or inside of a call that the program
//! makes: then the thread waits before the call. Others follow by themselves, or they do not: whether the run really fails is
//! seen by running it.

mod rewrite;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use everypath_model::{Action, ModelError};

use self::rewrite::{Site, rewritten};
use crate::describe::frame_text;
use crate::extract::Watch;
use crate::link::Method;
use crate::program::{Program, failed};
use crate::vm::{Run, Status, Worker};

/// Instructions of a run that are noted, at most.
const MOST_PASSES: usize = 5_000_000;

/// What forces a run on the real virtual machine.
#[derive(Clone, Debug, Default)]
pub struct Reproduction {
    /// The classes that are changed, by the names of their files.
    pub classes: Vec<(String, Vec<u8>)>,
    /// The order of the turns, as the class `everypath.Replay` reads it.
    pub schedule: String,
    /// The steps of the run, and how many of them are forced.
    pub steps: usize,
    /// See [`Self::steps`].
    pub forced: usize,
    /// Why it may not work.
    pub doubts: Vec<String>,
}

/// An instruction that a thread executed.
struct Pass {
    method: u32,
    pc: u32,
    /// The step that has to wait for its turn here.
    turn: Option<usize>,
}

/// What is noted of a run.
#[derive(Default)]
struct Noted {
    threads: BTreeMap<String, Vec<Pass>>,
    forced: BTreeSet<usize>,
    doubts: Vec<String>,
}

impl Program {
    /// What forces the run with these actions on the real virtual machine.
    pub fn reproduction(&self, actions: &[Action]) -> Result<Reproduction, ModelError> {
        let mut noted = self.noted(actions).map_err(failed)?;
        let mut sites: BTreeMap<(u32, u32), u16> = BTreeMap::new();
        let passes = noted.threads.values().flatten();
        for pass in passes.filter(|pass| pass.turn.is_some()) {
            let next = sites.len();
            if next > usize::from(u16::MAX) / 2 {
                return Err(ModelError("there are too many places".to_owned()));
            }
            sites.entry((pass.method, pass.pc)).or_insert(next as u16);
        }
        let mut by_class: BTreeMap<u32, Vec<Site>> = BTreeMap::new();
        let mut schedule = String::new();
        for (&(method, pc), &number) in &sites {
            let method: &'static Method = self.vm.registry.method_of(method);
            by_class.entry(method.class.id).or_default().push(Site {
                method: (method.name.to_string(), method.text.to_string()),
                instruction: pc,
                number,
            });
            let _ = writeln!(schedule, "place {number} {}", frame_text(method, pc));
        }
        let mut classes = Vec::new();
        for (class, sites) in by_class {
            let class = self.vm.registry.class_of(class);
            let file = class.file.as_ref();
            let file = file.ok_or_else(|| ModelError(format!("{} has no file", class.name)))?;
            let bytes = rewritten(&file.bytes, &sites)
                .map_err(|why| ModelError(format!("{}: {why}", class.name)))?;
            classes.push((format!("{}.class", class.name), bytes));
        }
        let turns: Vec<usize> = noted.forced.iter().copied().collect();
        for (thread, passes) in &noted.threads {
            let _ = writeln!(schedule, "thread {}", thread.replace('\n', " "));
            for pass in passes {
                let Some(site) = sites.get(&(pass.method, pass.pc)) else { continue };
                let _ = match pass.turn.and_then(|turn| turns.binary_search(&turn).ok()) {
                    Some(turn) => writeln!(schedule, "pass {site} {turn}"),
                    None => writeln!(schedule, "pass {site}"),
                };
            }
        }
        noted.doubts.dedup();
        let steps = actions.len();
        let forced = noted.forced.range(..steps).count();
        Ok(Reproduction { classes, schedule, steps, forced, doubts: noted.doubts })
    }

    /// Runs the actions and notes which instructions of the program each thread executes.
    fn noted(&self, actions: &[Action]) -> Run<Noted> {
        let mut worker = self.new_worker()?;
        let mut state = Vec::new();
        self.first_state(&mut worker, &mut state)?;
        worker.load(&state);
        worker.watch = Some(Box::new(Watch::of_passes()));
        let mut noted = Noted::default();
        let mut count = 0;
        for (step, action) in actions.iter().enumerate() {
            worker.load(&state);
            let thread = action.process as usize;
            let Some((_, _, alternative)) = self.names.action_key(action.transition) else { break };
            if thread >= worker.threads.len() || !worker.is_alive(thread) {
                break;
            }
            let name = worker.thread_name(thread);
            let status = worker.status(thread);
            if status == Status::Choice {
                let doubt = format!("{name} makes a choice in step {}", step + 1);
                noted.doubts.push(doubt);
            }
            let calls = worker.calls(thread);
            let own = calls.iter().rposition(|call| call.is_program());
            let place = own.map(|own| (calls[own].method.id, calls[own].pc));
            let exact = own.is_some_and(|own| own + 1 == calls.len());
            drop(calls);
            worker.transition(thread, alternative)?;
            let passes = worker.watch.as_mut().map(|watch| watch.take_passes()).unwrap_or_default();
            count += passes.len();
            if count > MOST_PASSES {
                noted.doubts.push("the run is too long to be noted".to_owned());
                break;
            }
            let line = noted.threads.entry(name).or_default();
            let before = line.len();
            line.extend(passes.into_iter().map(|(method, pc)| Pass { method, pc, turn: None }));
            // Whoever waits to be woken is woken by the others.
            let ready = matches!(status, Status::Ready | Status::Enter | Status::Class);
            let here = place.filter(|_| ready).and_then(|(method, pc)| {
                let is = |pass: &Pass| pass.method == method && pass.pc == pc;
                match exact {
                    true => line[before..].iter().position(is).map(|index| before + index),
                    false => line[..before].iter().rposition(is),
                }
            });
            if let Some(pass) = here.map(|index| &mut line[index]).filter(|p| p.turn.is_none()) {
                pass.turn = Some(step);
                noted.forced.insert(step);
            }
            if worker.pruned {
                break;
            }
            worker.save(&mut state)?;
            if let Some(watch) = &mut worker.watch {
                watch.forget();
            }
        }
        worker.load(&state);
        self.hold(&worker, actions.len(), &mut noted);
        Ok(noted)
    }

    /// Lets threads wait where they stand at the end of the run, so that each gets there before one goes on.
    fn hold(&self, worker: &Worker, steps: usize, noted: &mut Noted) {
        let mut turn = steps;
        for thread in (0..worker.threads.len()).filter(|&thread| worker.is_alive(thread)) {
            let calls = worker.calls(thread);
            let ready =
                matches!(worker.status(thread), Status::Ready | Status::Enter | Status::Class);
            let Some(last) = calls.last().filter(|call| ready && call.is_program()) else {
                continue;
            };
            let line = noted.threads.entry(worker.thread_name(thread)).or_default();
            line.push(Pass { method: last.method.id, pc: last.pc, turn: Some(turn) });
            noted.forced.insert(turn);
            turn += 1;
        }
    }
}
