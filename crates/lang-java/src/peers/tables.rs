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
        (
            "java/util/ImmutableCollections$SetN$SetNIterator"
            | "java/util/ImmutableCollections$MapN$MapNIterator",
            "<init>",
        ) => plain(|worker, args| {
            let size = worker.field_of(args.word(1), "size")?;
            if worker.get(args.word(1), size.slot) > 1 {
                worker.look_outside(Outside::Order, NEVER_TWICE)?;
            }
            Ok(Done::Bytecode)
        }),
        ("java/util/ImmutableCollections$SetN", "toArray") => plain(|worker, args| {
            let size = worker.field_of(args.word(0), "size")?;
            if worker.get(args.word(0), size.slot) > 1 {
                worker.look_outside(Outside::Order, NEVER_TWICE)?;
            }
            Ok(Done::Bytecode)
        }),
        ("java/util/ImmutableCollections$Set12", "iterator" | "toArray")
            if !descriptor.ends_with("V") =>
        {
            plain(|worker, args| {
                let second = worker.field_of(args.word(0), "e1")?;
                let second = worker.get(args.word(0), second.slot);
                // A set of one has a mark of the class there.
                if second != 0 && &*worker.class_of(second).name != "java/lang/Object" {
                    worker.look_outside(Outside::Order, NEVER_TWICE)?;
                }
                Ok(Done::Bytecode)
            })
        }
        _ => None,
    }
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
