//! jdk.internal.misc.Unsafe.

use everypath_model::Access;

use super::access::{Location, Operation, is_weak, size};
use super::{Args, Done, Peer, plain};
use crate::classfile::flags;
use crate::code::Type;
use crate::vm::{Run, Status, Thing, Trap, Worker, header};

/// Where arrays begin, and what tells offsets of statics.
pub(super) const ARRAY_BASE: u64 = 16;
const STATIC: u64 = 1 << 40;

pub(crate) fn field_offset(slot: u32, is_static: bool) -> u64 {
    (12 + 8 * u64::from(slot)) | if is_static { STATIC } else { 0 }
}

pub(super) fn find(name: &str, descriptor: &str) -> Option<Peer> {
    if let Some(data) = accessor(name, descriptor) {
        return Some(Peer { run: access, data });
    }
    match name {
        "park" => plain(park),
        "unpark" => plain(unpark),
        "loadFence" | "storeFence" | "fullFence" | "loadLoadFence" | "storeStoreFence" => {
            plain(|_, _| Ok(Done::Void))
        }
        "objectFieldOffset" if descriptor.starts_with("(Ljava/lang/Class;") => {
            plain(|worker, args| {
                let class = worker.given_class(args.word(1))?;
                let name = worker.text_of(args.word(2))?;
                match class.declared_field(&name) {
                    Some(field) => Ok(Done::Long(field_offset(field.slot, false))),
                    None => Err(worker.throw("java/lang/InternalError", Some(&name))),
                }
            })
        }
        "objectFieldOffset" | "objectFieldOffset0" | "staticFieldOffset" | "staticFieldOffset0" => {
            plain(|worker, args| match args.word(1) {
                0 => Err(worker.null_pointer()),
                object => {
                    let field = worker.reflected_field(object)?;
                    Ok(Done::Long(field_offset(field.slot, field.is(flags::STATIC))))
                }
            })
        }
        "staticFieldBase" | "staticFieldBase0" => plain(|worker, args| match args.word(1) {
            0 => Err(worker.null_pointer()),
            object => {
                let field = worker.reflected_field(object)?;
                worker.mirror(field.class).map(Done::Word)
            }
        }),
        "arrayBaseOffset" | "arrayBaseOffset0" => plain(|worker, args| {
            worker.given_class(args.word(1))?;
            Ok(Done::Word(ARRAY_BASE as u32))
        }),
        "arrayIndexScale" | "arrayIndexScale0" => {
            plain(|worker, args| Ok(Done::Word(worker.given_class(args.word(1))?.element_bytes())))
        }
        "addressSize" => plain(|_, _| Ok(Done::Word(8))),
        "pageSize" => plain(|_, _| Ok(Done::Word(4096))),
        "isBigEndian" => plain(|_, _| Ok(Done::bool(false))),
        "unalignedAccess" => plain(|_, _| Ok(Done::bool(true))),
        "allocateInstance" => plain(|worker, args| {
            let class = worker.given_class(args.word(1))?;
            if !worker.initialise(class)? {
                return Ok(Done::Again);
            }
            worker.new_instance(class).map(Done::Word)
        }),
        "allocateUninitializedArray" => plain(|worker, args| {
            let element = worker.given_class(args.word(1))?;
            let class = worker.vm.registry.array_of(element);
            let class = class.map_err(|error| worker.load_failure(error))?;
            worker.new_array(class, args.int(2)).map(Done::Word)
        }),
        "ensureClassInitialized" | "ensureClassInitialized0" => plain(|worker, args| {
            let class = worker.given_class(args.word(1))?;
            Ok(if worker.initialise(class)? { Done::Void } else { Done::Again })
        }),
        "shouldBeInitialized" | "shouldBeInitialized0" => plain(|_, _| Ok(Done::bool(false))),
        "copyMemory0" | "copySwapMemory0" => plain(copy_memory),
        "throwException" => plain(|worker, args| match args.word(1) {
            0 => Err(worker.null_pointer()),
            exception => Err(Trap::Throw(exception)),
        }),
        _ => None,
    }
}

const OPERATIONS: [Operation; 10] = [
    Operation::Get,
    Operation::Set,
    Operation::CompareAndSet,
    Operation::WeakCompareAndSet,
    Operation::CompareAndExchange,
    Operation::GetAndSet,
    Operation::GetAndAdd,
    Operation::GetAndOr,
    Operation::GetAndAnd,
    Operation::GetAndXor,
];

/// Operation and type of a method such as `compareAndSetInt`, packed.
fn accessor(name: &str, descriptor: &str) -> Option<u32> {
    if !descriptor.starts_with("(Ljava/lang/Object;J")
        || descriptor.contains("Z)") && name.contains("Unaligned")
    {
        return None;
    }
    let strengths = ["Volatile", "Acquire", "Release", "Opaque", "Plain", "Unaligned"];
    let name = strengths.iter().find_map(|strength| name.strip_suffix(strength)).unwrap_or(name);
    let kinds = [
        ("Int", b'I'),
        ("Long", b'J'),
        ("Reference", b'L'),
        ("Object", b'L'),
        ("Boolean", b'Z'),
        ("Byte", b'B'),
        ("Short", b'S'),
        ("Char", b'C'),
        ("Float", b'F'),
        ("Double", b'D'),
    ];
    let (name, kind) = kinds
        .iter()
        .find_map(|&(suffix, kind)| name.strip_suffix(suffix).map(|name| (name, kind)))?;
    let operation = Operation::of(name)?;
    let index = OPERATIONS.iter().position(|&known| known == operation)?;
    Some((index as u32) << 8 | u32::from(kind))
}

/// What an offset in an object means; only whole fields and elements, or bytes of arrays of numbers, have a meaning.
fn location(worker: &Worker, object: u32, offset: u64, kind: u8) -> Option<Location> {
    let class = worker.class_of(object);
    let reference = kind == b'L';
    if class.element().is_some() {
        let byte = offset.checked_sub(ARRAY_BASE)?;
        let end = byte.checked_add(u64::from(size(kind)))?;
        let fits = end <= u64::from(worker.array_bytes(object))
            && reference == class.has_reference_elements()
            && (!reference || byte.is_multiple_of(u64::from(size(kind))));
        return fits.then_some(Location::Element(object, byte as u32));
    }
    let is_static = offset >> STATIC.trailing_zeros() == 1;
    let owner = match is_static {
        true if &*class.name == "java/lang/Class" => worker.mirrored(object),
        true => return None,
        false => class,
    };
    let place = (if is_static { offset - STATIC } else { offset }).checked_sub(12)?;
    let slot = u32::try_from(place / 8).ok().filter(|_| place.is_multiple_of(8))?;
    let field = owner.field_in(slot, is_static)?;
    let declared = match field.descriptor.as_bytes() {
        [b'L' | b'[', ..] => b'L',
        other => other[0],
    };
    let fits = size(declared) == size(kind) && reference == (declared == b'L');
    fits.then_some(match is_static {
        true => Location::Static(owner, slot),
        false => Location::Field(object, slot),
    })
}

fn access(worker: &mut Worker, args: &Args) -> Run<Done> {
    let (operation, kind) = (OPERATIONS[(args.data >> 8) as usize], args.data as u8);
    let (object, offset) = (args.word(1), args.long(2));
    let (object, offset) = match object {
        0 => {
            let (array, byte) = worker.at_address(offset)?;
            (array, ARRAY_BASE + u64::from(byte))
        }
        object => (object, offset),
    };
    let Some(location) = location(worker, object, offset, kind) else {
        return worker.unsupported("an access by Unsafe that is not one to a field or an element");
    };
    let wide = matches!(kind, b'J' | b'D');
    let value = |index: usize| {
        if wide { args.long(index) } else { u64::from(args.word(index)) }
    };
    let first = if operation == Operation::Get { 0 } else { value(4) };
    let second = match operation {
        Operation::CompareAndSet | Operation::WeakCompareAndSet | Operation::CompareAndExchange => {
            value(if wide { 6 } else { 5 })
        }
        _ => 0,
    };
    // Seeds and probes are only the thread's own business; so is what it is parked for, unless somebody looks.
    let mut own = object == worker.thread(worker.current, header::OBJECT)
        && matches!(operation, Operation::Get | Operation::Set);
    if let Location::Field(object, slot) = location
        && worker.class_of(object).field("parkBlocker").is_some_and(|field| field.slot == slot)
    {
        if !own && worker.is_shared(object) {
            worker.note_look()?;
            own = true;
        } else {
            own &= !worker.vm.rules.somebody_looks();
        }
    }
    if !own && worker.is_reflected() {
        // An ordinary access, and what is assumed of those is assumed of this one.
        worker.access_reflected(location, operation != Operation::Get)?;
        own = true;
    }
    if !own {
        let strong = args.method.name.ends_with("Volatile")
            || !matches!(operation, Operation::Get | Operation::Set);
        let weak = !strong || is_weak(&args.method.name);
        worker.note_order(location, weak)?;
    }
    let result = worker.operate(operation, location, kind, (first, second), own)?;
    Ok(match args.method.descriptor.result {
        Type::Primitive(b'V') => Done::Void,
        Type::Primitive(b'J' | b'D') => Done::Long(result),
        _ => Done::Word(result as u32),
    })
}

/// Copies bytes between arrays, those of each element in reverse order if a size of elements is given.
fn copy_memory(worker: &mut Worker, args: &Args) -> Run<Done> {
    let mut place = |object: u32, offset: u64| -> Run<(u32, u64)> {
        if object != 0 {
            return Ok((object, offset));
        }
        let (array, byte) = worker.at_address(offset)?;
        Ok((array, ARRAY_BASE + u64::from(byte)))
    };
    let (from, at) = place(args.word(1), args.long(2))?;
    let (to, into) = place(args.word(4), args.long(5))?;
    let count = args.long(7);
    let inside = |worker: &Worker, array: u32, offset: u64| {
        array != 0
            && worker.class_of(array).element().is_some()
            && !worker.class_of(array).has_reference_elements()
            && offset
                .checked_sub(ARRAY_BASE)
                .and_then(|start| start.checked_add(count))
                .is_some_and(|end| end <= u64::from(worker.array_bytes(array)))
    };
    if count > u64::from(u32::MAX) || !inside(worker, from, at) || !inside(worker, to, into) {
        return worker.unsupported("memory outside of arrays");
    }
    worker.touch(to)?;
    let place = worker.heap.place(&worker.vm.base, from);
    let start = (at - ARRAY_BASE) as u32;
    let bytes: Vec<u8> = (0..count as u32).map(|i| worker.load_byte(place, start + i)).collect();
    let size = if &*args.method.name == "copySwapMemory0" { args.long(9) as usize } else { 1 };
    let mut target = (into - ARRAY_BASE) as u32;
    for element in bytes.chunks(size.max(1)) {
        for &byte in element.iter().rev() {
            worker.store_byte(to, target, byte);
            target += 1;
        }
    }
    Ok(Done::Void)
}

fn park(worker: &mut Worker, args: &Args) -> Run<Done> {
    let timed = args.word(1) != 0 || args.long(2) != 0;
    let status = if timed { Status::TimedPark } else { Status::Park };
    worker.rests(status)?;
    if std::mem::take(&mut worker.wakes) {
        return worker.unpark_unreasoned();
    }
    worker.note_waits();
    let permitted = worker.has_permit(worker.current) && worker.in_region();
    if !worker.alone && !worker.fresh && !permitted {
        if worker.in_region() {
            worker.note_touch(Thing::Permit(worker.current), Access::Read);
        }
        worker.set_status(status, 0);
        return Err(Trap::Pause);
    }
    let current = worker.current;
    let access = if worker.has_permit(current) { Access::Write } else { Access::Read };
    worker.note_touch(Thing::Permit(current), access);
    worker.touch_interrupt(current, false);
    if worker.has_permit(current) {
        worker.set_permit(current, false);
    } else if !worker.is_interrupted(current)? {
        if !timed {
            worker.set_status(status, 0);
            return Err(Trap::Pause);
        }
        // The time is over: as much as was asked for, or up to a moment in milliseconds.
        let time = args.long(2);
        let absolute = time.saturating_sub(super::system::MILLISECONDS).saturating_mul(1_000_000);
        let later = absolute.saturating_sub(worker.passed());
        let nanoseconds = if args.word(1) != 0 { later } else { time };
        worker.ran_out = Some((nanoseconds, "Unsafe.park"));
        worker.pass_in_vain(nanoseconds)?;
    }
    worker.fresh = false;
    Ok(Done::Void)
}

fn unpark(worker: &mut Worker, args: &Args) -> Run<Done> {
    let object = args.word(1);
    if object == 0 {
        return Ok(Done::Void);
    }
    worker.stops()?;
    worker.touch_life(object, false);
    if let Some(thread) = worker.thread_of(object) {
        worker.note_touch(Thing::Permit(thread), Access::Add);
        worker.set_permit(thread, true);
    }
    Ok(Done::Void)
}
