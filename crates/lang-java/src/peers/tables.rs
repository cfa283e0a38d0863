//! Hash tables whose elements somebody goes through: their order may depend on what the outside decides.

use super::{Done, Peer, plain};
use crate::vm::{Outside, Run, Worker};

const NEVER_TWICE: &str = "the order of Set.of or Map.of";

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    // Each of them goes on with its own code.
    match (class, name) {
        ("java/util/HashMap$HashIterator" | "java/util/HashMap$HashMapSpliterator", "<init>") => {
            plain(|worker, args| own_table(worker, args.word(1)))
        }
        (
            "java/util/HashMap",
            "forEach" | "replaceAll" | "keysToArray" | "valuesToArray" | "toArray",
        ) => plain(|worker, args| own_table(worker, args.word(0))),
        (
            "java/util/HashMap$KeySet" | "java/util/HashMap$Values" | "java/util/HashMap$EntrySet",
            "forEach",
        ) => plain(|worker, args| {
            let map = worker.field_of(args.word(0), "this$0")?;
            let map = worker.get(args.word(0), map.slot);
            own_table(worker, map)
        }),
        ("java/util/Hashtable$Enumerator" | "java/util/WeakHashMap$HashIterator", "<init>") => {
            plain(|worker, args| own_table(worker, args.word(1)))
        }
        ("java/util/Hashtable", "forEach") => plain(|worker, args| own_table(worker, args.word(0))),
        ("java/util/concurrent/ConcurrentHashMap$Traverser", "<init>") => {
            plain(|worker, args| table(worker, args.word(1)))
        }
        ("java/util/IdentityHashMap$IdentityHashMapIterator", "<init>") => {
            plain(|worker, args| identities(worker, args.word(1)))
        }
        ("java/util/IdentityHashMap", "forEach") => {
            plain(|worker, args| identities(worker, args.word(0)))
        }
        ("java/util/ImmutableCollections$SetN$SetNIterator", "<init>") => {
            plain(|worker, args| salted(worker, args.word(1), "elements", 1))
        }
        ("java/util/ImmutableCollections$MapN$MapNIterator", "<init>") => {
            plain(|worker, args| salted(worker, args.word(1), "table", 2))
        }
        ("java/util/ImmutableCollections$SetN", "toArray") => {
            plain(|worker, args| salted(worker, args.word(0), "elements", 1))
        }
        ("java/util/ImmutableCollections$Set12", "iterator" | "toArray")
            if !descriptor.ends_with("V") =>
        {
            plain(|worker, args| {
                let element = |worker: &mut Worker, name: &str| {
                    worker
                        .field_of(args.word(0), name)
                        .map(|field| worker.get(args.word(0), field.slot))
                };
                let (first, second) = (element(worker, "e0")?, element(worker, "e1")?);
                // A set of one has a mark of the class there.
                let one = second == 0 || &*worker.class_of(second).name == "java/lang/Object";
                never_twice(worker, if one { vec![first] } else { vec![first, second] })
            })
        }
        _ => None,
    }
}

/// A table with an element, or one and what belongs to it, in each place or none.
fn salted(worker: &mut Worker, table: u32, name: &str, width: u32) -> Run<Done> {
    let field = worker.field_of(table, name)?;
    let array = worker.get(table, field.slot);
    let places = (0..worker.array_length(array)).step_by(width as usize);
    let elements = places.map(|index| worker.get(array, crate::heap::ELEMENTS + index));
    let elements = elements.filter(|&element| element != 0).collect();
    never_twice(worker, elements)
}

/// Somebody goes through elements whose order is another one in each run.
fn never_twice(worker: &mut Worker, elements: Vec<u32>) -> Run<Done> {
    if elements.len() > 1 {
        worker.salted = elements;
        let looked = worker.look_outside(Outside::Order, NEVER_TWICE);
        worker.salted.clear();
        looked?;
    }
    Ok(Done::Bytecode)
}

fn own_table(worker: &mut Worker, map: u32) -> Run<Done> {
    if worker.for_base || map == 0 {
        return Ok(Done::Bytecode);
    }
    // Tables that keep the order in which elements came.
    if worker.class_of(map).field("accessOrder").is_some() {
        return Ok(Done::Bytecode);
    }
    let field = worker.field_of(map, "table")?;
    let nodes = worker.get(map, field.slot);
    table(worker, nodes)
}

/// The keys of lists of nodes.
fn table(worker: &mut Worker, table: u32) -> Run<Done> {
    if worker.for_base || table == 0 {
        return Ok(Done::Bytecode);
    }
    let mut keys = Vec::new();
    for index in 0..worker.array_length(table) {
        let mut node = worker.get(table, crate::heap::ELEMENTS + index);
        while node != 0 {
            let class = worker.class_of(node);
            // Keys of weak tables are what the reference refers to.
            let key = class.field("key").or_else(|| class.field("referent"));
            if let Some(key) = key {
                keys.push(worker.get(node, key.slot));
            }
            node = match class.field("next") {
                Some(next) => worker.get(node, next.slot),
                None => 0,
            };
        }
    }
    worker.go_through(&keys)?;
    Ok(Done::Bytecode)
}

/// A table in which equal keys are the same object.
fn identities(worker: &mut Worker, map: u32) -> Run<Done> {
    if worker.for_base || map == 0 {
        return Ok(Done::Bytecode);
    }
    let size = worker.field_of(map, "size")?;
    if worker.get(map, size.slot) > 1 {
        let what = "an order of elements that identity hash codes decide";
        worker.look_outside(Outside::Order, what)?;
    }
    Ok(Done::Bytecode)
}
