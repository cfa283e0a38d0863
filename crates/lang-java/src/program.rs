//! Programs: what is given, and single runs of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use everypath_model::{ActionInfo, Brake, ModelError, Rng, Sources};

use crate::classfile::{ClassFile, flags};
use crate::conditions::Conditions;
use crate::describe::Known;
use crate::heap::append::Append;
use crate::heap::{Base, Dictionary};
use crate::library::Provider;
use crate::link::{LoadError, Method, Registry};
use crate::load::{ClassPath, Image, Jdk};
use crate::names::Names;
use crate::reductions::{Numbering, Reductions};
use crate::system::Move;
use crate::vm::observe::Observed;
use crate::vm::rules::Rules;
use crate::vm::spurious::{Spurious, Unreasoned};
use crate::vm::{Failure, Run, Settings, Status, Trap, Uncaught, Uses, Vm, Worker};

/// Steps that a thread takes in a single run before others get their turn.
const TURNS: u32 = 200;

/// The most frames of a thread, about as many as `java` has room for.
pub const DEEPEST: usize = 16_000;
/// Threads that go round for ever of which is told, at most.
const MOST_ENDLESS: usize = 8;

/// What a program is made of.
#[derive(Clone, Debug)]
pub struct Options {
    /// Directories and jars.
    pub class_path: Vec<PathBuf>,
    /// Classes that drivers call, for programs that come without them.
    pub provider: Option<Provider>,
    /// Source files that may be those of classes.
    pub sources: Vec<PathBuf>,
    /// Whether the first of them was compiled.
    pub compiled: bool,
    /// The class with `main`, as Java writes it.
    pub main: String,
    /// The arguments of `main`.
    pub arguments: Vec<String>,
    /// What the program reads.
    pub input: Vec<u8>,
    /// Whether what was printed tells states apart.
    pub output: bool,
    /// Instructions that may follow each other without another thread noticing.
    pub budget: u64,
    /// The most frames of a thread.
    pub deepest: usize,
    /// What may happen without a reason.
    pub spurious: Spurious,
    /// What steps leave out.
    pub reductions: Reductions,
    /// How objects are numbered.
    pub numbering: Numbering,
    /// Whether to note what is executed.
    pub coverage: bool,
    /// Whether accesses of two threads that nothing orders are faults.
    pub races: bool,
}

impl Options {
    /// A class on a class path, without arguments.
    pub fn new(class_path: Vec<PathBuf>, main: impl Into<String>) -> Options {
        Options {
            class_path,
            provider: None,
            sources: Vec::new(),
            compiled: false,
            main: main.into(),
            arguments: Vec::new(),
            input: Vec::new(),
            output: false,
            budget: 200_000_000,
            deepest: DEEPEST,
            spurious: Spurious::default(),
            reductions: Reductions::LOCAL,
            numbering: Numbering::default(),
            coverage: false,
            races: false,
        }
    }
}

/// A program on a JDK.
pub struct Program {
    pub(crate) vm: Arc<Vm>,
    pub(crate) names: Names,
    pub(crate) sources: Sources,
    pub(crate) totals: Arc<Totals>,
    pub(crate) known: Mutex<Known>,
    /// The threads that move before all others, by name, and whether there are such threads.
    pub(crate) window: RwLock<Vec<String>>,
    pub(crate) has_window: AtomicBool,
    /// Places of warnings that a directed search goes for.
    pub(crate) aims: RwLock<Vec<Vec<String>>>,
    /// Single runs showed locks that are taken in a circle.
    pub(crate) has_lock_aims: AtomicBool,
    pub(crate) conditions: Conditions,
    arguments: Vec<String>,
    /// The method that it begins with.
    pub(crate) main: &'static Method,
}

/// What all workers of a program met together.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    pub instructions: AtomicU64,
    pub executed: AtomicU64,
    pub threads: AtomicU64,
    pub objects: AtomicU64,
    /// Some run came to its end.
    pub ended: AtomicBool,
    /// States from which only a step to themselves leads on: the threads that make it, and where they stand.
    pub endless: Mutex<BTreeSet<(String, u32, u32)>>,
}

/// What a search met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// Instructions of all steps.
    pub instructions: u64,
    /// Those that were executed; those of steps that were known from other states were not.
    pub executed: u64,
    /// The most threads that were alive at a time.
    pub threads: u64,
    /// The most objects that a state had.
    pub objects: u64,
}

/// What one run of a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunResult {
    /// What it printed.
    pub stdout: String,
    /// What it printed on the other stream, uncaught exceptions too.
    pub stderr: String,
    /// What the program would give to the shell.
    pub exit_status: i32,
    /// Whether all threads wait for each other.
    pub deadlock: bool,
    /// Exceptions that nobody caught, each with its thread: `main: java.lang.Error: text`.
    pub uncaught: Vec<String>,
    /// Instructions executed.
    pub instructions: u64,
}

pub(crate) fn failed(trap: Trap) -> ModelError {
    if let Trap::Fail(Failure::Ended(why)) = trap {
        return ModelError::ended(why);
    }
    ModelError(match trap {
        Trap::Fail(Failure::Unsupported(what)) => format!("not modelled: {what}"),
        Trap::Fail(Failure::Broken(text) | Failure::Limit(text) | Failure::Assumption(text)) => {
            text
        }
        Trap::Fail(Failure::Linkage(class, text)) => {
            format!("{}: {text}", class.replace('/', "."))
        }
        Trap::Throw(_) => "an exception outside of the program".to_owned(),
        Trap::Fail(Failure::Full) => "the memory for contents of states is full".to_owned(),
        _ => "a stop outside of the program".to_owned(),
    })
}

impl Program {
    /// Finds the classes and prepares the library.
    pub fn load(jdk: &Jdk, options: &Options) -> Result<Program, String> {
        let modules = jdk.modules();
        let image =
            Image::open(&modules).map_err(|error| format!("{}: {error}", modules.display()))?;
        let path =
            ClassPath::open(&options.class_path).map_err(|error| format!("class path: {error}"))?;
        let vm = Arc::new(Vm {
            registry: Registry::new(image, path, options.provider.clone(), options.reductions),
            dictionary: Dictionary::new(),
            base: Base::new(),
            strings: Mutex::default(),
            boot_thread: OnceLock::new(),
            fixed: Mutex::default(),
            recipes: Append::new(),
            initialising: Mutex::new(()),
            settings: Settings {
                output: options.output,
                budget: options.budget,
                deepest: options.deepest,
                reductions: options.reductions,
                numbering: options.numbering,
                coverage: options.coverage,
                races: options.races,
            },
            stack_met: AtomicBool::new(false),
            unreasoned: Unreasoned::new(options.spurious),
            rules: Rules::default(),
            uses: Uses::default(),
            observed: Observed::default(),
            input: options.input.clone(),
            brake: Brake::default(),
            scratch: AtomicU64::new(0),
            main: [&options.main]
                .into_iter()
                .chain(&options.arguments)
                .cloned()
                .collect::<Vec<_>>()
                .join(" "),
            program_classes: OnceLock::new(),
        });
        let name = options.main.replace('.', "/");
        let class = vm.registry.class(&name).map_err(|error| match error {
            LoadError::Missing(missing) if missing == name => {
                format!("there is no class {} on the class path", options.main)
            }
            LoadError::Missing(missing) => {
                format!("class {} needs {missing}, which is not on the class path", options.main)
            }
            LoadError::Broken(text) | LoadError::Other(_, text) => text,
        })?;
        let main = class
            .method("main", "([Ljava/lang/String;)V")
            .filter(|main| main.is_static() && main.is(flags::PUBLIC))
            .ok_or_else(|| {
                format!("class {} has no `public static void main(String[])`", options.main)
            })?;
        let prepare = || -> Run<()> {
            vm.make_thread_code(Some(main))?;
            let mut worker = Worker::for_states(&vm)?;
            worker.prepare_library()
        };
        prepare().map_err(|trap| failed(trap).0)?;
        let mut sources = Sources::default();
        let has_class = |name: &str| {
            vm.registry.program_resource(&format!("{name}.class")).is_ok_and(|file| file.is_some())
        };
        let names = Names::new(
            &options.sources,
            options.compiled,
            &options.class_path,
            has_class,
            &mut sources,
        );
        if sources.iter().next().is_none() {
            // Places that have no source still belong to a file.
            sources.add(format!("{}.class", options.main).into(), String::new());
        }
        Ok(Program {
            vm,
            names,
            sources,
            totals: Arc::default(),
            known: Mutex::default(),
            window: RwLock::default(),
            has_window: AtomicBool::new(false),
            aims: RwLock::default(),
            has_lock_aims: AtomicBool::new(false),
            conditions: Conditions::default(),
            arguments: options.arguments.clone(),
            main,
        })
    }

    /// The class file that the program begins in.
    pub fn main_class(&self) -> Option<Vec<u8>> {
        self.vm.registry.program_resource(&format!("{}.class", self.main.class.name)).ok().flatten()
    }

    /// Bytes that the contents of states have taken by now, and those that steps are at.
    pub fn bytes(&self) -> u64 {
        self.vm.dictionary.bytes() + self.vm.scratch.load(Ordering::Relaxed)
    }

    /// The most frames that a thread may have, if one had so many.
    pub fn stack_met(&self) -> Option<usize> {
        let met = self.vm.stack_met.load(Ordering::Relaxed);
        met.then_some(self.vm.settings.deepest)
    }

    /// The source files that were found.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    pub(crate) fn new_worker(&self) -> Run<Worker> {
        Worker::for_states(&self.vm)
    }

    /// The state in which the program begins.
    pub(crate) fn first_state(&self, worker: &mut Worker, out: &mut Vec<u32>) -> Run<()> {
        worker.begin(&self.arguments)?;
        worker.save_whole(out)
    }

    /// What the workers that are done met.
    pub fn met(&self) -> Met {
        let Totals { instructions, executed, threads, objects, .. } = &*self.totals;
        let [instructions, executed, threads, objects] =
            [instructions, executed, threads, objects].map(|number| number.load(Ordering::Relaxed));
        Met { instructions, executed, threads, objects }
    }

    /// Whether a run came to its end in the searches so far.
    pub fn has_ended(&self) -> bool {
        self.totals.ended.load(Ordering::Relaxed)
    }

    /// The threads that go round for ever while nobody is left who could stop them, and where, as the searches so far met
    /// them: at most a few.
    pub fn endless(&self) -> Vec<(String, ActionInfo)> {
        let known = self.totals.endless.lock().unwrap_or_else(PoisonError::into_inner);
        let place = |&(ref thread, method, pc): &(String, u32, u32)| {
            (thread.clone(), self.info((method, pc)))
        };
        known.iter().map(place).collect()
    }

    /// Notes that the worker has taken up a state which only leads to itself.
    pub(crate) fn note_endless(&self, worker: &Worker, moves: &[Move]) {
        if self.has_window() {
            return;
        }
        let mut known = self.totals.endless.lock().unwrap_or_else(PoisonError::into_inner);
        for step in moves.iter().take(MOST_ENDLESS.saturating_sub(known.len())) {
            let (method, pc) = worker.standing(step.thread);
            known.insert((worker.thread_name(step.thread), method, pc));
        }
    }

    /// Runs one path: at each moment the first thread that can move takes its first alternative.
    pub fn run(&self) -> Result<RunResult, ModelError> {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut keep = |stream: u8, bytes: &[u8]| {
            if stream == 2 { &mut stderr } else { &mut stdout }.extend_from_slice(bytes);
        };
        let end = self.walk(None, &|| false, &mut keep)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(RunResult {
            stdout: text(&stdout),
            stderr: text(&stderr),
            exit_status: end.exit_status,
            deadlock: end.deadlock,
            uncaught: end.uncaught,
            instructions: end.instructions,
        })
    }

    /// Runs one path, the first one or that of a seed, and hands on what it prints.
    pub fn walk(
        &self,
        seed: Option<u64>,
        stop: &dyn Fn() -> bool,
        print: &mut dyn FnMut(u8, &[u8]),
    ) -> Result<Walked, ModelError> {
        self.walk_path(seed, stop, print).map_err(failed)
    }

    fn walk_path(
        &self,
        seed: Option<u64>,
        stop: &dyn Fn() -> bool,
        print: &mut dyn FnMut(u8, &[u8]),
    ) -> Run<Walked> {
        let mut worker = self.new_worker()?;
        let mut chance = seed.map(Rng::new);
        let mut end = Walked::default();
        let mut next = Vec::new();
        self.first_state(&mut worker, &mut end.state)?;
        let (mut last, mut turns) = (0, 0);
        loop {
            worker.load(&end.state);
            if worker.exit.is_some() || worker.is_over() {
                break;
            }
            if stop() {
                end.interrupted = true;
                break;
            }
            let pick = match &mut chance {
                Some(chance) => {
                    let moves = self.moves(&worker)?;
                    let one = (!moves.is_empty()).then(|| chance.pick(&moves));
                    one.map(|step| (step.thread, step.alternative))
                }
                None => next_thread(&worker, last)?.map(|thread| (thread, 0)),
            };
            let Some((thread, alternative)) = pick else {
                end.deadlock = true;
                break;
            };
            turns = if thread == last { turns + 1 } else { 0 };
            // A thread that waits for another one by looking again and again lets it run.
            last = if turns < TURNS { thread } else { thread + 1 };
            match worker.transition(thread, alternative) {
                // What was wrong is not assumed any more.
                Err(Trap::Fail(Failure::Assumption(_))) if self.assume_less() => continue,
                done => done?,
            }
            if worker.pruned {
                end.pruned = true;
                break;
            }
            for (stream, bytes) in worker.output.drain(..) {
                print(stream, &bytes);
            }
            let left = worker.uncaught.drain(..);
            let text = |Uncaught { thread, text, .. }| format!("{thread}: {text}");
            end.uncaught.extend(left.map(text));
            worker.save(&mut next)?;
            std::mem::swap(&mut end.state, &mut next);
            if end.state == next {
                worker.load(&end.state);
                end.endless = self.moves(&worker)?.len() == 1;
                if end.endless {
                    break;
                }
            }
        }
        end.exit_status = match worker.exit {
            Some(code) => code & 0xff,
            None => i32::from(worker.main_failed),
        };
        end.instructions = worker.executed;
        Ok(end)
    }
}

/// How a run ended.
#[derive(Clone, Debug, Default)]
pub struct Walked {
    /// The last state.
    pub state: Vec<u32>,
    /// What the program would give to the shell.
    pub exit_status: i32,
    /// Whether all threads wait for each other.
    pub deadlock: bool,
    /// Whether somebody stopped it.
    pub interrupted: bool,
    /// Whether it came to an assumption that does not hold.
    pub pruned: bool,
    /// Whether the only thread that can move goes round for ever without changing anything.
    pub endless: bool,
    /// Exceptions that nobody caught, each with its thread.
    pub uncaught: Vec<String>,
    /// Instructions executed.
    pub instructions: u64,
}

/// The thread that goes on in a single run: the last one as long as it can, then the next one. Time passes
/// only where nobody can go on without that.
fn next_thread(worker: &Worker, last: usize) -> Run<Option<usize>> {
    let count = worker.threads.len();
    for in_vain in [false, true] {
        for offset in 0..count {
            let thread = (last + offset) % count;
            let timed = match worker.status(thread) {
                Status::TimedPark => !worker.has_permit(thread),
                Status::TimedWait | Status::Sleep => true,
                _ => false,
            };
            if timed == in_vain && worker.alternatives(thread)? > 0 {
                return Ok(Some(thread));
            }
        }
    }
    Ok(None)
}

/// The name of the class in a class file, as Java writes it.
pub fn class_name(bytes: Vec<u8>) -> Result<String, String> {
    let file = ClassFile::read(bytes).map_err(|error| error.to_string())?;
    Ok(file.name.replace('/', "."))
}

/// Whether a class file has a `main` to begin with.
pub fn has_main(bytes: Vec<u8>) -> bool {
    ClassFile::read(bytes).is_ok_and(|file| {
        let mut methods = file.methods.iter();
        let public = flags::PUBLIC | flags::STATIC;
        methods.any(|m| {
            &*m.name == "main"
                && &*m.descriptor == "([Ljava/lang/String;)V"
                && m.flags & public == public
        })
    })
}

/// Whether a class, by its name with slashes, is in one of these directories and jars.
pub fn is_on_class_path(places: &[PathBuf], class: &str) -> bool {
    let found = ClassPath::open(places).and_then(|places| places.class(class));
    found.is_ok_and(|class| class.is_some())
}

/// The class that the manifest of a jar names as the one with `main`.
pub fn jar_main(path: &Path) -> Result<Option<String>, String> {
    manifest(path, "Main-Class")
}

/// The jars and directories that the manifest of a jar adds to the class path.
pub fn jar_class_path(path: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let line = manifest(path, "Class-Path")?.unwrap_or_default();
    let places = line.split_whitespace().map(|place| place.strip_prefix("file:").unwrap_or(place));
    Ok(places.map(|place| folder.join(place)).collect())
}

/// An entry of the manifest of a jar; long ones go on in lines that begin with a blank.
fn manifest(path: &Path, key: &str) -> Result<Option<String>, String> {
    let manifest = crate::load::jar_file(path, "META-INF/MANIFEST.MF");
    let manifest = manifest.map_err(|error| format!("{}: {error}", path.display()))?;
    let text = String::from_utf8_lossy(&manifest.unwrap_or_default()).into_owned();
    let text = text.replace("\r\n", "\n").replace("\n ", "");
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    Ok(lines.find(|(name, _)| *name == key).map(|(_, value)| value.trim().to_owned()))
}

/// Runs a program once on the JDK of this machine.
pub fn run_once(options: &Options) -> Result<RunResult, String> {
    let jdk = Jdk::find()?;
    let options = Options { output: true, ..options.clone() };
    Program::load(&jdk, &options)?.run().map_err(|error| error.0)
}
