//! The lost-update counter by hand: a system that needs no language.

use everypath::analysis::{Loaded, Session, analyse};
use everypath::checking::Checking;
use everypath::subject::Subject;
use everypath_model::{
    Action, ActionInfo, Blocked, ComponentMask, Describe, End, Fault, FaultInfo, FileId, MicroStep,
    ModelError, ReplayError, Sources, Span, Successors, Threading, TransitionSystem, Value,
};
use everypath_property::Declared;
use everypath_verdict::{Place, RunResult};
use std::sync::atomic::AtomicBool;

pub const TEXT: &str = "\
byte n, done;

active [2] proctype Inc()
{
  byte tmp;
  tmp = n;
  n = tmp + 1;
  done++
}
active proctype Check()
{
  (done == 2) -> assert(n == 2)
}
";

/// Words of a state: n, done, the locations of the three processes, tmp of the first two.
const N: usize = 0;
const DONE: usize = 1;
const AT: usize = 2;
const TMP: usize = 5;

/// Statements: those of Inc, then those of Check.
const STATEMENTS: [&str; 7] =
    ["tmp = n", "n = tmp + 1", "done++", "-end-", "done == 2", "assert(n == 2)", "-end-"];
const ASSERTION: Fault = Fault(0);

pub struct Counter {
    pub sources: Sources,
    /// Whether the first two statements of Inc are indivisible.
    pub atomic: bool,
    /// What the replay is to get wrong, to see what happens then.
    pub broken: bool,
    /// A condition on every state: n is at most this.
    pub bound: Option<u32>,
}

impl Counter {
    pub fn new(atomic: bool) -> Counter {
        let mut sources = Sources::default();
        sources.add("counter.pml".into(), TEXT.to_owned());
        Counter { sources, atomic, broken: false, bound: None }
    }

    fn span(&self, text: &str) -> Span {
        let start = TEXT.find(text).unwrap_or(TEXT.rfind('}').unwrap());
        Span::new(FileId(0), start, start + text.len().min(TEXT.len() - start))
    }

    /// The place of a piece of the text.
    fn statements(&self, text: &str) -> Place {
        Place::of(&self.sources, self.span(text))
    }

    fn name(process: usize) -> String {
        ["Inc[0]", "Inc[1]", "Check"][process].to_owned()
    }

    /// The statement that a process can execute next, if it can.
    fn enabled(&self, state: &[u32], process: usize) -> Option<u32> {
        let at = state[AT + process];
        let youngest = (0..3).rev().find(|&p| state[AT + p] != gone(p)).unwrap_or(0);
        let next = if process < 2 { at } else { 4 + at };
        match next {
            3 | 6 if youngest == process => Some(next),
            3 | 6 => None,
            4 if process < 2 => None,
            7 => None,
            4 => (state[DONE] == 2).then_some(4),
            other => Some(other),
        }
    }

    fn execute(state: &mut [u32], process: usize, transition: u32) -> Option<Fault> {
        let mut fault = None;
        match transition {
            0 => state[TMP + process] = state[N],
            1 => state[N] = state[TMP + process] + 1,
            2 => state[DONE] += 1,
            3 => state[TMP + process] = 0,
            5 => fault = (state[N] != 2).then_some(ASSERTION),
            _ => {}
        }
        state[AT + process] += 1;
        fault
    }
}

fn gone(process: usize) -> u32 {
    if process < 2 { 4 } else { 3 }
}

impl TransitionSystem for Counter {
    type Worker = ();

    fn worker(&self) {}

    fn initial(&self, (): &mut (), out: &mut Successors) -> Result<(), ModelError> {
        out.push(&[0; 7], ComponentMask::ALL, &[]);
        Ok(())
    }

    fn successors(
        &self,
        (): &mut (),
        state: &[u32],
        out: &mut Successors,
    ) -> Result<(), ModelError> {
        for process in 0..3 {
            let Some(transition) = self.enabled(state, process) else { continue };
            let mut target = state.to_vec();
            let action = |transition| Action { process: process as u32, transition };
            let mut actions = vec![action(transition)];
            let fault = Counter::execute(&mut target, process, transition);
            if self.atomic && transition == 0 {
                Counter::execute(&mut target, process, 1);
                actions.push(action(1));
            }
            out.push_faulty(&target, ComponentMask::ALL, &actions, fault, false);
        }
        Ok(())
    }

    fn end(&self, (): &mut (), state: &[u32]) -> End {
        let all = (0..3).all(|p| state[AT + p] == gone(p));
        if all { End::Valid } else { End::Deadlock }
    }

    fn invariant_count(&self) -> usize {
        1
    }

    fn violated_invariant(
        &self,
        (): &mut (),
        state: &[u32],
        _: usize,
    ) -> Result<Option<Fault>, ModelError> {
        Ok(self.bound.filter(|&bound| state[N] > bound).map(|_| Fault(1)))
    }

    fn components(&self, state: &[u32], ends: &mut Vec<u32>) {
        ends.push(state.len() as u32);
    }
}

impl Describe for Counter {
    fn values(&self, state: &[u32]) -> Vec<(String, Value)> {
        [("n", N), ("done", DONE), ("Inc[0].tmp", TMP), ("Inc[1].tmp", TMP + 1)]
            .map(|(name, at)| (name.to_owned(), Value::Int(state[at].into())))
            .to_vec()
    }

    fn processes(&self, state: &[u32]) -> Vec<String> {
        (0..3).filter(|&p| state[AT + p] != gone(p)).map(Counter::name).collect()
    }

    fn action(&self, transition: u32) -> ActionInfo {
        let text = STATEMENTS[transition as usize];
        ActionInfo { text: text.to_owned(), span: self.span(text) }
    }

    fn fault(&self, fault: Fault) -> FaultInfo {
        match fault {
            ASSERTION => FaultInfo {
                code: "EP0101",
                kind: "assertion",
                message: "assertion can fail: n == 2".to_owned(),
                span: Some(self.span("assert(n == 2)")),
                parts: Vec::new(),
                stack: Vec::new(),
                exception: None,
            },
            _ => FaultInfo {
                code: "EP0114",
                kind: "invariant",
                message: format!("invariant can be false: n <= {}", self.bound.unwrap_or(0)),
                span: None,
                parts: Vec::new(),
                stack: Vec::new(),
                exception: None,
            },
        }
    }

    fn replay(&self, state: &[u32], actions: &[Action]) -> Result<Vec<MicroStep>, ReplayError> {
        let mut state = state.to_vec();
        let mut steps = Vec::new();
        for (index, &action) in actions.iter().enumerate() {
            let process = action.process as usize;
            let can: Vec<usize> = (0..3).filter(|&p| self.enabled(&state, p).is_some()).collect();
            let chosen = can.iter().position(|&p| p == process);
            let (Some(chosen), false) = (chosen, self.broken && index == 3) else {
                return Err(ReplayError { index, message: "it is not enabled".to_owned() });
            };
            let before = state.clone();
            let fault = Counter::execute(&mut state, process, action.transition);
            let value = |at: usize, state: &[u32]| Value::Int(state[at].into());
            let read = |name: &str, at| vec![(name.to_owned(), value(at, &before))];
            let write =
                |name: &str, at| vec![(name.to_owned(), value(at, &before), value(at, &state))];
            let local = format!("Inc[{process}].tmp");
            let uses = if action.transition == 1 { vec![local.clone()] } else { vec![] };
            let (reads, writes) = match action.transition {
                0 => (read("n", N), write(&local, TMP + process)),
                1 => (vec![], write("n", N)),
                2 => (read("done", DONE), write("done", DONE)),
                4 => (read("done", DONE), vec![]),
                5 => (read("n", N), vec![]),
                _ => (vec![], vec![]),
            };
            steps.push(MicroStep {
                action,
                process: Counter::name(process),
                info: self.action(action.transition),
                reads,
                uses,
                writes,
                message: None,
                earlier: Vec::new(),
                atomic: self.atomic && action.transition == 0,
                choice: (chosen as u32, can.len() as u32),
                state: state.clone(),
                output: String::new(),
                threading: Threading::default(),
                faults: Vec::from_iter(fault.map(|fault| FaultInfo {
                    message: format!("assertion can fail: n == 2, but n is {}", state[N]),
                    parts: vec![("n".to_owned(), value(N, &state))],
                    ..self.fault(fault)
                })),
            });
        }
        Ok(steps)
    }

    fn blocked(&self, _: &[u32]) -> Vec<Blocked> {
        Vec::new()
    }

    fn invariant_fault(&self, state: &[u32], fault: Fault) -> FaultInfo {
        let info = self.fault(fault);
        FaultInfo {
            message: format!("{}, but n is {}", info.message, state[N]),
            parts: vec![("n".to_owned(), Value::Int(state[N].into()))],
            ..info
        }
    }
}

impl Subject for Counter {
    fn assertions(&self, taken: &dyn Fn(u32) -> bool) -> Vec<(Span, bool)> {
        vec![(self.span("assert(n == 2)"), taken(5))]
    }

    fn unreached(&self, taken: &dyn Fn(u32) -> bool) -> Vec<ActionInfo> {
        [0, 1, 2, 4, 5].into_iter().filter(|&t| !taken(t)).map(|t| self.action(t)).collect()
    }

    fn invariants(&self) -> Vec<String> {
        self.bound.iter().map(|bound| format!("n <= {bound}")).collect()
    }

    fn invariant_of(&self, _: Fault) -> Option<usize> {
        Some(0)
    }
}

/// Checks the counter; time and memory are made the same in every run.
pub fn check(counter: &Counter, checking: &Checking, temporal: Vec<Declared>) -> RunResult {
    let mut result = try_check(counter, checking, temporal).unwrap();
    result.run.wall_s = 0.012;
    result.run.peak_bytes = Some(4 << 20);
    result.run.threads = 1;
    result
}

/// The same, where it may go wrong.
pub fn try_check(
    counter: &Counter,
    checking: &Checking,
    temporal: Vec<Declared>,
) -> Result<RunResult, String> {
    let interrupt = AtomicBool::new(false);
    let mut nobody = ();
    let mut session = Session::new(&interrupt, &mut nobody);
    let loaded = Loaded {
        system: counter,
        searched: counter,
        sources: &counter.sources,
        lang: "promela",
        language: "Promela",
        temporal,
        cycles: None,
        ignored: Vec::new(),
        diagnostics: Vec::new(),
        variant: Some(&|_| {
            Some((Counter::new(true), counter.statements("tmp = n;\n  n = tmp + 1")))
        }),
    };
    analyse(&loaded, checking, &mut session).map_err(|error| error.0)
}
