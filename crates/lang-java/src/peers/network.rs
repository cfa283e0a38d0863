//! Names of hosts: only the machine itself is known.

use super::{Args, Done, Peer, plain};
use crate::vm::{Run, Worker};

pub(super) fn find(class: &str, name: &str) -> Option<Peer> {
    match (class, name) {
        ("java/net/Inet4AddressImpl" | "java/net/Inet6AddressImpl", "lookupAllHostAddr") => {
            plain(look_up)
        }
        _ => None,
    }
}

/// `lookupAllHostAddr`: the address of `localhost`; what others have is known outside.
fn look_up(worker: &mut Worker, args: &Args) -> Run<Done> {
    if args.word(1) == 0 {
        return Err(worker.null_pointer());
    }
    let host = worker.text_of(args.word(1))?;
    if host != "localhost" {
        return worker.unsupported(format!("the address of host {host}"));
    }
    let holder_class = worker.class("java/net/InetAddress$InetAddressHolder")?;
    let class = worker.class("java/net/Inet4Address")?;
    worker.initialise_library(class)?;
    let (holder, address) = (worker.new_instance(holder_class)?, worker.new_instance(class)?);
    let fields =
        [("hostName", args.word(1)), ("originalHostName", args.word(1)), ("address", 0x7f00_0001)];
    for (field, value) in fields.into_iter().chain([("family", 1)]) {
        let slot = worker.library_field(holder_class, field)?.slot;
        worker.set(holder, slot, value);
    }
    let slot = worker.field_of(address, "holder")?.slot;
    worker.set(address, slot, holder);
    let array = worker.class("[Ljava/net/InetAddress;")?;
    worker.new_references(array, &[address]).map(Done::Word)
}
