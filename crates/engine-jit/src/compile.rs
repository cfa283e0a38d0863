//! From a machine to native code: one function per location. Everything that knows Cranelift's
//! module interface is here.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{
    AbiParam, Block, Endianness, InstBuilder, SigRef, Signature, Type, UserFuncName,
};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use everypath_machine::code::Op;
use everypath_machine::{FaultKind, Interpreter, Machine, TransitionKind};

use crate::context::{Context, at};
use crate::emit::{Emitter, Exits};
use crate::facts::Facts;
use crate::flow::{Flow, Mode, Phase};
use crate::{JitError, Unsupported};

/// The native code of a location: all moves of a process that is there. Its arguments are the
/// context, the state, the record of the process in it, the number of the process and its
/// component.
pub(crate) type LocationCode = unsafe extern "C" fn(*mut Context, *const u32, *const u32, u32, u64);

/// The native code of an expression: the context and the state; its value.
pub(crate) type ValueCode = unsafe extern "C" fn(*mut Context, *const u32) -> i32;

/// How the moves of a location are found.
#[derive(Clone, Copy)]
pub(crate) enum How {
    /// By the interpreter.
    Interpreted,
    /// There are none.
    Nothing,
    /// By native code.
    Native(LocationCode),
}

/// A location.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// All moves.
    pub moves: How,
    /// The receiving halves of a rendezvous.
    pub handshake: How,
    /// Number of statements.
    pub edges: u32,
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
    /// All locations, proctype by proctype.
    pub entries: Vec<Entry>,
    /// The invariants.
    pub invariants: Vec<Option<ValueCode>>,
    pub coverage: Coverage,
    /// What keeps locations with the interpreter.
    pub reasons: BTreeSet<&'static str>,
    /// The memory behind the function pointers.
    module: Option<JITModule>,
}

// SAFETY: after it was made nobody writes to the code, and the module is not used but to free it.
#[allow(unsafe_code)]
unsafe impl Send for Code {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the functions are called only through the entries, which go away now.
            #[allow(unsafe_code)]
            unsafe {
                module.free_memory();
            }
        }
    }
}

/// A function to be finished.
enum Made {
    /// Not, for a reason.
    Interpreted(&'static str),
    Nothing,
    Function(FuncId),
}

/// More instructions than this are not compiled: it would take longer than it saves.
const MAX_CODE: usize = 200_000;
/// The same for one location.
const MAX_LOCATION: usize = 20_000;

impl Code {
    /// Compiles a machine. Of a large one only a part is compiled: the locations that were visited
    /// most so far, if `visits` has counts of all.
    pub fn new(interpreter: &Interpreter, facts: &Facts, visits: &[u32]) -> Result<Code, JitError> {
        let machine = interpreter.machine();
        let mut compiler = Compiler::new(machine, facts)?;
        let places: Vec<(usize, usize)> = (0..machine.proctypes.len())
            .flat_map(|ty| (0..machine.proctypes[ty].locations.len()).map(move |l| (ty, l)))
            .collect();
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&place| Reverse(visits.get(place).copied().unwrap_or(0)));
        let mut made: Vec<_> = places.iter().map(|_| (Made::Nothing, Made::Nothing, 0)).collect();
        for place in order {
            let (ty, location) = places[place];
            let moves = compiler.location(ty, location, Mode::Moves)?;
            let handshake = compiler.location(ty, location, Mode::Handshake)?;
            let edges = machine.proctypes[ty].locations[location].edges.len() as u32;
            made[place] = (moves, handshake, edges);
        }
        let mut values = Vec::new();
        for invariant in &machine.invariants {
            values.push(compiler.value(invariant.code)?);
        }
        compiler.module.finalize_definitions().map_err(JitError::new)?;
        let module = compiler.module;
        let mut coverage = Coverage::default();
        let mut reasons = BTreeSet::new();
        let how = |made: &Made| match made {
            Made::Interpreted(_) => How::Interpreted,
            Made::Nothing => How::Nothing,
            Made::Function(id) => {
                let pointer = module.get_finalized_function(*id);
                // SAFETY: the function was defined with the signature of a location.
                #[allow(unsafe_code)]
                How::Native(unsafe { std::mem::transmute::<*const u8, LocationCode>(pointer) })
            }
        };
        let mut entries = Vec::new();
        for (moves, handshake, edges) in &made {
            match moves {
                Made::Interpreted(why) => {
                    coverage.interpreted += 1;
                    reasons.insert(*why);
                }
                _ => coverage.native += 1,
            }
            entries.push(Entry { moves: how(moves), handshake: how(handshake), edges: *edges });
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
        Ok(Code { entries, invariants, coverage, reasons, module: Some(module) })
    }
}

struct Compiler<'m> {
    machine: &'m Machine,
    facts: &'m Facts,
    module: JITModule,
    context: cranelift_codegen::Context,
    builder: FunctionBuilderContext,
    /// Instructions compiled so far.
    size: usize,
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
        })
    }

    fn signature(&self, params: &[Type], result: Option<Type>) -> Signature {
        let mut signature = self.module.make_signature();
        signature.params.extend(params.iter().map(|&ty| AbiParam::new(ty)));
        signature.returns.extend(result.map(AbiParam::new));
        signature
    }

    /// The code of a location.
    fn location(&mut self, ty: usize, location: usize, mode: Mode) -> Result<Made, JitError> {
        let proctype = &self.machine.proctypes[ty];
        let edges = &proctype.locations[location].edges;
        if mode == Mode::Handshake
            && !edges.iter().any(|edge| may_join(self.machine, edge.transition))
        {
            return Ok(Made::Nothing);
        }
        if self.machine.uses_priorities {
            return Ok(Made::Interpreted("priorities"));
        }
        if self.size > MAX_CODE {
            return Ok(Made::Interpreted("a very large model"));
        }
        let signature = self.signature(&[I64, I64, I64, I32, I64], None);
        self.function(signature, |compiler, mut b, callback| {
            let start = b.create_block();
            b.append_block_params_for_function_params(start);
            b.switch_to_block(start);
            let &[context, state, record, pid, mask] = b.block_params(start) else {
                return Err(Unsupported("a wrong signature"));
            };
            let params = [context, state, record, pid, mask];
            let machine = compiler.machine;
            let ty = Some(ty as u16);
            let mut e = Emitter::new(&mut b, machine, compiler.facts, ty, mode, params, callback);
            e.location(location)?;
            compiler.size += b.func.dfg.num_insts();
            if b.func.dfg.num_insts() > MAX_LOCATION {
                return Err(Unsupported("a very large location"));
            }
            b.seal_all_blocks();
            b.finalize(compiler.module.target_config());
            Ok(())
        })
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
        Ok(match made {
            Made::Function(id) => Some(id),
            _ => None,
        })
    }

    /// Defines a function, unless it has something that native code cannot do.
    fn function(
        &mut self,
        signature: Signature,
        make: impl FnOnce(&mut Self, FunctionBuilder<'_>, SigRef) -> Result<(), Unsupported>,
    ) -> Result<Made, JitError> {
        let mut context = std::mem::replace(&mut self.context, cranelift_codegen::Context::new());
        let mut builder = std::mem::take(&mut self.builder);
        context.func.signature = signature;
        let mut b = FunctionBuilder::new(&mut context.func, &mut builder);
        let callback = self.signature(&[I64, I64, I64, I64], Some(I64));
        let callback = b.import_signature(callback);
        if let Err(Unsupported(why)) = make(self, b, callback) {
            // The half-made function is thrown away.
            self.builder = FunctionBuilderContext::new();
            self.context = self.module.make_context();
            return Ok(Made::Interpreted(why));
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
        Ok(Made::Function(id))
    }
}

/// Whether a statement can have a part in a rendezvous as the receiver: it may receive, or it may
/// fail when it is tried.
fn may_join(machine: &Machine, transition: u32) -> bool {
    let statement = &machine.transitions[transition as usize];
    if statement.kind != TransitionKind::Code {
        return false;
    }
    match Flow::guard_ops(machine, statement.code) {
        None => true,
        Some(ops) => ops.iter().any(|op| {
            matches!(
                op,
                Op::ReceiveGuard { .. }
                    | Op::Bound { .. }
                    | Op::NonZero { .. }
                    | Op::Probe { .. }
                    | Op::Poll { .. }
                    | Op::Enabled { .. }
                    | Op::Done
            )
        }),
    }
}

impl Emitter<'_, '_, '_> {
    /// All moves of a process that is at a location.
    fn location(&mut self, location: usize) -> Result<(), Unsupported> {
        let Some(ty) = self.proctype else { return Err(Unsupported("no proctype")) };
        let machine = self.machine;
        let proctype = &machine.proctypes[usize::from(ty)];
        let edges = &proctype.locations[location].edges;
        let end = self.new_block();
        if let Some(provided) = proctype.provided {
            let mode = std::mem::replace(&mut self.mode, Mode::Moves);
            let value = self.expression(provided)?;
            self.mode = mode;
            let on = self.new_block();
            self.branch(value, on, end);
            self.go_on(on);
        }
        let (executable, escape) = (self.b.declare_var(I32), self.b.declare_var(I32));
        let zero = self.int(0);
        self.b.def_var(executable, zero);
        self.b.def_var(escape, zero);
        let escapes = edges.iter().any(|edge| edge.escape != 0);
        for edge in edges {
            if escapes {
                // Once a statement of an escape was executed, only those of this escape are.
                let taken = self.b.use_var(escape);
                let (check, on) = (self.new_block(), self.new_block());
                self.branch(taken, check, on);
                self.go_on(check);
                let mine = self.int(i32::from(edge.escape));
                let same = self.b.ins().icmp(IntCC::Equal, taken, mine);
                self.branch(same, on, end);
                self.go_on(on);
            }
            let (executed, skipped) = (self.new_block(), self.new_block());
            let transition = edge.transition;
            let statement = &machine.transitions[transition as usize];
            match statement.kind {
                TransitionKind::Else | TransitionKind::End if self.mode == Mode::Handshake => {
                    self.jump(skipped);
                }
                TransitionKind::Else => {
                    let before = self.b.use_var(executable);
                    let on = self.new_block();
                    self.branch(before, skipped, on);
                    self.go_on(on);
                    (self.asserts, self.runs) = (false, false);
                    self.begin_target();
                    self.finish(transition);
                    self.jump(executed);
                }
                TransitionKind::End => self.end(transition, executed, skipped),
                TransitionKind::Code => {
                    self.code(statement.code, Exits::Statement { transition, executed, skipped })?;
                }
            }
            self.go_on(executed);
            if proctype.deterministic && machine.is_choice(statement) {
                let before = self.b.use_var(executable);
                let (second, on) = (self.new_block(), self.new_block());
                self.b.set_cold_block(second);
                self.branch(before, second, on);
                self.go_on(second);
                let fault = (FaultKind::Nondeterminism as u32) << 24 | transition;
                let fault = self.int(fault as i32);
                self.fail(transition, fault);
                self.jump(on);
                self.go_on(on);
            }
            let one = self.int(1);
            self.b.def_var(executable, one);
            let mine = self.int(i32::from(edge.escape));
            self.b.def_var(escape, mine);
            self.jump(skipped);
            self.go_on(skipped);
        }
        self.jump(end);
        self.go_on(end);
        self.b.ins().return_(&[]);
        Ok(())
    }

    /// The youngest process ends.
    fn end(&mut self, transition: u32, executed: Block, skipped: Block) {
        let count = self.context_load(I64, at::PROCESS_COUNT);
        let wide = self.b.ins().uextend(I64, self.pid);
        let one = self.long(1);
        let next = self.b.ins().iadd(wide, one);
        let youngest = self.b.ins().icmp(IntCC::Equal, next, count);
        let on = self.new_block();
        self.branch(youngest, on, skipped);
        self.go_on(on);
        let target = self.context_load(I64, at::TARGET);
        let length = self.b.ins().isub(self.record, self.state);
        let two = self.long(2);
        let words = self.b.ins().ushr(length, two);
        self.copy_by_loop(target, words);
        if let Some(last) = self.machine.last {
            let offset = (self.machine.hidden_words + (last.bit >> 5)) as i32 * 4;
            let (source, state, pid) = (self.memory.source, self.state, self.pid);
            let old = self.load(I32, source, state, offset);
            let new = self.replace(old, last, pid);
            self.b.ins().store(self.memory.target, new, target, offset);
        }
        let all = self.long(u64::MAX);
        self.step(transition, target, Some(words), all);
        self.jump(executed);
    }

    /// The value of an expression; 0 if it cannot be evaluated.
    fn expression(&mut self, code: u32) -> Result<cranelift_codegen::ir::Value, Unsupported> {
        let block = self.new_block();
        let value = self.b.append_block_param(block, I32);
        self.phase = Phase::Guard;
        self.code(code, Exits::Value(block))?;
        self.go_on(block);
        Ok(value)
    }
}
