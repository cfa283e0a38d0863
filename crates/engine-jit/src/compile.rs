//! From a machine to native code: a function for each proctype. Everything that knows Cranelift's
//! module interface is here.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{
    AbiParam, Endianness, InstBuilder, SigRef, Signature, Type, UserFuncName,
};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use everypath_machine::code::Op;
use everypath_machine::{Interpreter, Machine};

use crate::context::{Context, Seat};
use crate::emit::Emitter;
use crate::facts::Facts;
use crate::flow::{Flow, Mode};
use crate::location::{Channels, may_receive};
use crate::{JitError, Unsupported};

/// The native code of a proctype: all moves of a process. Its arguments are the context, the state,
/// the record of the process in it, the number of the process and its component. It gives 0 if it
/// has no code for the location of the process.
pub(crate) type ProcessCode =
    unsafe extern "C" fn(*mut Context, *const u32, *const u32, u32, u64) -> u32;

/// The native code of an expression: the context and the state; its value.
pub(crate) type ValueCode = unsafe extern "C" fn(*mut Context, *const u32) -> i32;

/// The code of a proctype, in pieces with some locations each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    /// All moves.
    pub moves: Vec<ProcessCode>,
    /// The receiving halves of a rendezvous.
    pub handshake: Vec<ProcessCode>,
    /// The channels on which there may be one, for each location.
    pub receives: Vec<Channels>,
}

/// How much was compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Locations with native code.
    pub native: usize,
    /// Locations that the interpreter keeps.
    pub interpreted: usize,
}

/// The native code of a machine.
pub(crate) struct Code {
    /// All proctypes.
    pub entries: Vec<Entry>,
    /// The invariants.
    pub invariants: Vec<Option<ValueCode>>,
    pub coverage: Coverage,
    /// What keeps locations with the interpreter.
    pub reasons: BTreeSet<&'static str>,
    /// Where it lies.
    _memory: Memory,
}

/// The memory behind function pointers.
pub(crate) struct Memory(Option<JITModule>);

// SAFETY: after it was made nobody writes to the code, and the module is not used but to free it.
#[allow(unsafe_code)]
unsafe impl Send for Memory {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Memory {}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            // SAFETY: the functions are called only through what goes away with it.
            #[allow(unsafe_code)]
            unsafe {
                module.free_memory();
            }
        }
    }
}

/// The code for a process at a seat.
pub(crate) struct SeatCode {
    pub code: ProcessCode,
    /// Instructions.
    pub size: usize,
    pub memory: Memory,
}

/// Compiles a proctype for processes at a seat only, if it can be compiled. If it has many
/// locations, those visited most count.
pub(crate) fn compile_seat(
    interpreter: &Interpreter,
    facts: &Facts,
    seat: Seat,
    visits: &[u32],
) -> Result<Option<SeatCode>, JitError> {
    let machine = interpreter.machine();
    let mut compiler = Compiler::new(machine, facts)?;
    let ty = usize::from(seat.proctype);
    let Some(locations) = pieces(machine, ty, visits).into_iter().next() else { return Ok(None) };
    let unit = Unit { proctype: seat.proctype, mode: Mode::Moves, seat: Some(seat) };
    let Some(id) = compiler.piece(unit, locations)? else { return Ok(None) };
    compiler.module.finalize_definitions().map_err(JitError::new)?;
    let Compiler { module, size, .. } = compiler;
    Ok(Some(SeatCode { code: process_code(&module, id), size, memory: Memory(Some(module)) }))
}

fn process_code(module: &JITModule, id: FuncId) -> ProcessCode {
    let pointer = module.get_finalized_function(id);
    // SAFETY: the function was defined with the signature of a proctype.
    #[allow(unsafe_code)]
    unsafe {
        std::mem::transmute::<*const u8, ProcessCode>(pointer)
    }
}

/// The locations of a proctype in pieces, those visited most first.
fn pieces(machine: &Machine, ty: usize, visits: &[u32]) -> Vec<Vec<usize>> {
    let count = |ty: usize| machine.proctypes[ty].locations.len();
    let first: usize = (0..ty).map(count).sum();
    let mut locations: Vec<usize> = (0..count(ty)).collect();
    locations.sort_by_key(|l| Reverse(visits.get(first + l).copied().unwrap_or(0)));
    let mut starts: Vec<u32> = machine.transitions.iter().map(|t| t.code).collect();
    starts.sort_unstable();
    // The code of a statement goes on at most up to the next one.
    let length = |transition: u32| {
        let start = machine.transitions[transition as usize].code;
        let next = starts.get(starts.partition_point(|&other| other <= start));
        next.map_or(machine.code.len(), |&next| next as usize) - start as usize
    };
    let mut pieces: Vec<Vec<usize>> = Vec::new();
    let mut size = 0;
    for location in locations {
        let edges = &machine.proctypes[ty].locations[location].edges;
        let more: usize = edges.iter().map(|edge| length(edge.transition)).sum();
        match pieces.last_mut() {
            Some(piece) if size + more <= MAX_PIECE_CODE && piece.len() < MAX_PIECE => {
                piece.push(location);
            }
            _ => {
                pieces.push(vec![location]);
                size = 0;
            }
        }
        size += more;
    }
    pieces
}

/// More instructions than this are not compiled: it would take longer than it saves.
const MAX_CODE: usize = 200_000;
/// The same for one location.
const MAX_LOCATION: usize = 20_000;
/// Locations that one function has at most.
const MAX_PIECE: usize = 100;
/// Instructions of the machine that one function has at most, if it has several locations.
const MAX_PIECE_CODE: usize = 3000;

impl Code {
    /// Compiles a machine. Of a large one only a part is compiled: the locations that were visited
    /// most so far, if `visits` has counts of all. It ends early once nobody needs it: if it is
    /// over.
    pub fn new(
        interpreter: &Interpreter,
        facts: &Facts,
        visits: &[u32],
        over: &AtomicBool,
    ) -> Result<Code, JitError> {
        let machine = interpreter.machine();
        let mut compiler = Compiler::new(machine, facts)?;
        let mut made = Vec::new();
        let mut rest: Vec<_> = (0..machine.proctypes.len())
            .map(|ty| pieces(machine, ty, visits).into_iter())
            .collect();
        // First the pieces visited most of all proctypes.
        loop {
            let before = made.len();
            for (ty, rest) in rest.iter_mut().enumerate() {
                let Some(locations) = rest.next() else { continue };
                if over.load(Ordering::Relaxed) {
                    return Err(JitError("nobody needs it".into()));
                }
                let unit = Unit { proctype: ty as u16, mode: Mode::Moves, seat: None };
                let moves = compiler.piece(unit, locations.clone())?;
                let handshake = match locations
                    .iter()
                    .any(|&l| may_receive(machine, facts, ty, l) != 0)
                {
                    true => compiler.piece(Unit { mode: Mode::Handshake, ..unit }, locations)?,
                    false => None,
                };
                made.push((ty, moves, handshake));
            }
            if made.len() == before {
                break;
            }
        }
        let mut values = Vec::new();
        for invariant in &machine.invariants {
            values.push(compiler.value(invariant.code)?);
        }
        compiler.module.finalize_definitions().map_err(JitError::new)?;
        let Compiler { module, coverage, reasons, .. } = compiler;
        let code = |id: FuncId| process_code(&module, id);
        let mut entries = vec![Entry::default(); machine.proctypes.len()];
        for (ty, entry) in entries.iter_mut().enumerate() {
            let locations = 0..machine.proctypes[ty].locations.len();
            entry.receives = locations.map(|l| may_receive(machine, facts, ty, l)).collect();
        }
        for (ty, moves, handshake) in made {
            entries[ty].moves.extend(moves.map(code));
            entries[ty].handshake.extend(handshake.map(code));
        }
        let invariants = values
            .into_iter()
            .map(|id| {
                let pointer = module.get_finalized_function(id?);
                // SAFETY: the function was defined with the signature of an expression.
                #[allow(unsafe_code)]
                Some(unsafe { std::mem::transmute::<*const u8, ValueCode>(pointer) })
            })
            .collect();
        Ok(Code { entries, invariants, coverage, reasons, _memory: Memory(Some(module)) })
    }
}

/// What a function is for.
#[derive(Clone, Copy)]
struct Unit {
    proctype: u16,
    mode: Mode,
    /// Only processes there.
    seat: Option<Seat>,
}

struct Compiler<'m> {
    machine: &'m Machine,
    facts: &'m Facts,
    module: JITModule,
    context: cranelift_codegen::Context,
    builder: FunctionBuilderContext,
    /// Instructions compiled so far.
    size: usize,
    coverage: Coverage,
    reasons: BTreeSet<&'static str>,
}

impl<'m> Compiler<'m> {
    fn new(machine: &'m Machine, facts: &'m Facts) -> Result<Compiler<'m>, JitError> {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
        ] {
            flags.set(name, value).map_err(JitError::new)?;
        }
        let isa = cranelift_native::builder()
            .map_err(JitError::new)?
            .finish(settings::Flags::new(flags))
            .map_err(JitError::new)?;
        if isa.pointer_bits() != 64 || isa.endianness() != Endianness::Little {
            return Err(JitError("native code needs a little-endian 64-bit processor".into()));
        }
        let module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let context = module.make_context();
        Ok(Compiler {
            machine,
            facts,
            module,
            context,
            builder: FunctionBuilderContext::new(),
            size: 0,
            coverage: Coverage::default(),
            reasons: BTreeSet::new(),
        })
    }

    fn signature(&self, params: &[Type], result: Option<Type>) -> Signature {
        let mut signature = self.module.make_signature();
        signature.params.extend(params.iter().map(|&ty| AbiParam::new(ty)));
        signature.returns.extend(result.map(AbiParam::new));
        signature
    }

    /// The code of some locations of a proctype, if it can do any of them.
    fn piece(&mut self, unit: Unit, mut locations: Vec<usize>) -> Result<Option<FuncId>, JitError> {
        let all = locations.len();
        let mut made = None;
        let mut why = match (self.machine.uses_priorities, self.size > MAX_CODE) {
            (true, _) => Some(Unsupported("priorities")),
            (_, true) => Some(Unsupported("a very large model")),
            _ => self.try_piece(unit, &locations, &mut made)?.err(),
        };
        self.reasons.extend(why.map(|Unsupported(why)| why));
        if why.is_some() && !self.machine.uses_priorities && self.size <= MAX_CODE {
            // One by one, to find those that are supported.
            let mut supported = Vec::new();
            for location in locations {
                match self.emit_only(unit, location) {
                    Ok(()) => supported.push(location),
                    Err(Unsupported(why)) => _ = self.reasons.insert(why),
                }
            }
            locations = supported;
            // If they are too much together, those visited most count.
            while why.is_some() && !locations.is_empty() {
                why = self.try_piece(unit, &locations, &mut made)?.err();
                if why.is_some() {
                    locations.truncate(locations.len() / 2);
                }
            }
        }
        if unit.mode == Mode::Moves {
            let native = if why.is_some() { 0 } else { locations.len() };
            self.coverage.native += native;
            self.coverage.interpreted += all - native;
        }
        Ok(made)
    }

    fn try_piece(
        &mut self,
        unit: Unit,
        locations: &[usize],
        made: &mut Option<FuncId>,
    ) -> Result<Result<(), Unsupported>, JitError> {
        let signature = self.signature(&[I64, I64, I64, I32, I64], Some(I32));
        let function = self.function(signature, |compiler, b, callback| {
            compiler.emit(b, callback, unit, locations)
        })?;
        Ok(function.map(|id| *made = Some(id)))
    }

    /// Whether a location can be compiled.
    fn emit_only(&mut self, unit: Unit, location: usize) -> Result<(), Unsupported> {
        let mut function = cranelift_codegen::ir::Function::new();
        function.signature = self.signature(&[I64, I64, I64, I32, I64], Some(I32));
        let mut builder = FunctionBuilderContext::new();
        let mut b = FunctionBuilder::new(&mut function, &mut builder);
        let callback = b.import_signature(self.signature(&[I64; 4], Some(I64)));
        let size = self.size;
        let made = self.emit(b, callback, unit, &[location]);
        self.size = size;
        made
    }

    fn emit(
        &mut self,
        mut b: FunctionBuilder<'_>,
        callback: SigRef,
        unit: Unit,
        locations: &[usize],
    ) -> Result<(), Unsupported> {
        let start = b.create_block();
        b.append_block_params_for_function_params(start);
        b.switch_to_block(start);
        let &[context, state, record, pid, mask] = b.block_params(start) else {
            return Err(Unsupported("a wrong signature"));
        };
        let params = [context, state, record, pid, mask];
        let Unit { proctype, mode, seat } = unit;
        let (machine, facts) = (self.machine, self.facts);
        let mut e = Emitter::new(&mut b, machine, facts, Some(proctype), mode, params, callback);
        if let Some(seat) = seat {
            e.sit(seat);
        }
        e.piece(locations)?;
        let size = b.func.dfg.num_insts();
        if size > MAX_LOCATION * locations.len().min(4) {
            return Err(Unsupported("a very large location"));
        }
        self.size += size;
        b.seal_all_blocks();
        b.finalize(self.module.target_config());
        Ok(())
    }

    /// The code of an expression, unless it needs a call.
    fn value(&mut self, code: u32) -> Result<Option<FuncId>, JitError> {
        let machine = self.machine;
        let calls = |op: &Op| match *op {
            Op::AtState { .. } | Op::PcValue { .. } | Op::FirstOf { .. } => true,
            Op::Poll { pattern, .. } => machine.patterns[usize::from(pattern)].random,
            _ => false,
        };
        if Flow::guard_ops(machine, code).is_none_or(|ops| ops.iter().any(calls)) {
            return Ok(None);
        }
        let signature = self.signature(&[I64, I64], Some(I32));
        let made = self.function(signature, |compiler, mut b, callback| {
            let start = b.create_block();
            b.append_block_params_for_function_params(start);
            b.switch_to_block(start);
            let &[context, state] = b.block_params(start) else {
                return Err(Unsupported("a wrong signature"));
            };
            let (zero, none) = (b.ins().iconst(I32, 0), b.ins().iconst(I64, 0));
            let params = [context, state, state, zero, none];
            let (machine, facts) = (compiler.machine, compiler.facts);
            let mut e = Emitter::new(&mut b, machine, facts, None, Mode::Moves, params, callback);
            let value = e.expression(code)?;
            b.ins().return_(&[value]);
            compiler.size += b.func.dfg.num_insts();
            b.seal_all_blocks();
            b.finalize(compiler.module.target_config());
            Ok(())
        })?;
        Ok(made.ok())
    }

    /// Defines a function, unless it has something that native code cannot do.
    fn function(
        &mut self,
        signature: Signature,
        make: impl FnOnce(&mut Self, FunctionBuilder<'_>, SigRef) -> Result<(), Unsupported>,
    ) -> Result<Result<FuncId, Unsupported>, JitError> {
        let mut context = std::mem::replace(&mut self.context, cranelift_codegen::Context::new());
        let mut builder = std::mem::take(&mut self.builder);
        context.func.signature = signature;
        let mut b = FunctionBuilder::new(&mut context.func, &mut builder);
        let callback = self.signature(&[I64; 4], Some(I64));
        let callback = b.import_signature(callback);
        if let Err(why) = make(self, b, callback) {
            // The half-made function is thrown away.
            self.builder = FunctionBuilderContext::new();
            self.context = self.module.make_context();
            return Ok(Err(why));
        }
        let id = self
            .module
            .declare_anonymous_function(&context.func.signature)
            .map_err(JitError::new)?;
        context.func.name = UserFuncName::user(0, id.as_u32());
        self.module.define_function(id, &mut context).map_err(JitError::new)?;
        self.module.clear_context(&mut context);
        self.context = context;
        self.builder = builder;
        Ok(Ok(id))
    }
}
