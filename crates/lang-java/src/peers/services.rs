//! Services: those of the program are found on its class path by the library's own code; the library itself
//! finds none.

use super::{Args, Done, Peer, plain};
use crate::vm::{Run, Worker};

const LOADER: &str = "java/util/ServiceLoader";

pub(super) fn find(class: &str, name: &str) -> Option<Peer> {
    match (class, name) {
        (LOADER, "load" | "loadInstalled") => plain(|worker, _| {
            if !worker.top.method.class.library {
                return Ok(Done::Bytecode);
            }
            no_services(worker).map(Done::Word)
        }),
        (LOADER, "iterator") => plain(|worker, args| {
            let made = ("java/util/Collections", "emptyIterator", "()Ljava/util/Iterator;");
            unless_own(worker, args, made)
        }),
        (LOADER, "stream") => plain(|worker, args| {
            let made = ("java/util/stream/Stream", "empty", "()Ljava/util/stream/Stream;");
            unless_own(worker, args, made)
        }),
        (LOADER, "findFirst") => plain(|worker, args| {
            unless_own(worker, args, ("java/util/Optional", "empty", "()Ljava/util/Optional;"))
        }),
        ("java/util/ServiceLoader$ModuleServicesLookupIterator", "iteratorFor") => {
            plain(in_modules)
        }
        _ => None,
    }
}

/// What the library gets when it looks for services.
fn no_services(worker: &mut Worker) -> Run<u32> {
    worker.fixed(LOADER, "services")
}

/// What a method of the library without parameters makes.
fn made(worker: &mut Worker, (class, name, text): (&str, &str, &str)) -> Run<Done> {
    let class = worker.class(class)?;
    worker.initialise_library(class)?;
    match class.declared(name, text) {
        Some(method) => Ok(Done::Call(method, Vec::new())),
        None => worker.unsupported(format!("this JDK: {} without {name}", class.name)),
    }
}

/// Something empty, unless the program asked for the services.
fn unless_own(worker: &mut Worker, args: &Args, empty: (&str, &str, &str)) -> Run<Done> {
    if args.word(0) != no_services(worker)? {
        return Ok(Done::Bytecode);
    }
    made(worker, empty)
}

/// Services of modules: those that the library has are not known.
fn in_modules(worker: &mut Worker, args: &Args) -> Run<Done> {
    let outer = worker.get(args.word(0), worker.field_of(args.word(0), "this$0")?.slot);
    let service = worker.get(outer, worker.field_of(outer, "service")?.slot);
    let class = worker.mirrored(service);
    // Nothing in these packages is a service of a module but one.
    let package = class.name.rsplit_once('/').map_or("", |(package, _)| package);
    let plain = matches!(
        package,
        "java/lang" | "java/util" | "java/util/function" | "java/util/concurrent"
    );
    if class.library && (!plain || &*class.name == "java/lang/System$LoggerFinder") {
        return worker.unsupported(format!("services of the library: {}", class.get_name()));
    }
    made(worker, ("java/util/Collections", "emptyIterator", "()Ljava/util/Iterator;"))
}
