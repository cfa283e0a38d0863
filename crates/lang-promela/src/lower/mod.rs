//! From the syntax tree to a machine: the layout of variables, the control flow of proctypes, and
//! the code of statements.

mod desugar;
mod emit;
mod flow;
mod layout;
mod limits;
mod numbers;
mod scan;
mod step;

use std::collections::BTreeSet;
use std::sync::Arc;

use everypath_machine::code::{Op, Space};
use everypath_machine::{
    Channel, Field, Head, Invariant, LayoutBuilder, Machine, Proctype as MachineProctype,
};
use everypath_model::{Brake, Diagnostic, Severity, pulled};

use crate::ast::*;
use crate::{c_text, pretty};
pub(crate) use desugar::desugar;
use layout::{Leaf, Place, StructLayout};

/// What to build besides the model itself.
#[derive(Clone, Debug, Default)]
pub struct LowerOptions {
    /// Conditions that every state must satisfy.
    pub invariants: Vec<Expr>,
    /// A full channel loses messages instead of blocking the sender (SPIN's `-m`).
    pub lossy_channels: bool,
    /// Whether to tell how SPIN prints each statement.
    pub spin_texts: bool,
    /// Whether states tell that the step before passed an accept label at the end of an atomic
    /// sequence.
    pub accept_steps: bool,
    /// Ends the work: then there is no machine.
    pub brake: Option<Arc<Brake>>,
}

/// The machine of a model, or why there is none.
#[derive(Debug)]
pub struct Lowered {
    /// `None` if a diagnostic is an error or says that something is not supported.
    pub machine: Option<Machine>,
    /// What is to be said about the model.
    pub diagnostics: Vec<Diagnostic>,
    /// How SPIN prints each transition of the machine, if that was asked for.
    pub spin_texts: Vec<String>,
}

impl Lowered {
    fn refused(diagnostics: Vec<Diagnostic>) -> Lowered {
        Lowered { machine: None, diagnostics, spin_texts: Vec::new() }
    }
}

/// Translates a model.
pub fn lower(model: &Model, options: &LowerOptions) -> Lowered {
    if let Some(diagnostic) = limits::check(model) {
        return Lowered::refused(vec![diagnostic]);
    }
    let mut model = model.clone();
    let mut options = options.clone();
    let diagnostics = c_text::resolve(&mut model, &mut options.invariants);
    if diagnostics.iter().any(|d| d.severity >= Severity::Unsupported) {
        return Lowered::refused(diagnostics);
    }
    translate(&model, &options, diagnostics)
}

/// Translates a model without embedded C.
fn translate(model: &Model, options: &LowerOptions, diagnostics: Vec<Diagnostic>) -> Lowered {
    let facts = scan::facts(model, &options.invariants);
    let mut lowering = Lowering {
        model,
        machine: Machine { lossy_channels: options.lossy_channels, ..Machine::default() },
        structs: layout::structs(model),
        places: Vec::new(),
        diagnostics,
        remote: facts.remote_labels,
        remote_labels: Vec::new(),
        pending_operands: Vec::new(),
        flushed_sites: 0,
        most_locations: model
            .proctypes
            .iter()
            .map(|p| scan::most_locations(&p.body))
            .max()
            .unwrap_or(1),
        skip: None,
        spin_texts: options.spin_texts.then(Vec::new),
        brake: options.brake.clone(),
    };
    lowering.machine.uses_priorities = facts.priorities;
    lowering.machine.name_sets = model.mtypes.iter().map(|set| set.names.clone()).collect();
    if lowering.machine.name_sets.is_empty() {
        lowering.machine.name_sets.push(Vec::new());
    }
    lowering.model(facts.last, options);
    let Lowering { mut machine, diagnostics, spin_texts, .. } = lowering;
    if pulled(options.brake.as_ref()) {
        return Lowered::refused(diagnostics);
    }
    let failed = diagnostics.iter().any(|d| d.severity >= Severity::Unsupported);
    let spin_texts = spin_texts.unwrap_or_default();
    machine.place_processes();
    Lowered { machine: (!failed).then_some(machine), diagnostics, spin_texts }
}

/// The state of a translation.
struct Lowering<'a> {
    model: &'a Model,
    machine: Machine,
    structs: Vec<StructLayout>,
    /// The place of each variable of the model.
    places: Vec<Place>,
    diagnostics: Vec<Diagnostic>,
    /// Labels that an expression somewhere refers to, by proctype and name.
    remote: BTreeSet<(u32, String)>,
    /// Instructions that compare a control state with a label's.
    remote_labels: Vec<(usize, ProcId, LabelId)>,
    /// Parts of expressions whose value explains a fault, still without code.
    pending_operands: Vec<(Expr, String)>,
    flushed_sites: usize,
    /// No proctype has more control locations.
    most_locations: usize,
    /// Code that does nothing.
    skip: Option<u32>,
    /// How SPIN prints each transition, if wanted.
    spin_texts: Option<Vec<String>>,
    brake: Option<Arc<Brake>>,
}

impl<'a> Lowering<'a> {
    fn is_remote_label(&self, proctype: u16, name: &str) -> bool {
        self.remote.contains(&(u32::from(proctype), name.to_string()))
    }

    fn model(&mut self, uses_last: bool, options: &LowerOptions) {
        let model = self.model;
        if model.proctypes.len() > 255 {
            let span = model.proctypes[255].span;
            self.error("EP1407", span, "a model can have 255 proctypes");
            return;
        }
        self.machine.head = self.place_head(&mut LayoutBuilder::default());
        self.place_globals(uses_last, options.accept_steps);
        for proctype in &model.proctypes {
            self.place_locals(proctype);
        }
        self.globals_init();
        let mut labels = Vec::new();
        for (index, proctype) in model.proctypes.iter().enumerate() {
            let numbers = self.proctype(index as u16, proctype);
            labels.push(numbers);
            for _ in 0..proctype.active {
                self.machine.initial.push(index as u16);
            }
        }
        if !self.machine.transitions.iter().any(|transition| transition.passes) {
            self.machine.passed = None;
        }
        self.number_proctypes();
        for op in &self.machine.code {
            if let Op::Run { proctype, .. } = *op {
                self.machine.proctypes[usize::from(proctype)].numbered = true;
            }
        }
        self.invariants(options);
        for (at, proctype, label) in std::mem::take(&mut self.remote_labels) {
            if let Op::AtState { number, .. } = &mut self.machine.code[at] {
                *number = labels[proctype.index()][label.index()];
            }
        }
    }

    /// Statements are numbered through the model in the order of the text, those of claims too.
    fn number_proctypes(&mut self) {
        let model = self.model;
        let claims = model.never.iter().chain(model.traces.iter().map(|trace| &trace.body));
        let mut bodies: Vec<(usize, u32)> =
            claims.map(|claim| (claim.position, flow::Flow::numbers(self, claim))).collect();
        let proctypes = model.proctypes.iter().zip(&self.machine.proctypes);
        bodies.extend(proctypes.map(|(proctype, placed)| (proctype.position, placed.numbers)));
        bodies.sort_unstable();
        for (proctype, placed) in model.proctypes.iter().zip(&mut self.machine.proctypes) {
            let before = bodies.iter().take_while(|(position, _)| *position < proctype.position);
            placed.first_number = before.map(|(_, numbers)| numbers).sum();
        }
    }

    fn place_globals(&mut self, uses_last: bool, accept_steps: bool) {
        let model = self.model;
        let nowhere = Place { space: Space::Global, bit: 0, stride: 0 };
        self.places = vec![nowhere; model.vars.len()];
        let mut shared = LayoutBuilder::default();
        let mut hidden = LayoutBuilder::default();
        let spread = layout::spread(model);
        // Channels are constants nearly always, so they do not stand between variables.
        let order = [false, true].into_iter().flat_map(|channels| {
            let globals = model.globals.iter().copied();
            globals.filter(move |id| (model.vars[id.index()].ty == Type::Chan) == channels)
        });
        for id in order {
            let var = &model.vars[id.index()];
            let (bit, stride, space);
            if var.prefix == Prefix::Hidden {
                space = Space::Hidden;
                (bit, stride) = layout::place(&mut hidden, &self.structs, var.ty, var.array);
            } else {
                space = Space::Global;
                let structs = &self.structs;
                (bit, stride) =
                    layout::place_apart(&mut shared, structs, var.ty, var.array, spread);
            }
            self.places[id.index()] = Place { space, bit, stride };
        }
        if uses_last {
            let bit = shared.scalar(8);
            self.machine.last = Some(Field { bit, width: 8, signed: false });
        }
        if accept_steps {
            let bit = shared.scalar(1);
            self.machine.passed = Some(Field { bit, width: 1, signed: false });
        }
        self.machine.global_words = shared.words();
        self.machine.hidden_words = hidden.words();
    }

    fn leaves(&self, id: VarId) -> Vec<Leaf> {
        let var = &self.model.vars[id.index()];
        let place = self.places[id.index()];
        let mut out = Vec::new();
        layout::leaves(
            self.model,
            &self.structs,
            &var.name,
            var.ty,
            var.array,
            &var.init,
            place.bit,
            place.stride,
            &mut out,
        );
        out
    }

    fn channel_type(&mut self, init: &ChannelInit) -> u16 {
        let ty = layout::channel(self.model, init);
        let types = &mut self.machine.channel_types;
        let index = types.iter().position(|t| *t == ty).unwrap_or_else(|| {
            types.push(ty);
            types.len() - 1
        });
        index as u16
    }

    fn globals_init(&mut self) {
        let model = self.model;
        let mut em = self.begin();
        for &id in &model.globals {
            let var = &model.vars[id.index()];
            let space = self.places[id.index()].space;
            let leaves = self.leaves(id);
            for leaf in &leaves {
                self.leaf_init(&mut em, leaf, space, None);
            }
            let cells = layout::cells(&leaves, var.synthetic);
            match space {
                Space::Hidden => self.machine.hidden_cells.extend(cells),
                _ => self.machine.global_cells.extend(cells),
            }
        }
        self.op(Op::Done);
        self.machine.global_init = self.finish(em);
        self.flush_operands();
    }

    /// Sets a scalar to its initial value; `own` collects the channels of a process.
    fn leaf_init(
        &mut self,
        em: &mut emit::Emitter,
        leaf: &Leaf,
        space: Space,
        own: Option<&mut Vec<Channel>>,
    ) {
        match &leaf.init {
            Init::None => return,
            Init::Expr(e) => self.expr(em, e, 0),
            Init::List(values) => {
                self.op(Op::Const { d: 0, value: values.first().copied().unwrap_or(0) });
            }
            Init::Channel(init) => {
                let ty = self.channel_type(init);
                let channel = Channel { ty, name: leaf.name.clone() };
                match own {
                    Some(channels) => {
                        self.op(Op::OwnChannel { d: 0, k: channels.len() as u16 });
                        channels.push(channel);
                    }
                    None => {
                        self.machine.global_channels.push(channel);
                        let value = self.machine.global_channels.len() as i32;
                        self.op(Op::Const { d: 0, value });
                    }
                }
            }
        }
        self.op(Op::Store { s: 0, space, field: leaf.field() });
    }

    /// A process record with its head: what follows takes the bits that the head leaves.
    fn record(&self) -> LayoutBuilder {
        let mut builder = LayoutBuilder::default();
        let head = self.place_head(&mut builder);
        debug_assert_eq!(head, self.machine.head);
        builder
    }

    fn place_head(&self, builder: &mut LayoutBuilder) -> Head {
        let count = self.model.proctypes.len();
        Head::place(builder, count, self.most_locations, self.machine.uses_priorities)
    }

    fn place_locals(&mut self, proctype: &Proctype) {
        let mut builder = self.record();
        for &id in proctype.params.iter().chain(&proctype.locals) {
            let var = &self.model.vars[id.index()];
            let (bit, stride) = layout::place(&mut builder, &self.structs, var.ty, var.array);
            self.places[id.index()] = Place { space: Space::Local, bit, stride };
        }
    }

    /// Translates a proctype; the control state number of each of its labels.
    fn proctype(&mut self, index: u16, proctype: &'a Proctype) -> Vec<u32> {
        let mut builder = self.record();
        let mut cells = Vec::new();
        let mut channels = Vec::new();
        let mut em = self.begin();
        for (i, &id) in proctype.params.iter().chain(&proctype.locals).enumerate() {
            let var = &self.model.vars[id.index()];
            layout::place(&mut builder, &self.structs, var.ty, var.array);
            let leaves = self.leaves(id);
            let at_start = i < proctype.params.len() + proctype.startup;
            // Channels and fields of structures have their values from the start, wherever they are
            // declared; the declaration of another variable is an assignment.
            let early = at_start || matches!(var.ty, Type::Struct(_));
            if i >= proctype.params.len() {
                for leaf in &leaves {
                    if early || matches!(leaf.init, Init::Channel(_)) {
                        self.leaf_init(&mut em, leaf, Space::Local, Some(&mut channels));
                    }
                }
            }
            cells.extend(layout::cells(&leaves, var.synthetic));
        }
        self.op(Op::Done);
        let init = self.finish(em);
        self.flush_operands();
        let provided = proctype.provided.as_ref().map(|e| self.value_code(e));
        let params = self.parameter_fields(&proctype.params);
        let graph = flow::Flow::build(self, proctype, index);
        let names = proctype.labels.iter().map(|label| label.name.clone());
        let labels = names.zip(graph.label_steps).collect();
        self.machine.proctypes.push(MachineProctype {
            name: proctype.name.clone(),
            span: proctype.span,
            words: builder.words(),
            params,
            cells,
            channels,
            init,
            locations: graph.locations,
            start: graph.start,
            end: graph.end,
            provided,
            priority: proctype.priority.unwrap_or(1).clamp(1, 255) as u8,
            deterministic: proctype.deterministic,
            numbered: proctype.active > 1,
            first_number: 0,
            numbers: graph.numbers,
            labels,
        });
        graph.label_numbers
    }

    /// Code that leaves the value of an expression in register 0.
    fn value_code(&mut self, e: &Expr) -> u32 {
        let mut em = self.begin();
        self.expr(&mut em, e, 0);
        self.op(Op::Done);
        let code = self.finish(em);
        self.flush_operands();
        code
    }

    fn invariants(&mut self, options: &LowerOptions) {
        for e in &options.invariants {
            let text = pretty::expr(self.model, e);
            let operands = self.operands(e);
            let site = self.site(e.span, text.clone(), operands);
            let code = self.value_code(e);
            self.machine.invariants.push(Invariant { text, code, site });
        }
    }
}
