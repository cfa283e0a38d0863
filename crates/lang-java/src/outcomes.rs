//! Every way in which a program can end: what it printed, what nobody caught, whether it stands still.

use std::collections::BTreeSet;

use everypath_model::ModelError;
use rustc_hash::FxHashMap;

use crate::peers::STRICT;
use crate::program::{Program, failed};
use crate::vm::spurious::UNREASONED;
use crate::vm::{Failure, Run, Trap, Uncaught, Worker, header};

/// One way to end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outcome {
    /// What was printed on the first stream.
    pub stdout: String,
    /// The exceptions that nobody caught: the thread's name and the exception's text, sorted.
    pub uncaught: Vec<String>,
    /// Whether threads were left that can never move.
    pub deadlock: bool,
    /// What the program would give to the shell.
    pub exit_status: i32,
}

/// What a complete search found.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// The ways to end.
    pub ends: BTreeSet<Outcome>,
    /// Whether some path never ends.
    pub endless: bool,
    /// Why not all paths were followed.
    pub left_out: BTreeSet<String>,
    /// States, told apart by what was printed on the way too.
    pub states: usize,
}

/// A state together with what happened on the way to it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Point {
    state: Vec<u32>,
    stdout: Vec<u8>,
    uncaught: Vec<String>,
}

/// A point on the path that is being followed, and the moves that are left.
struct Step {
    point: Point,
    moves: Vec<(usize, u32)>,
}

impl Program {
    /// Follows every path. `None` if there are more than `most` states.
    ///
    /// This is an oracle for tests: it keeps every state as it is and leaves out only what the options of
    /// the program say.
    pub fn outcomes(&self, most: usize) -> Result<Option<Outcomes>, ModelError> {
        self.prepare_assumptions()?;
        loop {
            match self.follow(most) {
                Err(Trap::Fail(Failure::Assumption(_))) if self.assume_less() => {}
                other => return other.map_err(failed),
            }
        }
    }

    fn follow(&self, most: usize) -> Run<Option<Outcomes>> {
        let mut worker = self.new_worker()?;
        let mut first = Point { state: Vec::new(), stdout: Vec::new(), uncaught: Vec::new() };
        self.first_state(&mut worker, &mut first.state)?;
        let mut found = Outcomes::default();
        // Whether a point is on the path.
        let mut known: FxHashMap<Point, bool> = FxHashMap::default();
        let mut path = Vec::new();
        if let Some(moves) = moves(&mut worker, &first, &mut found.ends)? {
            known.insert(first.clone(), true);
            path.push(Step { point: first, moves });
        }
        while let Some(step) = path.last_mut() {
            let Some((thread, alternative)) = step.moves.pop() else {
                if let Some(step) = path.pop() {
                    known.insert(step.point, false);
                }
                continue;
            };
            let mut next = step.point.clone();
            worker.load(&step.point.state);
            worker.transition(thread, alternative)?;
            if let Some(left) = worker.left_out.take() {
                found.left_out.insert(left.what.into_owned());
            }
            if worker.pruned {
                continue;
            }
            for (stream, bytes) in worker.output.drain(..) {
                if stream != 2 {
                    next.stdout.extend(bytes);
                }
            }
            let left = worker.uncaught.drain(..);
            next.uncaught
                .extend(left.map(|Uncaught { thread, text, .. }| format!("{thread}: {text}")));
            next.uncaught.sort();
            worker.save(&mut next.state)?;
            match known.get(&next) {
                Some(&on_path) => found.endless |= on_path,
                None => {
                    if known.len() >= most {
                        return Ok(None);
                    }
                    known.insert(next.clone(), true);
                    match moves(&mut worker, &next, &mut found.ends)? {
                        Some(moves) => path.push(Step { point: next, moves }),
                        None => {
                            known.insert(next, false);
                        }
                    }
                }
            }
        }
        found.states = known.len();
        Ok(Some(found))
    }
}

/// The moves of a point; `None` if it is an end, which is noted.
fn moves(
    worker: &mut Worker,
    point: &Point,
    ends: &mut BTreeSet<Outcome>,
) -> Run<Option<Vec<(usize, u32)>>> {
    worker.load(&point.state);
    let over = worker.exit.is_some() || worker.is_over();
    let mut moves = Vec::new();
    if !over {
        let threads = 0..worker.threads.len();
        // Who is in such a region runs alone, or not at all.
        let alone = threads.clone().find(|&t| worker.thread(t, header::ATOMIC) >= STRICT);
        for thread in threads.filter(|&thread| alone.is_none_or(|one| one == thread)) {
            let count = worker.alternatives(thread)?;
            moves.extend((0..count).map(|alternative| (thread, alternative)));
        }
    }
    let stuck = moves.is_empty();
    if !over && worker.vm.unreasoned.wakes() {
        let threads = (0..worker.threads.len()).filter(|&thread| worker.may_wake(thread));
        moves.extend(threads.map(|thread| (thread, UNREASONED)));
    }
    if !stuck {
        return Ok(Some(moves));
    }
    let exit_status = match worker.exit {
        Some(code) => code & 0xff,
        None => i32::from(worker.main_failed),
    };
    ends.insert(Outcome {
        stdout: String::from_utf8_lossy(&point.stdout).into_owned(),
        uncaught: point.uncaught.clone(),
        deadlock: !over,
        exit_status,
    });
    Ok((!moves.is_empty()).then_some(moves))
}
