//! Random numbers without a seed. Of a few numbers each is tried; of many those that are likely to matter, and the
//! search is told that it proves nothing. With a seed they are what the JDK's own code makes of it.

use super::unbounded::{integers, reals};
use super::{Args, Done, Peer, plain};
use crate::vm::{Outside, Run, Worker};

/// The most numbers of which each is tried.
const EACH: i64 = 256;

/// What the constructor of a generator without a seed is given, a number that nobody takes for a seed.
const NO_SEED: u64 = 0x9d5c_7a13_e4b8_2f61;

/// The state of such a generator: those of others have 48 bits.
const FREE: u64 = 1 << 63;

const RANDOM: &str = "java/util/Random";
const SPLITTABLE: &str = "java/util/SplittableRandom";

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Peer> {
    match (class, name, descriptor) {
        (RANDOM, "<init>", "()V") => {
            plain(|worker, args| match args.method.class.declared("<init>", "(J)V") {
                Some(method) => {
                    let words = [NO_SEED as u32, (NO_SEED >> 32) as u32];
                    Ok(Done::Call(method, vec![args.word(0), words[0], words[1]]))
                }
                None => worker.unsupported("this JDK: Random without its constructors"),
            })
        }
        (RANDOM, "initialScramble", _) => plain(|_, args| match args.long(0) {
            NO_SEED => Ok(Done::Long(FREE)),
            _ => Ok(Done::Bytecode),
        }),
        (SPLITTABLE, "<init>", "()V") => plain(|worker, args| {
            // Others have an odd gamma.
            match args.method.class.declared("<init>", "(JJ)V") {
                Some(method) => Ok(Done::Call(method, vec![args.word(0), 0, 0, 0, 0])),
                None => worker.unsupported("this JDK: SplittableRandom without its constructors"),
            }
        }),
        (SPLITTABLE, "split", "()Ljava/util/SplittableRandom;") => plain(split),
        ("java/util/random/RandomGeneratorFactory", "create", descriptor)
            if descriptor.starts_with("()") =>
        {
            plain(|worker, _| {
                worker.look_outside(Outside::Chance, "a random generator without a seed")?;
                Ok(Done::Bytecode)
            })
        }
        (
            RANDOM
            | SPLITTABLE
            | "java/util/concurrent/ThreadLocalRandom"
            | "java/security/SecureRandom"
            | "java/util/random/RandomGenerator",
            _,
            _,
        ) => numbers(name, descriptor),
        // The same with the generator as the first argument.
        ("jdk/internal/util/random/RandomSupport", _, _) => {
            let name = name.strip_prefix("boundedN").map(|rest| format!("n{rest}"))?;
            let rest = descriptor.strip_prefix("(Ljava/util/random/RandomGenerator;")?;
            numbers(&name, &format!("({rest}"))
        }
        _ => None,
    }
}

fn numbers(name: &str, descriptor: &str) -> Option<Peer> {
    let run: fn(&mut Worker, &Args) -> Run<Done> = match (name, descriptor) {
        ("nextBoolean", "()Z") => |worker, args| whole(worker, args, 0, 1),
        ("next", "(I)I") => |worker, args| match args.int(1) {
            bits @ 1..=31 => whole(worker, args, 0, (1 << bits) - 1),
            _ => whole(worker, args, i64::from(i32::MIN), i64::from(i32::MAX)),
        },
        ("nextInt", "()I") => {
            |worker, args| whole(worker, args, i64::from(i32::MIN), i64::from(i32::MAX))
        }
        ("nextInt", "(I)I") => |worker, args| whole(worker, args, 0, i64::from(args.int(1)) - 1),
        ("nextInt", "(II)I") => {
            |worker, args| whole(worker, args, i64::from(args.int(1)), i64::from(args.int(2)) - 1)
        }
        ("nextLong", "()J") => |worker, args| whole(worker, args, i64::MIN, i64::MAX),
        ("nextLong", "(J)J") => {
            |worker, args| whole(worker, args, 0, (args.long(1) as i64).wrapping_sub(1))
        }
        ("nextLong", "(JJ)J") => |worker, args| {
            whole(worker, args, args.long(1) as i64, (args.long(3) as i64).wrapping_sub(1))
        },
        ("nextFloat", "()F") => |worker, args| real(worker, args, 0.0, 1.0),
        ("nextDouble", "()D") => |worker, args| real(worker, args, 0.0, 1.0),
        ("nextDouble", "(D)D") => |worker, args| real(worker, args, 0.0, args.double(1)),
        ("nextDouble", "(DD)D") => {
            |worker, args| real(worker, args, args.double(1), args.double(3))
        }
        ("nextGaussian", "()D") => |worker, args| real(worker, args, -8.0, 8.0),
        ("nextBytes", "([B)V") => |worker, args| {
            if !is_free(worker, args)? {
                return Ok(Done::Bytecode);
            }
            worker.look_outside(Outside::Chance, "random bytes")?;
            random_bytes(worker, args)
        },
        _ => return None,
    };
    plain(run)
}

/// Whether a generator has no seed.
fn is_free(worker: &mut Worker, args: &Args) -> Run<bool> {
    let object = args.word(0);
    let class = worker.class_of(object);
    if class.field("gamma").is_some_and(|field| &*field.class.name == SPLITTABLE) {
        let gamma = worker.field_of(object, "gamma")?;
        return Ok(worker.get_long(object, gamma.slot) & 1 == 0);
    }
    let selector = worker.vm.registry.selector("next", "(I)I");
    let Some(next) = class.linked().virtuals.get(&selector) else { return Ok(false) };
    match &*next.class.name {
        "java/security/SecureRandom" | "java/util/concurrent/ThreadLocalRandom" => Ok(true),
        // What subclasses of the program inherit may call what they override.
        RANDOM if class.library || &*args.method.name == "next" => {
            let random = worker.class(RANDOM)?;
            let seed = worker.get(object, worker.library_field(random, "seed")?.slot);
            if seed == 0 {
                return Ok(false);
            }
            let value = worker.field_of(seed, "value")?;
            Ok(worker.get_long(seed, value.slot) == FREE)
        }
        _ => Ok(false),
    }
}

fn is_secure(worker: &Worker, args: &Args) -> bool {
    &*worker.class_of(args.word(0)).name == "java/security/SecureRandom"
}

fn given(args: &Args, value: i64) -> Done {
    match args.method.descriptor.result.words() {
        2 => Done::Long(value as u64),
        _ => Done::Word(value as u32),
    }
}

/// A number from one to another one.
fn whole(worker: &mut Worker, args: &Args, low: i64, high: i64) -> Run<Done> {
    // The code of the library complains.
    if low > high || !is_free(worker, args)? {
        return Ok(Done::Bytecode);
    }
    let natural = low >= 0 && high < 1 << 30 && args.method.descriptor.result.words() == 1;
    if !worker.is_value_seen(Outside::Chance, natural)? {
        // Names that have to be new are told apart by these.
        return Ok(if is_secure(worker, args) { Done::Bytecode } else { given(args, low.max(0)) });
    }
    let count = high.checked_sub(low).and_then(|count| count.checked_add(1));
    if let Some(count) = count.filter(|&count| count <= EACH) {
        let chosen = worker.choose(count as u32)?;
        return Ok(given(args, low + i64::from(chosen)));
    }
    let mut values = vec![low, high];
    for value in integers(worker)? {
        if (low..=high).contains(&value) && !values.contains(&value) {
            values.push(value);
        }
    }
    worker.leave_out("of random numbers only some values are tried");
    let chosen = worker.choose(values.len() as u32)?;
    Ok(given(args, values[chosen as usize]))
}

fn real(worker: &mut Worker, args: &Args, low: f64, high: f64) -> Run<Done> {
    // The code of the library complains.
    if low.partial_cmp(&high) != Some(std::cmp::Ordering::Less) || !is_free(worker, args)? {
        return Ok(Done::Bytecode);
    }
    let single = args.method.descriptor.result.words() == 1;
    let given = |value: f64| match single {
        true => Done::Word((value as f32).to_bits()),
        false => Done::Long(value.to_bits()),
    };
    if !worker.is_value_seen(Outside::Chance, low >= 0.0 && high < 1e9)? {
        return Ok(given(low + (high - low) / 2.0));
    }
    let last = if single { 1.0 - f64::from(f32::EPSILON) } else { 1.0 - f64::EPSILON };
    let mut values: Vec<f64> =
        [0.0, 0.25, 0.5, 0.75, last].iter().map(|part| low + (high - low) * part).collect();
    for value in reals(worker)? {
        if value >= low && value < high && !values.contains(&value) {
            values.push(value);
        }
    }
    worker.leave_out("of random numbers only some values are tried");
    let chosen = worker.choose(values.len() as u32)?;
    Ok(given(values[chosen as usize]))
}

/// The split of a generator without a seed has none either.
fn split(worker: &mut Worker, args: &Args) -> Run<Done> {
    if !is_free(worker, args)? {
        return Ok(Done::Bytecode);
    }
    let class = worker.class(SPLITTABLE)?;
    let copy = worker.new_instance(class)?;
    if let Some(proxy) = class.field("proxy") {
        let value = worker.get(args.word(0), proxy.slot);
        worker.set(copy, proxy.slot, value);
    }
    Ok(Done::Word(copy))
}

/// Bytes that are others each time.
pub(super) fn random_bytes(worker: &mut Worker, args: &Args) -> Run<Done> {
    let array = args.word(1);
    if array == 0 {
        return Err(worker.null_pointer());
    }
    worker.touch(array)?;
    let mut seed = worker.next_asked().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for index in 0..worker.array_length(array) {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        worker.store_byte(array, index, (seed >> 56) as u8);
    }
    Ok(Done::Void)
}
