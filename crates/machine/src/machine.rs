//! The machine: what a language front end builds and every executor runs.

use everypath_model::Span;

use crate::code::{Op, Pattern, SiteId};
use crate::layout::{Field, LayoutBuilder};

/// A system of processes that share variables and exchange messages.
///
/// A state is a row of words: the hidden variables, the global variables, the global channels, then
/// each live process, oldest first, followed by the channels it owns. How long each record is
/// follows from the head word of each process (see [`Head`]), so the vector needs no index.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// What each process record begins with.
    pub head: Head,
    /// Words of hidden variables at the start of each vector.
    pub hidden_words: u32,
    /// Words of the global record.
    pub global_words: u32,
    /// Named cells of the global record, then of the hidden one.
    pub global_cells: Vec<Cell>,
    /// Named cells of the hidden record.
    pub hidden_cells: Vec<Cell>,
    /// Runs once on the zeroed global record.
    pub global_init: u32,
    /// Where the number of the process that moved last is kept.
    pub last: Option<Field>,
    /// Where is kept whether the last step passed an accept label that no state shows; then only the
    /// interpreter can run it.
    pub passed: Option<Field>,
    /// Kinds of channels.
    pub channel_types: Vec<ChannelType>,
    /// The global channels, as kinds; channel ids start at 1 with these.
    pub global_channels: Vec<Channel>,
    /// Kinds of processes.
    pub proctypes: Vec<Proctype>,
    /// The processes of the initial state.
    pub initial: Vec<u16>,
    /// All statements.
    pub transitions: Vec<Transition>,
    /// All instructions.
    pub code: Vec<Op>,
    /// Patterns of receives and polls.
    pub patterns: Vec<Pattern>,
    /// Places that can raise a fault.
    pub sites: Vec<Site>,
    /// Formats of `printf`.
    pub formats: Vec<Format>,
    /// Sets of symbolic names: `names[i]` is the value `i + 1`.
    pub name_sets: Vec<Vec<String>>,
    /// Invariants: code that leaves its value in register 0 and ends in `Done`.
    pub invariants: Vec<Invariant>,
    /// Whether some statement waits for `timeout`.
    pub uses_timeout: bool,
    /// Whether priorities decide who may move.
    pub uses_priorities: bool,
    /// A full channel loses messages instead of blocking the sender.
    pub lossy_channels: bool,
    /// Components of a process with its channels, if all have as many so that each has its place; 0 if
    /// they follow each other without gaps.
    pub process_components: u16,
    /// A place after which the numbers of statements may not be those of the language's own tool.
    pub numbers_differ: Option<Span>,
}

/// Channels that processes may own for each of them to have its place among the components.
const MOST_OWN_CHANNELS: usize = 3;

impl Machine {
    /// Whether processes are made while the system runs.
    pub fn grows(&self) -> bool {
        self.code.iter().any(|op| matches!(op, Op::Run { .. }))
    }

    /// Gives processes that come and go, with channels of their own, fixed places among the
    /// components.
    pub fn place_processes(&mut self) {
        let most = self.proctypes.iter().map(|proctype| proctype.channels.len()).max().unwrap_or(0);
        let places = (1..=MOST_OWN_CHANNELS).contains(&most) && self.grows();
        self.process_components = if places { most as u16 + 1 } else { 0 };
    }

    /// Whether a statement makes a choice of a deterministic process, as SPIN sees it: not if it
    /// changes nothing but the location, and not if it is a whole `d_step`.
    pub fn is_choice(&self, transition: &Transition) -> bool {
        !transition.indivisible && !self.is_silent(transition)
    }

    fn is_silent(&self, transition: &Transition) -> bool {
        match transition.kind {
            TransitionKind::Code => {
                self.code[transition.code as usize..].starts_with(&[Op::Commit, Op::Done])
            }
            TransitionKind::Else => true,
            TransitionKind::End => false,
        }
    }
}

/// The head of a process record, the same for all proctypes. Variables follow in the bits that it
/// leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The control location.
    pub location: Field,
    /// Index of the proctype.
    pub proctype: Field,
    /// Its priority; used only if the machine uses priorities, and then not zero.
    pub priority: Field,
}

impl Head {
    /// A head for so many proctypes with at most so many locations each, at the start of `record`.
    pub fn place(
        record: &mut LayoutBuilder,
        proctypes: usize,
        locations: usize,
        priorities: bool,
    ) -> Head {
        let bits =
            |count: usize| (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1) as u8;
        let mut field = |width: u8| Field { bit: record.scalar(width), width, signed: false };
        let location = field(bits(locations).min(16));
        let proctype = field(bits(proctypes).min(8));
        let priority = if priorities { field(8) } else { location };
        Head { location, proctype, priority }
    }
}

impl Default for Head {
    fn default() -> Head {
        Head::place(&mut LayoutBuilder::default(), 256, 1 << 16, true)
    }
}

/// How a value is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Int,
    /// `true` or `false`.
    Bool,
    /// A name of [`Machine::name_sets`].
    Name(u16),
    /// A channel.
    Channel,
}

/// A named scalar of a record.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Name with indices and fields, such as `fork[2]` or `z.r[1].c`.
    pub name: String,
    /// Where it lies.
    pub field: Field,
    /// How it is shown.
    pub kind: Kind,
    /// Made by the front end and never shown.
    pub synthetic: bool,
}

/// A kind of channel. Its record holds the number of messages and then the slots; unused slots are
/// zero. A rendezvous channel has no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelType {
    /// Number of slots; 0 for rendezvous.
    pub capacity: u32,
    /// The fields of one message, relative to its slot.
    pub fields: Vec<Field>,
    /// How each field is shown.
    pub kinds: Vec<Kind>,
    /// Number of messages.
    pub len: Field,
    /// First bit of slot 0.
    pub first: u32,
    /// Bits from one slot to the next.
    pub stride: u32,
    /// Words of the record.
    pub words: u32,
}

/// A channel that exists as long as its owner.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Index into [`Machine::channel_types`].
    pub ty: u16,
    /// Its name, with an index for an array.
    pub name: String,
}

/// A kind of process.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Words of its record, the head included.
    pub words: u32,
    /// Its parameters in order.
    pub params: Vec<Field>,
    /// Named cells of the record.
    pub cells: Vec<Cell>,
    /// The channels it owns, made with it.
    pub channels: Vec<Channel>,
    /// Runs when it is made, after the parameters are set.
    pub init: u32,
    /// Its locations; a process starts at `start`.
    pub locations: Vec<Location>,
    /// Where it starts.
    pub start: u16,
    /// The location from which the process ends.
    pub end: u16,
    /// Code that leaves in register 0 whether the process may move.
    pub provided: Option<u32>,
    /// Priority of its instances in the initial state.
    pub priority: u8,
    /// At most one statement may be executable at a time.
    pub deterministic: bool,
    /// There may be several instances, so that names carry the number of the process.
    pub numbered: bool,
    /// How many numbered statements the model has before it: [`Transition::number`] counts within
    /// the proctype.
    pub first_number: u32,
    /// How many numbered statements it has.
    pub numbers: u32,
    /// The names of its labels, each with the statements that are executed first behind it. Of a label in
    /// a piece of text that stands for several there are several.
    pub labels: Vec<(String, Vec<u32>)>,
}

/// A control location.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// The statements that may come next, in the order in which they are tried.
    pub edges: Vec<Edge>,
    /// A process may rest here for ever.
    pub valid_end: bool,
    /// It has an accept label.
    pub accept: bool,
    /// It has a progress label.
    pub progress: bool,
    /// Its number among the control states of its proctype, as `pc_value` gives it.
    pub number: u32,
}

/// A way out of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index into [`Machine::transitions`].
    pub transition: u32,
    /// 0, or the escape it belongs to: if one statement of an escape can be executed, only
    /// statements of this escape are.
    pub escape: u16,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Its proctype.
    pub proctype: u16,
    /// What it does.
    pub kind: TransitionKind,
    /// First instruction; unused for [`TransitionKind::Else`] and [`TransitionKind::End`].
    pub code: u32,
    /// Where it leads.
    pub target: u16,
    /// Nobody else may move between it and the next statement of the process.
    pub atomic: bool,
    /// The statement as one line of text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Several statements that are one step: a whole `d_step`.
    pub indivisible: bool,
    /// Not a statement of the user (an end marker, a skip that the translation inserted).
    pub synthetic: bool,
    /// The number of the statement in its proctype, from 1, in order of completion.
    pub number: u32,
    /// It is the last step of an atomic sequence and has an accept label.
    pub passes: bool,
}

/// Kinds of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransitionKind {
    /// Code with a guard and an effect; may turn out to be one half of a rendezvous.
    Code,
    /// Executable if nothing before it in its location is.
    Else,
    /// The process ends; possible for the youngest one only.
    End,
}

/// A place that can raise a fault.
#[derive(Clone, Debug)]
pub struct Site {
    /// Where.
    pub span: Span,
    /// The expression as text: the asserted condition, the indexed variable, the channel.
    pub text: String,
    /// The cells that the expression reads, to tell their values: code that computes each one.
    pub operands: Vec<Operand>,
}

/// A part of an asserted expression whose value explains a failure.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Its text.
    pub text: String,
    /// Code that leaves its value in register 0.
    pub code: u32,
    /// How it is shown.
    pub kind: Kind,
}

/// A `printf`.
#[derive(Clone, Debug)]
pub struct Format {
    /// The pieces of text between and around the conversions.
    pub pieces: Vec<String>,
    /// The conversions: one less than pieces.
    pub conversions: Vec<Conversion>,
}

/// A conversion of a `printf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// `%d`, and everything shown as a decimal number.
    Decimal,
    /// `%u`
    Unsigned,
    /// `%c`
    Char,
    /// `%o`
    Octal,
    /// `%x`
    Hex,
    /// `%e`: a symbolic name of this set.
    Name(u16),
}

/// A condition on every state.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// As the user wrote it.
    pub text: String,
    /// First instruction.
    pub code: u32,
    /// For the values in the report.
    pub site: SiteId,
}

/// The kinds of faults that a machine can run into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum FaultKind {
    /// An assertion is false.
    Assertion,
    /// An array index is out of range.
    Index,
    /// Division or remainder by zero.
    Division,
    /// More than 255 processes.
    Processes,
    /// More than 255 channels.
    Channels,
    /// Use of a channel variable that holds no channel.
    NoChannel,
    /// Use of a channel whose owner has ended.
    DeadChannel,
    /// A statement in the middle of an indivisible sequence cannot be executed.
    BlockedStep,
    /// Two executable statements in a deterministic process.
    Nondeterminism,
    /// The number of fields does not fit the channel.
    Arity,
    /// An operation that a rendezvous channel does not have.
    RendezvousUse,
    /// `enabled` of the process itself.
    EnabledSelf,
    /// An invariant is false.
    Invariant,
    /// An atomic sequence that may go round for ever: the search is incomplete.
    AtomicLoop,
    /// A d_step that goes round for ever: the search is incomplete.
    StepLoop,
}

impl FaultKind {
    /// All kinds in order of their numbers.
    pub const ALL: [FaultKind; 15] = [
        FaultKind::Assertion,
        FaultKind::Index,
        FaultKind::Division,
        FaultKind::Processes,
        FaultKind::Channels,
        FaultKind::NoChannel,
        FaultKind::DeadChannel,
        FaultKind::BlockedStep,
        FaultKind::Nondeterminism,
        FaultKind::Arity,
        FaultKind::RendezvousUse,
        FaultKind::EnabledSelf,
        FaultKind::Invariant,
        FaultKind::AtomicLoop,
        FaultKind::StepLoop,
    ];
}
