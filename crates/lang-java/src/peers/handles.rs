//! VarHandles: objects of a class of the virtual machine's own that know a field or a kind of array.

use super::access::{Location, Operation, canonical};
use super::{Args, Done, Peer, plain};
use crate::classfile::flags;
use crate::code::Type;
use crate::dynamic::{Site, type_of_class};
use crate::heap::LENGTH;
use crate::link::{Class, Kind, NewMethod};
use crate::vm::{Run, Worker};

/// The class of all handles.
const HANDLE_CLASS: &str = "everypath/Handle";

/// What lookups may see, as the library writes it.
const FULL_POWER: u32 = 95;
const PRIVATE_POWER: u32 = 31;
const UNCONDITIONAL: u32 = 32;

/// What a handle leads to.
const FIELD: u32 = 0;
const STATIC: u32 = 1;
const ARRAY: u32 = 2;
const VIEW: u32 = 3;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name) {
        ("java/lang/invoke/MethodHandles", "lookup" | "privateLookupIn" | "publicLookup") => {
            plain(lookup)
        }
        ("java/lang/invoke/ConstantBootstraps", "getStaticFinal")
            if descriptor.matches("Ljava/lang/Class;").count() == 2 =>
        {
            plain(static_final)
        }
        ("java/lang/invoke/MethodHandles$Lookup", "findVarHandle") => {
            Some(Peer { run: find_field, data: FIELD })
        }
        ("java/lang/invoke/MethodHandles$Lookup", "findStaticVarHandle") => {
            Some(Peer { run: find_field, data: STATIC })
        }
        ("java/lang/invoke/MethodHandles", "arrayElementVarHandle") => plain(|worker, args| {
            if args.word(0) == 0 {
                return Err(worker.null_pointer());
            }
            let class = worker.given_class(args.word(0))?;
            worker.new_handle([ARRAY, class.id, 0]).map(Done::Word)
        }),
        (
            "java/lang/invoke/VarHandle",
            "fullFence" | "acquireFence" | "releaseFence" | "loadLoadFence" | "storeStoreFence",
        ) => plain(|_, _| Ok(Done::Void)),
        ("java/lang/invoke/VarHandle", "varType") => plain(|worker, args| {
            let (kind, _) = worker.handle_types(args.word(0))?;
            worker.mirror_of_type(&kind).map(Done::Word)
        }),
        ("java/lang/invoke/VarHandle", "coordinateTypes") => plain(|worker, args| {
            let (_, coordinates) = worker.handle_types(args.word(0))?;
            let array = worker.mirrors(&coordinates)?;
            let list = worker.class("java/util/List")?;
            match list.declared("of", "([Ljava/lang/Object;)Ljava/util/List;") {
                Some(of) => Ok(Done::Call(of, vec![array])),
                None => worker.unsupported("this JDK: List without of"),
            }
        }),
        ("java/lang/invoke/MethodHandles", "byteArrayViewVarHandle") => plain(view),
        _ => None,
    }
}

/// What the library makes handles of; here they are made otherwise.
pub(super) fn is_machinery(class: &str) -> bool {
    let name = class.strip_prefix("java/lang/invoke/").unwrap_or("");
    let outer = name.split('$').next().unwrap_or("");
    matches!(
        outer,
        "LambdaForm"
            | "LambdaForms"
            | "LambdaFormBuffer"
            | "LambdaFormEditor"
            | "MethodHandleImpl"
            | "MethodHandleNatives"
            | "BoundMethodHandle"
            | "DelegatingMethodHandle"
            | "DirectMethodHandle"
            | "Invokers"
            | "InvokerBytecodeGenerator"
            | "InnerClassLambdaMetafactory"
            | "LambdaMetafactory"
            | "StringConcatFactory"
            | "CallSite"
            | "MutableCallSite"
            | "VolatileCallSite"
            | "ConstantCallSite"
            | "VarForm"
            | "VarHandles"
            | "IndirectVarHandle"
            | "SimpleMethodHandle"
            | "InfoFromMemberName"
    )
}

/// `ConstantBootstraps.getStaticFinal`: the value of a field as an object.
fn static_final(worker: &mut Worker, args: &Args) -> Run<Done> {
    if [1, 2, 3].into_iter().any(|index| args.word(index) == 0) {
        return Err(worker.null_pointer());
    }
    let name = worker.text_of(args.word(1))?;
    let wanted = type_of_class(worker.given_class(args.word(2))?);
    let owner = worker.given_class(args.word(3))?;
    let found = owner.field(&name).filter(|field| field.kind == wanted);
    let Some(field) = found else {
        let text = format!("no such field: {}.{name}", owner.get_name());
        return Err(worker.throw("java/lang/NoSuchFieldError", Some(&text)));
    };
    if !field.is(flags::STATIC) || !field.is(flags::FINAL) {
        let error = "java/lang/IncompatibleClassChangeError";
        return Err(worker.throw(error, Some("not a static final field")));
    }
    if !worker.initialise(field.class)? {
        return Ok(Done::Again);
    }
    match field.kind {
        Type::Primitive(kind) => {
            let high = if field.wide() { worker.get_static(field, 1) } else { 0 };
            let bits = u64::from(worker.get_static(field, 0)) | u64::from(high) << 32;
            worker.boxed(kind, bits)
        }
        Type::Reference(_) => Ok(Done::Word(worker.get_static(field, 0))),
    }
}

/// A handle to numbers in an array of bytes.
fn view(worker: &mut Worker, args: &Args) -> Run<Done> {
    if args.word(0) == 0 || args.word(1) == 0 {
        return Err(worker.null_pointer());
    }
    let class = worker.given_class(args.word(0))?;
    let big = worker.class("java/nio/ByteOrder")?;
    let big = worker.get_static(worker.library_field(big, "BIG_ENDIAN")?, 0);
    let swapped = u32::from(args.word(1) == big);
    worker.new_handle([VIEW, class.id, swapped]).map(Done::Word)
}

/// A lookup knows the class that asks for it; the library's own see everything.
fn lookup(worker: &mut Worker, args: &Args) -> Run<Done> {
    let caller = worker.top.method.class;
    if caller.library {
        return worker.fixed("java/lang/invoke/MethodHandles$Lookup", "lookup").map(Done::Word);
    }
    let class = worker.class("java/lang/invoke/MethodHandles$Lookup")?;
    let (seen, modes) = match &*args.method.name {
        "lookup" => (worker.mirror(caller)?, FULL_POWER),
        "privateLookupIn" => (args.word(0), PRIVATE_POWER),
        _ => {
            let object = worker.class("java/lang/Object")?;
            (worker.mirror(object)?, UNCONDITIONAL)
        }
    };
    if seen == 0 {
        return Err(worker.null_pointer());
    }
    let target = worker.mirrored(seen);
    if &*args.method.name == "privateLookupIn" && target.library {
        let package = target.name.rsplit_once('/').map_or("", |(name, _)| name).replace('/', ".");
        let text = format!("module java.base does not open {package} to unnamed module");
        return Err(worker.throw("java/lang/IllegalAccessException", Some(&text)));
    }
    worker.initialise_library(class)?;
    let lookup = worker.new_instance(class)?;
    for (field, value) in [("lookupClass", seen), ("allowedModes", modes)] {
        let slot = worker.library_field(class, field)?.slot;
        worker.set(lookup, slot, value);
    }
    Ok(Done::Word(lookup))
}

fn find_field(worker: &mut Worker, args: &Args) -> Run<Done> {
    if args.word(1) == 0 || args.word(2) == 0 {
        return Err(worker.null_pointer());
    }
    let class = worker.given_class(args.word(1))?;
    let name = worker.text_of(args.word(2))?;
    let wanted = match args.word(3) {
        0 => return Err(worker.null_pointer()),
        mirror => type_of_class(worker.mirrored(mirror)),
    };
    match class.field(&name).filter(|field| field.kind == wanted) {
        Some(field) if field.is(flags::STATIC) == (args.data == STATIC) => {
            if args.data == STATIC && !worker.initialise(field.class)? {
                return Ok(Done::Again);
            }
            let index = field.class.linked().fields.iter().position(|f| std::ptr::eq(*f, field));
            worker
                .new_handle([args.data, field.class.id, index.unwrap_or(0) as u32])
                .map(Done::Word)
        }
        Some(_) => {
            let expected = if args.data == STATIC { "static" } else { "non-static" };
            let text = format!("expected a {expected} field: {}.{name}", class.get_name());
            Err(worker.throw("java/lang/IllegalAccessException", Some(&text)))
        }
        None => {
            let access = if args.data == STATIC { "getStatic" } else { "getField" };
            let kind = wanted.java();
            let kind = kind.rsplit(['.', '$']).next().unwrap_or("");
            let text = format!("no such field: {}.{name}/{kind}/{access}", class.get_name());
            Err(worker.throw("java/lang/NoSuchFieldException", Some(&text)))
        }
    }
}

impl Worker {
    fn handle_class(&mut self) -> Run<&'static Class> {
        let parent = self.class("java/lang/invoke/VarHandle")?;
        let fields = ["target", "owner", "index"].map(|name| (name.to_owned(), "I".to_owned()));
        let methods = ["withInvokeExactBehavior", "withInvokeBehavior"].map(|name| NewMethod {
            name: name.to_owned(),
            descriptor: "()Ljava/lang/invoke/VarHandle;".to_owned(),
            flags: flags::PUBLIC | flags::NATIVE,
        });
        let registry = &self.vm.registry;
        let defined =
            registry.define(HANDLE_CLASS, parent, Vec::new(), &fields, methods.into(), Vec::new());
        let class = defined.map_err(|error| self.load_failure(error))?;
        for method in &class.linked().methods {
            method.peer.get_or_init(|| plain(|_, args| Ok(Done::Word(args.word(0)))));
        }
        Ok(class)
    }

    fn new_handle(&mut self, parts: [u32; 3]) -> Run<u32> {
        let class = self.handle_class()?;
        let handle = self.new_instance(class)?;
        for (field, part) in class.linked().fields.iter().zip(parts) {
            self.set(handle, field.slot, part);
        }
        Ok(handle)
    }

    fn handle_parts(&self, handle: u32) -> Run<[u32; 3]> {
        if &*self.class_of(handle).name != HANDLE_CLASS {
            return self.unsupported("a VarHandle of an unknown kind");
        }
        let fields = &self.class_of(handle).linked().fields;
        Ok([0, 1, 2].map(|index: usize| self.get(handle, fields[index].slot)))
    }

    /// The type of what a handle leads to, and the types of what it takes to get there.
    fn handle_types(&mut self, handle: u32) -> Run<(Type, Vec<Type>)> {
        let parts = self.handle_parts(handle)?;
        let owner = self.vm.registry.class_of(parts[1]);
        let element =
            |class: &'static Class| class.element().map_or(Type::Primitive(b'V'), type_of_class);
        let int = Type::Primitive(b'I');
        Ok(match parts[0] {
            ARRAY => (element(owner), vec![type_of_class(owner), int]),
            VIEW => (element(owner), vec![Type::Reference("[B".into()), int]),
            target => {
                let field = owner.linked().fields[parts[2] as usize];
                let coordinates =
                    if target == STATIC { Vec::new() } else { vec![type_of_class(owner)] };
                (field.kind.clone(), coordinates)
            }
        })
    }

    /// Calls a method of a handle; its arguments are on the stack.
    pub fn call_handle(&mut self, site: &'static Site) -> Run<()> {
        let (operation, descriptor) = match site {
            Site::Handle { operation, weak, descriptor } => ((*operation, *weak), descriptor),
            Site::Invoke { exact, text, descriptor } => {
                return self.call_method_handle(*exact, text, descriptor);
            }
            _ => return self.unsupported("a call of an unknown kind"),
        };
        let start = self.top.sp - descriptor.words - 1;
        let words: Vec<u32> = self.stack[start..self.top.sp].to_vec();
        let done = self.handle(operation, descriptor, &words)?;
        self.finish_call(start, done)
    }

    fn handle(
        &mut self,
        (operation, weak): (Operation, bool),
        descriptor: &crate::code::Descriptor,
        words: &[u32],
    ) -> Run<Done> {
        let handle = words[0];
        if handle == 0 {
            return Err(self.null_pointer());
        }
        let parts = self.handle_parts(handle)?;
        let owner = self.vm.registry.class_of(parts[1]);
        let mut at = 1;
        let mut parameters = descriptor.parameters.iter();
        let mut coordinate = |wanted: &str| -> Result<u32, String> {
            let kind = parameters.next().ok_or_else(|| wanted.to_owned())?;
            let word = words[at];
            at += kind.words();
            Ok(word)
        };
        let wrong = "the arguments do not fit the handle".to_owned();
        let mut swap = false;
        let (location, kind) = match parts[0] {
            ARRAY => {
                let (Ok(array), Ok(index)) = (coordinate("array"), coordinate("index")) else {
                    return self.wrong_type(&wrong);
                };
                if array == 0 {
                    return Err(self.null_pointer());
                }
                if !self.class_of(array).is_subtype_of(owner) {
                    return Err(self.class_cast(array, owner));
                }
                let length = self.get(array, LENGTH);
                if index >= length {
                    return Err(self.out_of_bounds(index as i32, length));
                }
                let kind = match owner.kind {
                    Kind::Array(Class { kind: Kind::Primitive(kind), .. }) => *kind,
                    _ => b'L',
                };
                (Location::Element(array, index * owner.element_bytes()), kind)
            }
            VIEW => {
                let (Ok(array), Ok(index)) = (coordinate("array"), coordinate("index")) else {
                    return self.wrong_type(&wrong);
                };
                if array == 0 {
                    return Err(self.null_pointer());
                }
                let kind = match owner.kind {
                    Kind::Array(Class { kind: Kind::Primitive(kind), .. }) => *kind,
                    _ => return self.wrong_type(&wrong),
                };
                let (length, size) = (self.get(array, LENGTH), owner.element_bytes());
                if index as i32 as i64 > i64::from(length) - i64::from(size) || (index as i32) < 0 {
                    let length = i64::from(length) - i64::from(size) + 1;
                    let text = format!("Index {} out of bounds for length {length}", index as i32);
                    let class = "java/lang/IndexOutOfBoundsException";
                    return Err(self.throw(class, Some(&text)));
                }
                if operation != Operation::Get && operation != Operation::Set {
                    return self.unsupported("an atomic operation on a view of bytes");
                }
                swap = parts[2] == 1;
                (Location::Element(array, index), kind)
            }
            target => {
                let field = owner.linked().fields[parts[2] as usize];
                let kind = match field.kind {
                    Type::Primitive(kind) => kind,
                    Type::Reference(_) => b'L',
                };
                if field.is(flags::FINAL) && operation != Operation::Get {
                    return Err(self.throw("java/lang/UnsupportedOperationException", None));
                }
                if target == STATIC {
                    (Location::Static(owner, field.slot), kind)
                } else {
                    let Ok(object) = coordinate("object") else { return self.wrong_type(&wrong) };
                    if object == 0 {
                        return Err(self.null_pointer());
                    }
                    if !self.class_of(object).is_subtype_of(owner) {
                        return Err(self.class_cast(object, owner));
                    }
                    (Location::Field(object, field.slot), kind)
                }
            }
        };
        let (variable, _) = self.handle_types(handle)?;
        let mut values = [0u64; 2];
        let mut count = 0;
        for parameter in parameters {
            if count == 2 {
                return self.wrong_type(&wrong);
            }
            let word = u64::from(words[at]);
            let bits =
                if parameter.words() == 2 { word | u64::from(words[at + 1]) << 32 } else { word };
            if !self.is_convertible(parameter, &variable)? {
                return self.wrong_type(&wrong);
            }
            let bits = match (parameter, kind) {
                (Type::Reference(_), b'L') if bits != 0 => {
                    if let Type::Reference(name) = &variable {
                        let class = self.class(name)?;
                        if !self.class_of(bits as u32).is_subtype_of(class) {
                            return Err(self.class_cast(bits as u32, class));
                        }
                    }
                    Some(bits)
                }
                (Type::Primitive(given), b'L') => Some(u64::from(self.box_now(*given, bits)?)),
                (Type::Reference(_), kind) if kind != b'L' => {
                    if bits == 0 {
                        return Err(self.null_pointer());
                    }
                    let given = self.unbox(bits as u32)?;
                    let fits =
                        given.and_then(|(from, bits)| widen(&Type::Primitive(from), kind, bits));
                    if fits.is_none() {
                        let wanted = self.class(crate::dynamic::wrapper(kind).0)?;
                        return Err(self.class_cast(bits as u32, wanted));
                    }
                    fits
                }
                _ => widen(parameter, kind, bits),
            };
            let Some(bits) = bits else {
                return self.wrong_type(&wrong);
            };
            values[count] = if swap { swapped(kind, bits) } else { bits };
            count += 1;
            at += parameter.words();
        }
        let wanted = match operation {
            Operation::Get => 0,
            Operation::CompareAndSet
            | Operation::WeakCompareAndSet
            | Operation::CompareAndExchange => 2,
            _ => 1,
        };
        if count != wanted {
            return self.wrong_type(&wrong);
        }
        self.note_order(location, weak)?;
        let result = self.operate(operation, location, kind, (values[0], values[1]), false)?;
        let result = if swap { swapped(kind, result) } else { result };
        let sets = matches!(operation, Operation::CompareAndSet | Operation::WeakCompareAndSet);
        let given = if sets { b'Z' } else { kind };
        Ok(match &descriptor.result {
            Type::Primitive(b'V') => Done::Void,
            Type::Primitive(wanted) => {
                let unboxed = if given == b'L' {
                    if result == 0 {
                        return Err(self.null_pointer());
                    }
                    self.unbox(result as u32)?
                } else {
                    Some((given, result))
                };
                let Some((from, result)) = unboxed else {
                    let wanted = self.class(crate::dynamic::wrapper(*wanted).0)?;
                    return Err(self.class_cast(result as u32, wanted));
                };
                match widen(&Type::Primitive(from), *wanted, result) {
                    Some(bits) if matches!(wanted, b'J' | b'D') => Done::Long(bits),
                    Some(bits) => Done::Word(bits as u32),
                    None => return self.wrong_type(&wrong),
                }
            }
            Type::Reference(_) if given == b'L' => Done::Word(result as u32),
            Type::Reference(_) => Done::Word(self.box_now(given, result)?),
        })
    }

    fn wrong_type<T>(&mut self, text: &str) -> Run<T> {
        Err(self.throw("java/lang/invoke/WrongMethodTypeException", Some(text)))
    }
}

/// A number with its bytes in the other order.
fn swapped(kind: u8, bits: u64) -> u64 {
    canonical(
        kind,
        match kind {
            b'C' | b'S' => u64::from((bits as u16).swap_bytes()),
            b'J' | b'D' => bits.swap_bytes(),
            _ => u64::from((bits as u32).swap_bytes()),
        },
    )
}

/// A value of one type as one of another, if that needs no loss.
fn widen(from: &Type, to: u8, bits: u64) -> Option<u64> {
    let Type::Primitive(from) = from else { return (to == b'L').then_some(bits) };
    if *from == to {
        return Some(canonical(to, bits));
    }
    let int = bits as u32 as i32;
    match (from, to) {
        (b'B', b'S') | (b'B' | b'S' | b'C', b'I') => Some(bits),
        (b'B' | b'S' | b'C' | b'I', b'J') => Some(i64::from(int) as u64),
        (b'B' | b'S' | b'C' | b'I', b'F') => Some(u64::from((int as f32).to_bits())),
        (b'B' | b'S' | b'C' | b'I', b'D') => Some(f64::from(int).to_bits()),
        (b'J', b'F') => Some(u64::from((bits as i64 as f32).to_bits())),
        (b'J', b'D') => Some((bits as i64 as f64).to_bits()),
        (b'F', b'D') => Some(f64::from(f32::from_bits(bits as u32)).to_bits()),
        _ => None,
    }
}
