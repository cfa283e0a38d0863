//! VarHandles: objects of a class of the virtual machine's own that know a field or a kind of array.

use super::access::{Location, Operation, canonical};
use super::{Args, Done, Peer, plain};
use crate::classfile::flags;
use crate::code::Type;
use crate::dynamic::Site;
use crate::heap::LENGTH;
use crate::link::{Class, Kind};
use crate::vm::{Run, Worker};

/// The class of all handles.
const HANDLE_CLASS: &str = "everypath/Handle";

/// What a handle leads to.
const FIELD: u32 = 0;
const STATIC: u32 = 1;
const ARRAY: u32 = 2;

pub(super) fn find(class: &str, name: &str, _descriptor: &str) -> Option<Peer> {
    match (class, name) {
        ("java/lang/invoke/MethodHandles", "lookup" | "privateLookupIn" | "publicLookup") => {
            plain(|worker, _| {
                worker.fixed("java/lang/invoke/MethodHandles$Lookup", "lookup").map(Done::Word)
            })
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
            let class = worker.mirrored(args.word(0));
            worker.new_handle([ARRAY, class.id, 0]).map(Done::Word)
        }),
        (
            "java/lang/invoke/VarHandle",
            "fullFence" | "acquireFence" | "releaseFence" | "loadLoadFence" | "storeStoreFence",
        ) => plain(|_, _| Ok(Done::Void)),
        ("java/lang/invoke/VarHandle", "withInvokeExactBehavior" | "withInvokeBehavior") => {
            plain(|_, args| Ok(Done::Word(args.word(0))))
        }
        _ => None,
    }
}

fn find_field(worker: &mut Worker, args: &Args) -> Run<Done> {
    if args.word(1) == 0 || args.word(2) == 0 {
        return Err(worker.null_pointer());
    }
    let class = worker.mirrored(args.word(1));
    let name = worker.text_of(args.word(2))?;
    match class.field(&name) {
        Some(field) if field.is(flags::STATIC) == (args.data == STATIC) => {
            if args.data == STATIC && !worker.initialise(field.class)? {
                return Ok(Done::Again);
            }
            let index = field.class.linked().fields.iter().position(|f| std::ptr::eq(*f, field));
            worker
                .new_handle([args.data, field.class.id, index.unwrap_or(0) as u32])
                .map(Done::Word)
        }
        _ => {
            let text = format!("no such field: {}.{name}", class.get_name());
            Err(worker.throw("java/lang/NoSuchFieldException", Some(&text)))
        }
    }
}

impl Worker {
    fn handle_class(&mut self) -> Run<&'static Class> {
        let parent = self.class("java/lang/invoke/VarHandle")?;
        let fields = ["target", "owner", "index"].map(|name| (name.to_owned(), "I".to_owned()));
        let registry = &self.vm.registry;
        let defined =
            registry.define(HANDLE_CLASS, parent, Vec::new(), &fields, Vec::new(), Vec::new());
        defined.map_err(|error| self.load_failure(error))
    }

    fn new_handle(&mut self, parts: [u32; 3]) -> Run<u32> {
        let class = self.handle_class()?;
        let handle = self.new_instance(class)?;
        for (field, part) in class.linked().fields.iter().zip(parts) {
            self.set(handle, field.slot, part);
        }
        Ok(handle)
    }

    /// Calls a method of a handle; its arguments are on the stack.
    pub fn call_handle(&mut self, site: &'static Site) -> Run<()> {
        let Site::Handle { operation, descriptor } = site else {
            return self.unsupported("a call of an unknown kind");
        };
        let start = self.top.sp - descriptor.words - 1;
        let words: Vec<u32> = self.stack[start..self.top.sp].to_vec();
        let done = self.handle(*operation, descriptor, &words)?;
        self.finish_call(start, done)
    }

    fn handle(
        &mut self,
        operation: Operation,
        descriptor: &crate::code::Descriptor,
        words: &[u32],
    ) -> Run<Done> {
        let handle = words[0];
        if handle == 0 {
            return Err(self.null_pointer());
        }
        if &*self.class_of(handle).name != HANDLE_CLASS {
            return self.unsupported("a VarHandle of an unknown kind");
        }
        let parts = [0, 1, 2].map(|i| {
            let slot = self.class_of(handle).linked().fields[i].slot;
            self.get(handle, slot)
        });
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
        let mut values = [0u64; 2];
        let mut count = 0;
        for parameter in parameters {
            if count == 2 {
                return self.wrong_type(&wrong);
            }
            let word = u64::from(words[at]);
            let bits =
                if parameter.words() == 2 { word | u64::from(words[at + 1]) << 32 } else { word };
            let Some(bits) = widen(parameter, kind, bits) else {
                return self.wrong_type(&wrong);
            };
            values[count] = bits;
            count += 1;
            at += parameter.words();
        }
        let wanted = match operation {
            Operation::Get => 0,
            Operation::CompareAndSet | Operation::CompareAndExchange => 2,
            _ => 1,
        };
        if count != wanted {
            return self.wrong_type(&wrong);
        }
        let result = self.operate(operation, location, kind, (values[0], values[1]), false)?;
        let given = if operation == Operation::CompareAndSet { b'Z' } else { kind };
        Ok(match &descriptor.result {
            Type::Primitive(b'V') => Done::Void,
            Type::Primitive(wanted) => {
                let from = if given == b'L' {
                    return self.wrong_type(&wrong);
                } else {
                    Type::Primitive(given)
                };
                match widen(&from, *wanted, result) {
                    Some(bits) if matches!(wanted, b'J' | b'D') => Done::Long(bits),
                    Some(bits) => Done::Word(bits as u32),
                    None => return self.wrong_type(&wrong),
                }
            }
            Type::Reference(_) if given == b'L' => Done::Word(result as u32),
            Type::Reference(_) => return self.unsupported("boxing the result of a VarHandle"),
        })
    }

    fn wrong_type<T>(&mut self, text: &str) -> Run<T> {
        Err(self.throw("java/lang/invoke/WrongMethodTypeException", Some(text)))
    }
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
