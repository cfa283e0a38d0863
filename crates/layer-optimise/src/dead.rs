//! Dead variables: a local whose value nobody will read is zero.
//!
//! For each location it is found which variables may be read before they are written. A statement
//! that leads to a location sets the others to zero, where they may be anything else. Parameters that
//! never change keep their values.

use everypath_machine::code::Op;
use everypath_machine::{Location, TransitionKind};
use rustc_hash::FxHashMap;

use crate::Observed;
use crate::bits::Bits;
use crate::local::{always_executable, ends_uncommitted, record};
use crate::otherwise::negation;
use crate::program::{Program, Visible};
use crate::routine::{Edit, Routine};
use crate::variables::Var;

/// Arrays with more elements are left alone: each one costs an instruction.
const MOST_ELEMENTS: usize = 256;

/// Sets variables to zero where they are dead.
pub(crate) fn reset(program: &mut Program, observed: &Observed) {
    let visible = program.visible(observed);
    let mut unwanted: Vec<Vec<bool>> = Vec::new();
    for ty in 0..program.machine.proctypes.len() {
        let Changes { statements, init, parameters } =
            Lives::new(program, &visible, ty as u16).changes();
        unwanted.push(parameters);
        if let Some(init) = init {
            program.init[ty] = init;
        }
        for (index, routine) in statements {
            program.statements[index] = Some(routine);
            program.machine.transitions[index].kind = TransitionKind::Code;
        }
    }
    program.zero_arguments(|ty, i| unwanted[usize::from(ty)].get(i) == Some(&true));
    program.drop_unread();
}

/// What is to be changed in a proctype.
#[derive(Default)]
struct Changes {
    /// Transitions with their new code.
    statements: Vec<(usize, Routine)>,
    /// The code that makes a process, if it is changed.
    init: Option<Routine>,
    /// Which parameters are zero from the start.
    parameters: Vec<bool>,
}

/// The variables of one proctype, and where they are alive.
struct Lives<'a> {
    program: &'a Program,
    ty: u16,
    /// The private variables that some statement sets, and their numbers in sets.
    own: FxHashMap<Var, usize>,
    vars: Vec<Var>,
    /// What may be read from each location on.
    live: Vec<Bits>,
    /// The locations of each transition.
    sources: Vec<Vec<usize>>,
    /// Every `else` that can have an effect.
    otherwise: FxHashMap<usize, Routine>,
}

impl<'a> Lives<'a> {
    fn new(program: &'a Program, visible: &Visible, ty: u16) -> Lives<'a> {
        let variables = &program.variables;
        let proctype = &program.machine.proctypes[usize::from(ty)];
        let mut wanted = vec![false; variables.all.len()];
        let mut read = vec![false; variables.all.len()];
        let mut sources = vec![Vec::new(); program.machine.transitions.len()];
        for (at, location) in proctype.locations.iter().enumerate() {
            for edge in &location.edges {
                sources[edge.transition as usize].push(at);
                let Some(routine) = &program.statements[edge.transition as usize] else { continue };
                for &op in &routine.ops {
                    let written = variables.written(op, ty);
                    if written.len() <= MOST_ELEMENTS {
                        written.iter().for_each(|&var| wanted[var] = true);
                    }
                    variables.read(op, ty).iter().for_each(|&var| read[var] = true);
                }
            }
        }
        for i in 0..proctype.params.len() {
            // One that keeps its value tells what a process is, which reductions of the orders of
            // steps live on: which channels it uses, which element of an array is its own.
            if let Some(var) = program.parameter(ty, i).filter(|&var| !read[var]) {
                wanted[var] = true;
            }
        }
        if let Some(routine) = &program.provided[usize::from(ty)] {
            for &op in &routine.ops {
                variables.read(op, ty).iter().for_each(|&var| wanted[var] = false);
            }
        }
        let vars: Vec<Var> = variables
            .of(record(ty))
            .iter()
            .copied()
            .filter(|&var| wanted[var] && visible.is_private(variables, var))
            .collect();
        let own = vars.iter().enumerate().map(|(i, &var)| (var, i)).collect();
        let count = proctype.locations.len();
        let live = vec![Bits::new(vars.len()); count];
        let mut otherwise = FxHashMap::default();
        if !vars.is_empty() && !visible.everywhere {
            for index in (0..sources.len()).filter(|&i| !sources[i].is_empty()) {
                otherwise.extend(negation(program, index).map(|routine| (index, routine)));
            }
        }
        let mut lives = Lives { program, ty, own, vars, live, sources, otherwise };
        lives.find_live();
        lives
    }

    fn locations(&self) -> &'a [Location] {
        &self.program.machine.proctypes[usize::from(self.ty)].locations
    }

    fn find_live(&mut self) {
        if self.vars.is_empty() {
            return;
        }
        // Backwards, until nothing changes: the predecessors of what grew are looked at again.
        let locations = self.locations();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); locations.len()];
        for (at, location) in locations.iter().enumerate() {
            for edge in &location.edges {
                let transition = &self.program.machine.transitions[edge.transition as usize];
                if transition.kind != TransitionKind::End {
                    before[usize::from(transition.target)].push(at);
                }
            }
        }
        let mut open: Vec<usize> = (0..locations.len()).collect();
        let mut waiting = vec![true; locations.len()];
        while let Some(at) = open.pop() {
            waiting[at] = false;
            let mut live = self.live[at].clone();
            for edge in &locations[at].edges {
                live.join(&self.live_before(edge.transition));
            }
            if live != self.live[at] {
                self.live[at] = live;
                for &earlier in &before[at] {
                    if !std::mem::replace(&mut waiting[earlier], true) {
                        open.push(earlier);
                    }
                }
            }
        }
    }

    /// What may be read from the start of a transition on.
    fn live_before(&self, transition: u32) -> Bits {
        let index = transition as usize;
        let target = &self.live[usize::from(self.program.machine.transitions[index].target)];
        match self.program.machine.transitions[index].kind {
            TransitionKind::End => Bits::new(self.vars.len()),
            TransitionKind::Else => target.clone(),
            TransitionKind::Code => match &self.program.statements[index] {
                Some(routine) => self.within(routine, target).swap_remove(0),
                None => target.clone(),
            },
        }
    }

    /// What may be read from each instruction on, if `target` may be read at the end.
    fn within(&self, routine: &Routine, target: &Bits) -> Vec<Bits> {
        let count = routine.ops.len();
        let mut live = vec![Bits::new(self.vars.len()); count];
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..count).rev() {
                let op = routine.ops[at];
                let mut here = Bits::new(self.vars.len());
                // An offer of a rendezvous ends the statement.
                if matches!(op, Op::Done | Op::SendGuard { .. }) {
                    here.join(target);
                }
                for to in routine.after(at) {
                    here.join(&live[to]);
                }
                if let Some(i) = self.set(op) {
                    here.remove(i);
                }
                for var in self.program.variables.read(op, self.ty) {
                    if let Some(&i) = self.own.get(var) {
                        here.insert(i);
                    }
                }
                changed |= live[at].join(&here);
            }
            // Only a loop needs another look.
            changed &= routine.loops();
        }
        live
    }

    fn set(&self, op: Op) -> Option<usize> {
        let var = self.program.variables.set(op, self.ty)?;
        self.own.get(&var).copied()
    }

    /// The variables that a statement may leave other than zero.
    fn dirtied(&self, routine: &Routine) -> Bits {
        let mut dirty = Bits::new(self.vars.len());
        for &op in &routine.ops {
            for var in self.program.variables.written(op, self.ty) {
                if let Some(&i) = self.own.get(var) {
                    dirty.insert(i);
                }
            }
        }
        dirty
    }

    /// The parameters, as members of sets.
    fn parameters(&self) -> Vec<Option<usize>> {
        let count = self.program.machine.proctypes[usize::from(self.ty)].params.len();
        let member = |i| self.own.get(&self.program.parameter(self.ty, i)?).copied();
        (0..count).map(member).collect()
    }

    /// The code that makes a process, with what it sets to zero at the end, and which parameters need
    /// not be passed; `zeroed` is zero where the process starts.
    fn beginning(&self, zeroed: &Bits) -> (Option<Routine>, Vec<bool>) {
        let proctype = &self.program.machine.proctypes[usize::from(self.ty)];
        let init = &self.program.init[usize::from(self.ty)];
        let target = &self.live[usize::from(proctype.start)];
        let live = &self.within(init, target)[0];
        let mut zero = self.dirtied(init);
        let mut unwanted = Vec::new();
        for parameter in self.parameters() {
            let dead = parameter.is_some_and(|i| zeroed.contains(i) && !live.contains(i));
            unwanted.push(dead);
            if let Some(i) = parameter.filter(|_| !dead) {
                zero.insert(i);
            }
        }
        zero.intersect(zeroed);
        (self.rewritten(init, target, &zero), unwanted)
    }

    /// What may still have the value from before a transition when it ends.
    fn carried(&self, index: usize) -> Bits {
        let all = Bits::full(self.vars.len());
        let Some(routine) = self.routine(index) else { return all };
        let mut carried = vec![Bits::new(self.vars.len()); routine.ops.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..routine.ops.len()).rev() {
                let op = routine.ops[at];
                let mut here = Bits::new(self.vars.len());
                if matches!(op, Op::Done | Op::SendGuard { .. }) {
                    here.join(&all);
                }
                for to in routine.after(at) {
                    here.join(&carried[to]);
                }
                if let Some(i) = self.set(op) {
                    here.remove(i);
                }
                changed |= carried[at].join(&here);
            }
            changed &= routine.loops();
        }
        carried.swap_remove(0)
    }

    /// The variables that are zero in each location: those that are dead there, if all ways to it
    /// can see to that and all ways on leave it so. If some did and others did not, a value that
    /// nobody reads would tell states apart that were the same.
    fn zeroed(&self, can: &FxHashMap<usize, bool>, dirt: &FxHashMap<usize, Bits>) -> Vec<Bits> {
        let machine = &self.program.machine;
        let locations = self.locations();
        let dead: Vec<Bits> = self
            .live
            .iter()
            .map(|live| {
                let mut dead = Bits::full(self.vars.len());
                dead.subtract(live);
                dead
            })
            .collect();
        let mut zeroed = dead.clone();
        let carried: FxHashMap<usize, Bits> = can.keys().map(|&i| (i, self.carried(i))).collect();
        loop {
            let before = zeroed.clone();
            for (at, location) in locations.iter().enumerate() {
                for edge in &location.edges {
                    let index = edge.transition as usize;
                    let transition = &machine.transitions[index];
                    if transition.kind == TransitionKind::End {
                        continue;
                    }
                    let to = usize::from(transition.target);
                    if !can[&index] {
                        let mut still = zeroed[at].clone();
                        still.subtract(&dirt[&index]);
                        zeroed[to].intersect(&still);
                    }
                    let mut differs = dead[to].clone();
                    differs.subtract(&zeroed[to]);
                    differs.intersect(&carried[&index]);
                    zeroed[at].subtract(&differs);
                }
            }
            if zeroed == before {
                return zeroed;
            }
        }
    }

    /// The code of a transition that has some, or can have.
    fn routine(&self, index: usize) -> Option<&Routine> {
        self.program.statements[index].as_ref().or_else(|| self.otherwise.get(&index))
    }

    /// Whether a transition can set variables on its way.
    fn can_reset(&self, index: usize) -> bool {
        let proctype = &self.program.machine.proctypes[usize::from(self.ty)];
        if proctype.deterministic {
            return false;
        }
        match self.routine(index) {
            Some(routine) => {
                let offers = |op: &Op| matches!(op, Op::SendGuard { .. });
                let meets = self.program.machine.channel_types.iter().any(|ty| ty.capacity == 0);
                let offers = meets && routine.ops.iter().any(offers);
                !offers && !ends_uncommitted(routine)
            }
            None => false,
        }
    }

    /// Where variables are set to zero.
    fn changes(&self) -> Changes {
        if self.vars.is_empty() {
            return Changes::default();
        }
        let machine = &self.program.machine;
        let locations = self.locations();
        let mine: Vec<usize> =
            (0..machine.transitions.len()).filter(|&i| !self.sources[i].is_empty()).collect();
        let can: FxHashMap<usize, bool> = mine.iter().map(|&i| (i, self.can_reset(i))).collect();
        // Inside a step the next statement can do it, if it is certain to come.
        let late = |at: usize| {
            let mut edges = locations[at].edges.iter().map(|edge| edge.transition as usize);
            let always =
                |i: usize| self.program.statements[i].as_ref().is_some_and(always_executable);
            let all = edges.clone().all(|i| can[&i]);
            all && edges.any(always)
        };
        let resets = |index: usize| {
            let transition = &machine.transitions[index];
            can[&index] && !(transition.atomic && late(usize::from(transition.target)))
        };
        let resets: FxHashMap<usize, bool> = mine.iter().map(|&i| (i, resets(i))).collect();
        let dirt: FxHashMap<usize, Bits> = mine
            .iter()
            .map(|&i| {
                let none = || Bits::new(self.vars.len());
                (i, self.routine(i).map_or_else(none, |r| self.dirtied(r)))
            })
            .collect();
        let zeroed = self.zeroed(&can, &dirt);
        let dirty = self.dirty(&resets, &dirt, &zeroed);
        let mut statements = Vec::new();
        for &index in &mine {
            let Some(routine) = self.routine(index) else { continue };
            let to = usize::from(machine.transitions[index].target);
            let mut zero = Bits::new(self.vars.len());
            if resets[&index] {
                for &at in &self.sources[index] {
                    zero.join(&dirty[at]);
                }
                zero.join(&dirt[&index]);
                zero.intersect(&zeroed[to]);
            }
            if let Some(routine) = self.rewritten(routine, &self.live[to], &zero) {
                statements.push((index, routine));
            }
        }
        let start = usize::from(machine.proctypes[usize::from(self.ty)].start);
        let (init, parameters) = self.beginning(&zeroed[start]);
        Changes { statements, init, parameters }
    }

    /// What may be other than zero in each location.
    fn dirty(
        &self,
        resets: &FxHashMap<usize, bool>,
        dirt: &FxHashMap<usize, Bits>,
        zeroed: &[Bits],
    ) -> Vec<Bits> {
        let proctype = &self.program.machine.proctypes[usize::from(self.ty)];
        let locations = self.locations();
        let mut dirty = vec![Bits::new(self.vars.len()); locations.len()];
        let start = usize::from(proctype.start);
        dirty[start].join(&self.dirtied(&self.program.init[usize::from(self.ty)]));
        for i in self.parameters().into_iter().flatten() {
            dirty[start].insert(i);
        }
        dirty[start].subtract(&zeroed[start]);
        let mut open: Vec<usize> = (0..locations.len()).collect();
        while let Some(at) = open.pop() {
            for edge in &locations[at].edges {
                let index = edge.transition as usize;
                let transition = &self.program.machine.transitions[index];
                if transition.kind == TransitionKind::End {
                    continue;
                }
                let to = usize::from(transition.target);
                let mut after = dirty[at].clone();
                after.join(&dirt[&index]);
                if resets[&index] {
                    after.subtract(&zeroed[to]);
                }
                if dirty[to].join(&after) {
                    open.push(to);
                }
            }
        }
        dirty
    }

    /// A statement without assignments that nobody reads, and with those that make zero; `None` if
    /// it stays as it is.
    fn rewritten(&self, routine: &Routine, target: &Bits, zero: &Bits) -> Option<Routine> {
        let live = self.within(routine, target);
        let useless = |at: usize, op: Op| {
            let Some(i) = self.set(op) else { return false };
            // What is set to zero at the end need not be set before; what is not must be kept as it
            // would be, since what it was before may be another value.
            zero.contains(i) && routine.after(at).all(|to| !live[to].contains(i))
        };
        if zero.is_empty() {
            return None;
        }
        let mut stores = vec![Op::Const { d: 0, value: 0 }];
        for i in zero.iter() {
            let field = self.program.variables.all[self.vars[i]].field;
            let space = everypath_machine::code::Space::Local;
            stores.push(Op::Store { s: 0, space, field });
        }
        let mut routine = routine.clone();
        routine.edit(|at, op| match op {
            Op::Done => Edit::Before(stores.clone()),
            _ if useless(at, op) => Edit::Remove,
            _ => Edit::Keep,
        });
        Some(routine)
    }
}
