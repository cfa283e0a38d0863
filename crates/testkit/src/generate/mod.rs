//! Random Promela models from a seed.
//!
//! The models are small, finite in the values they use and, with few exceptions, accepted by SPIN.
//! Every statement stands on its own line and ends in a semicolon, so that [`crate::shrink`] can
//! take lines away. What a model contains is told by [`Generated::features`].

mod declare;
mod expression;
mod jumps;
mod private;
mod statement;

use std::collections::BTreeMap;

use everypath_model::Rng;

pub use private::private_model;

/// How often things occur: percentages for whole models, weights among statements.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Fewest and most proctypes, not counting `init`.
    pub proctypes: (i32, i32),
    /// Fewest and most statements of the whole model, over all process instances.
    pub statements: (i32, i32),
    /// Percent of models with rendezvous channels.
    pub rendezvous: u32,
    /// Percent of models with buffered channels.
    pub buffered: u32,
    /// Percent of models whose `init` starts processes.
    pub run: u32,
    /// Percent of models with priorities (never with rendezvous).
    pub priority: u32,
    /// Percent of models with `enabled` (never with rendezvous).
    pub enabled: u32,
    /// Percent of models with `pc_value`.
    pub pc_value: u32,
    /// Percent of models with `_last`.
    pub last: u32,
    /// Percent of proctypes with a `provided` clause.
    pub provided: u32,
    /// Percent of models with remote references (never with `run`).
    pub remote: u32,
    /// Percent of proctypes that are a `D_proctype`.
    pub d_proctype: u32,
    /// Percent of models with `xr` or `xs`.
    pub exclusive: u32,
    /// Percent of models with a process that keeps the channels and a global variable going.
    pub environment: u32,
    /// Percent of models with typedefs.
    pub typedefs: u32,
    /// Percent of models with inlines.
    pub inlines: u32,
    /// Percent of models with macros.
    pub macros: u32,
    /// Percent of array accesses with an index that may be out of range.
    pub bad_index: u32,
    /// Percent of `d_step` sequences that may block inside.
    pub bad_d_step: u32,
    /// Percent of messages with another number of fields than their channel has.
    pub bad_fields: u32,
    /// Weights of the statements.
    pub weights: Weights,
}

/// The weights of the kinds of statements.
#[derive(Clone, Debug)]
pub struct Weights {
    /// Assignments, `++` and `--`.
    pub assign: u32,
    /// Conditions.
    pub condition: u32,
    /// Assertions.
    pub assert: u32,
    /// `skip`, `printf` and runs of them.
    pub skip: u32,
    /// Channel operations.
    pub channel: u32,
    /// `if`
    pub selection: u32,
    /// `do`
    pub repetition: u32,
    /// `for` in its three forms.
    pub for_loop: u32,
    /// `select`
    pub select: u32,
    /// `atomic`
    pub atomic: u32,
    /// `d_step`
    pub d_step: u32,
    /// `unless`
    pub unless: u32,
    /// `goto`
    pub goto: u32,
    /// Plain blocks.
    pub block: u32,
    /// Declarations between statements.
    pub declaration: u32,
    /// `run`
    pub run: u32,
    /// `timeout`
    pub timeout: u32,
    /// Calls of inlines and of macros that are statements.
    pub call: u32,
    /// `set_priority`
    pub priority: u32,
}

impl Default for Profile {
    fn default() -> Self {
        Profile {
            proctypes: (2, 3),
            statements: (7, 18),
            rendezvous: 35,
            buffered: 65,
            run: 45,
            priority: 6,
            enabled: 6,
            pc_value: 4,
            last: 4,
            provided: 8,
            remote: 12,
            d_proctype: 4,
            exclusive: 6,
            environment: 45,
            typedefs: 40,
            inlines: 40,
            macros: 40,
            bad_index: 3,
            bad_d_step: 6,
            bad_fields: 2,
            weights: Weights {
                assign: 22,
                condition: 7,
                assert: 4,
                skip: 6,
                channel: 20,
                selection: 10,
                repetition: 7,
                for_loop: 4,
                select: 3,
                atomic: 8,
                d_step: 6,
                unless: 6,
                goto: 5,
                block: 3,
                declaration: 5,
                run: 3,
                timeout: 2,
                call: 6,
                priority: 1,
            },
        }
    }
}

impl Profile {
    /// A profile for a seed: the default one, or one that stresses channels, control flow, data or
    /// process creation.
    pub fn of_seed(seed: u64) -> Profile {
        let mut p = Profile::default();
        match seed % 6 {
            1 => {
                p.rendezvous = 60;
                p.buffered = 90;
                p.weights.channel = 45;
            }
            2 => {
                p.proctypes = (1, 2);
                p.environment = 70;
                p.weights.selection = 22;
                p.weights.repetition = 14;
                p.weights.unless = 14;
                p.weights.goto = 10;
                p.weights.atomic = 14;
                p.weights.d_step = 12;
            }
            3 => {
                p.proctypes = (1, 2);
                p.typedefs = 90;
                p.environment = 70;
                p.weights.assign = 50;
                p.weights.for_loop = 10;
                p.weights.select = 6;
            }
            4 => {
                p.run = 100;
                p.weights.run = 12;
            }
            5 => {
                p.rendezvous = 0;
                p.run = 10;
                p.priority = 30;
                p.enabled = 25;
                p.pc_value = 20;
                p.last = 20;
                p.exclusive = 15;
                p.provided = 30;
                p.remote = 50;
                p.weights.priority = 4;
            }
            _ => {}
        }
        p
    }
}

/// A random model.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The seed it came from.
    pub seed: u64,
    /// The text.
    pub text: String,
    /// How often each feature occurs in the text.
    pub features: BTreeMap<&'static str, u32>,
}

/// The model of a seed under [`Profile::of_seed`].
pub fn model(seed: u64) -> Generated {
    model_with(seed, &Profile::of_seed(seed))
}

/// The model of a seed under a given profile.
pub fn model_with(seed: u64, profile: &Profile) -> Generated {
    let mut generator = Generator::new(seed, profile.clone());
    generator.model();
    Generated { seed, text: generator.text, features: generator.features }
}

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Unsigned(u8),
    Mtype,
    /// The subtype `mtype:kind`.
    Kind,
    Pid,
    /// A channel that carries one byte.
    Chan,
    Struct(usize),
}

/// A variable in scope.
#[derive(Clone, Debug)]
struct Var {
    name: String,
    ty: Ty,
    /// The length of an array.
    len: Option<i32>,
    /// A loop counter: never assigned by other statements.
    reserved: bool,
}

/// A field of a structure with its type and array length.
type Member = (String, Ty, Option<i32>);

/// A structure type.
#[derive(Clone, Debug)]
struct Struct {
    name: String,
    fields: Vec<Member>,
    /// Only scalar fields, none of them unsigned: it can be part of a message.
    message: bool,
}

/// A field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Plain(Ty),
    /// A channel that carries one byte.
    Chan,
    Struct(usize),
}

/// A channel in scope.
#[derive(Clone, Debug)]
struct Chan {
    name: String,
    len: Option<i32>,
    fields: Vec<Field>,
    /// The capacity, unknown for channel variables.
    capacity: Option<u32>,
    /// No sorted send and no random receive: an `xr` or `xs` names it.
    exclusive: bool,
}

/// A proctype.
#[derive(Clone, Debug)]
struct Proc {
    name: String,
    params: Vec<Var>,
    /// How many instances are active from the start.
    active: i32,
    /// Scalars declared before the first statement.
    locals: Vec<String>,
    labels: Vec<String>,
    /// The process numbers of the active instances.
    pids: Vec<i32>,
}

/// An inline definition.
#[derive(Clone, Debug)]
struct Inline {
    name: String,
    /// How many arguments are variables to assign; then come expressions.
    outputs: usize,
    inputs: usize,
    /// Has a `return`: used as `v = f(..)`.
    returns: bool,
    /// May stand in a d_step: does not block and does not jump.
    steady: bool,
    /// Contains an else, which would join that of a selection it begins.
    has_else: bool,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    atomic: bool,
    d_step: bool,
    /// Inside a loop that may be left with `break`.
    in_loop: bool,
    /// First in an option, also through blocks: its selections share the else of the option.
    first: bool,
    /// First in a block, where no label may stand.
    no_label: bool,
    /// First statement of the d_step.
    guard: bool,
    /// Inside an escape or its main part.
    unless: bool,
    depth: u32,
}

impl Place {
    /// The place of a statement that is not first.
    fn later(self) -> Place {
        Place { first: false, no_label: false, guard: false, ..self }
    }

    fn deeper(self) -> Place {
        Place { depth: self.depth + 1, ..self }
    }
}

/// The state of the generation.
struct Generator {
    rng: Rng,
    profile: Profile,
    text: String,
    indent: usize,
    features: BTreeMap<&'static str, u32>,
    structs: Vec<Struct>,
    /// Scopes of variables; the first one is global.
    scopes: Vec<Vec<Var>>,
    /// Scopes of channels, in step with `scopes`.
    chans: Vec<Vec<Chan>>,
    procs: Vec<Proc>,
    inlines: Vec<Inline>,
    /// Macros that are conditions.
    conditions: Vec<String>,
    /// Macros that are statements on a variable.
    updates: Vec<String>,
    /// The proctype being written; `None` for `init`.
    current: Option<usize>,
    /// The first proctype that may be run from here.
    runnable: usize,
    /// Whether an else has been used, for each flattened selection around the place.
    elses: Vec<bool>,
    labels: Vec<(String, bool)>,
    /// Statements left.
    fuel: i32,
    names: u32,
    rendezvous: bool,
    priority: bool,
    enabled: bool,
    pc_value: bool,
    last: bool,
    remote: bool,
    runs: bool,
    hidden: bool,
    /// Some process has `xr` or `xs`: then SPIN refuses else beside channel operations.
    exclusive: bool,
    environment: bool,
    in_inline: bool,
    in_d_step: bool,
}

impl Generator {
    fn new(seed: u64, profile: Profile) -> Self {
        let mut rng = Rng::new(seed);
        let rendezvous = rng.chance(profile.rendezvous);
        let runs = rng.chance(profile.run);
        Generator {
            priority: !rendezvous && rng.chance(profile.priority),
            enabled: !rendezvous && !runs && rng.chance(profile.enabled),
            pc_value: !runs && rng.chance(profile.pc_value),
            last: rng.chance(profile.last),
            remote: !runs && rng.chance(profile.remote),
            hidden: rng.chance(40),
            exclusive: rng.chance(profile.exclusive),
            environment: rng.chance(profile.environment),
            rng,
            profile,
            text: String::new(),
            indent: 0,
            features: BTreeMap::new(),
            structs: Vec::new(),
            scopes: vec![Vec::new()],
            chans: vec![Vec::new()],
            procs: Vec::new(),
            inlines: Vec::new(),
            conditions: Vec::new(),
            updates: Vec::new(),
            current: None,
            runnable: 0,
            elses: Vec::new(),
            labels: Vec::new(),
            fuel: 0,
            names: 0,
            rendezvous,
            runs,
            in_inline: false,
            in_d_step: false,
        }
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push('\t');
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Notes that a feature occurs.
    fn uses(&mut self, feature: &'static str) {
        *self.features.entry(feature).or_default() += 1;
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn open_scope(&mut self) {
        self.scopes.push(Vec::new());
        self.chans.push(Vec::new());
    }

    fn close_scope(&mut self) {
        self.scopes.pop();
        self.chans.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_has_one_model() {
        for seed in 0..50 {
            assert_eq!(model(seed).text, model(seed).text);
        }
        assert_ne!(model(1).text, model(2).text);
    }

    #[test]
    fn features_occur() {
        let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
        for seed in 0..1000 {
            for feature in model(seed).features.keys() {
                *seen.entry(feature).or_default() += 1;
            }
        }
        for feature in [
            "atomic",
            "d_step",
            "unless",
            "rendezvous",
            "run",
            "for channel",
            "remote label",
            "initial value in typedef",
            "late typedef variable",
            "typedef variable in inline",
            "else in d_step",
            "goto at the end of atomic",
            "jump into atomic",
            "too few fields received",
            "too many fields received",
            "too few fields sent",
            "copy receive on rendezvous",
        ] {
            assert!(seen.get(feature).is_some_and(|&n| n >= 5), "{feature}: {seen:?}");
        }
    }
}
