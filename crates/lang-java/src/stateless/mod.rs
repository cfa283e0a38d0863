//! Programs that are searched run by run: steps with what they touch, by numbers that stay the same along a run.

mod point;

use std::sync::atomic::Ordering;

use everypath_model::{
    Access, Conflicts, Executed, Fault, ModelError, Successors, Touch, TransitionSystem, Turn,
};

pub(crate) use self::point::Naming;
use self::point::Point;
use crate::program::{Program, failed};
use crate::system::{JavaWorker, Move};
use crate::vm::{Failure, Run, Status, Trap, header};

impl Program {
    fn execute_step(
        &self,
        worker: &mut JavaWorker,
        point: &Point<'_>,
        thread: u32,
        alternative: u32,
        out: &mut Executed,
    ) -> Run<()> {
        let Some(slot) = point.slot_of(thread) else {
            let text = "a run does not lead where it led before";
            return Err(Trap::Fail(Failure::Assumption(text.to_owned())));
        };
        worker.inner.load(point.state);
        let mut touched = std::mem::take(&mut worker.touched);
        touched.identities.clear();
        touched.identities.extend_from_slice(point.identities);
        worker.inner.touched = Some(touched);
        worker.inner.notes = true;
        worker.inner.begin_touching(slot);
        let action = worker.action(self, &Move { thread: slot, alternative });
        let result = self.execute_noted(worker, point, slot, alternative, out);
        let JavaWorker { inner, touched, .. } = worker;
        *touched = inner.touched.take().unwrap_or_default();
        inner.notes = false;
        out.action = action;
        result
    }

    fn execute_noted(
        &self,
        worker: &mut JavaWorker,
        point: &Point<'_>,
        slot: usize,
        alternative: u32,
        out: &mut Executed,
    ) -> Run<()> {
        let JavaWorker { inner, target, naming, .. } = worker;
        let others = (0..inner.threads.len()).filter(|&other| other != slot);
        let others = others.into_iter().any(|other| inner.is_alive(other));
        match inner.transition(slot, alternative) {
            Err(Trap::Fail(Failure::Unsupported(what))) => {
                let place = inner.place_in_program();
                out.incomplete = Some(self.left_out(&format!("not modelled: {what}"), place));
                out.cut = true;
            }
            Err(Trap::Fail(Failure::Limit(what))) => {
                let place = inner.place_in_program();
                out.incomplete = Some(self.left_out(&what, place));
                out.cut = true;
            }
            done => done?,
        }
        if let Some(left) = inner.left_out.take() {
            out.incomplete = Some(self.left_out(&left.what, left.place));
        }
        out.cut |= inner.pruned;
        if out.cut {
            naming.keep(point);
        } else {
            out.ends_others = others && (inner.exit.is_some() || inner.threads.is_empty());
            let uncaught = inner.uncaught.first();
            let fault = uncaught.map(|one| self.names.uncaught(&self.vm, &self.sources, one));
            out.faults.extend(fault.map(|fault| (fault, false)));
            if inner.may_close_circle(slot)
                && let Some(circle) = inner.lock_circle(slot)
            {
                out.circle.extend(circle.iter().map(|&slot| point.threads[slot]));
                let fault = self.partial_deadlock(inner, slot);
                out.faults.extend(fault.map(|fault| (fault, true)));
            }
            inner.save(target)?;
            naming.follow(inner, point, target, &mut out.point);
        }
        if inner.exit.is_some() {
            out.touches.push(Touch { resource: Touch::WORLD, access: Access::Write });
        }
        let things = inner.touched.as_ref().map_or(&[][..], |touched| &touched.things);
        let touches = things.iter().filter_map(|&(thing, access)| {
            Some(Touch { resource: naming.resource(inner, point, thing)?, access })
        });
        out.touches.extend(touches);
        Touch::tidy(&mut out.touches);
        if !out.cut && *target == point.state {
            // The thread is where it was: others may still do something about that.
            inner.load(point.state);
            let moves = self.moves(inner)?;
            if moves.len() == 1 {
                self.note_endless(inner, &moves);
            }
        }
        Ok(())
    }

    fn find_turn(&self, worker: &mut JavaWorker, point: &Point<'_>, out: &mut Turn) -> Run<()> {
        let inner = &mut worker.inner;
        inner.load(point.state);
        worker.most.0 = worker.most.0.max(point.threads.len());
        worker.most.1 = worker.most.1.max(point.identities.len());
        out.clear();
        if inner.exit.is_some() || inner.is_over() {
            self.totals.ended.store(true, Ordering::Relaxed);
            return Ok(());
        }
        let moves = self.moves(inner)?;
        for step in &moves {
            let thread = point.threads[step.thread];
            match out.moves.last_mut() {
                Some((last, count)) if *last == thread => *count += 1,
                _ => out.moves.push((thread, 1)),
            }
        }
        out.exclusive = moves.first().is_some_and(|step| {
            inner.status(step.thread) == Status::Start
                || inner.goes_on_alone(step.thread)
                || inner.thread(step.thread, header::ATOMIC) > 0
        });
        out.deadlock = moves.is_empty();
        if !out.exclusive {
            for (slot, &thread) in point.threads.iter().enumerate() {
                if inner.is_alive(slot) && inner.alternatives(slot)? == 0 {
                    out.blocked.push(thread);
                }
            }
        }
        Ok(())
    }
}

impl Conflicts for Program {
    fn first_point(&self, worker: &mut JavaWorker, out: &mut Vec<u32>) -> Result<(), ModelError> {
        let JavaWorker { inner, target, .. } = worker;
        self.first_state(inner, target).map_err(failed)?;
        inner.load(target);
        Point::write(out, target, &[0], (1, 1), &vec![0; inner.heap.objects.len()]);
        Ok(())
    }

    fn state_of<'a>(&self, point: &'a [u32]) -> &'a [u32] {
        Point::of(point).state
    }

    fn turn(
        &self,
        worker: &mut JavaWorker,
        point: &[u32],
        out: &mut Turn,
    ) -> Result<(), ModelError> {
        self.find_turn(worker, &Point::of(point), out).map_err(failed)
    }

    fn execute(
        &self,
        worker: &mut JavaWorker,
        point: &[u32],
        thread: u32,
        alternative: u32,
        out: &mut Executed,
    ) -> Result<(), ModelError> {
        self.execute_step(worker, &Point::of(point), thread, alternative, out).map_err(failed)
    }

    fn pending(&self, worker: &mut JavaWorker, point: &[u32], thread: u32, out: &mut Vec<Touch>) {
        let point = Point::of(point);
        let JavaWorker { inner, naming, .. } = worker;
        inner.load(point.state);
        naming.keep(&point);
        let mut things = Vec::new();
        if let Some(slot) = point.slot_of(thread) {
            inner.waiting_for(slot, &mut things);
        }
        let touches = things.into_iter().filter_map(|(thing, access)| {
            Some(Touch { resource: naming.resource(inner, &point, thing)?, access })
        });
        out.extend(touches);
    }

    fn may_race(&self, worker: &mut JavaWorker, point: &[u32], thread: u32) -> bool {
        if !self.vm.settings.races {
            return false;
        }
        let point = Point::of(point);
        let JavaWorker { inner, standing, .. } = worker;
        let Some(slot) = point.slot_of(thread) else { return false };
        let Some(content) = point.content(slot) else { return false };
        match standing.get(&content) {
            Some(&known) => known,
            None => {
                inner.load(point.state);
                inner.stands_before_access(slot, standing)
            }
        }
    }

    fn races(&self, worker: &mut JavaWorker, point: &[u32], out: &mut Vec<Fault>) {
        let state = Point::of(point).state;
        let JavaWorker { inner, standing, .. } = worker;
        inner.load(state);
        if Program::races(self, inner, standing).is_empty() {
            return;
        }
        // Whether they can follow each other is found out there.
        let mut steps = Successors::new();
        if self.successors(worker, state, &mut steps).is_ok() {
            let races = steps.steps().iter().filter(|step| steps.actions(step).len() == 2);
            out.extend(races.filter_map(|step| step.fault));
            out.sort_unstable();
            out.dedup();
        }
    }
}
