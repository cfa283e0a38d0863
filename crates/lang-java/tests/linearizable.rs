//! Every operation of java.util.concurrent that is one step beside every other one of its class, and beside those that
//! may see it half done: two threads with two calls each end in the same ways as with steps inside of the library.

mod support;

use std::path::Path;

use everypath_lang_java::{Jdk, Options, Outcomes, Program, Reductions};
use everypath_model::Rng;
use support::{Tools, parallel, scratch, sources};

/// The most states of a program that is compared.
const MOST: usize = 60_000;

/// One pair of operations of so many is tried, all of them with `EVERYPATH_ALL`.
const SHARE: usize = 10;

fn outcomes(classes: &Path, name: &str, reductions: Reductions) -> Option<Outcomes> {
    let options = Options::new(vec![classes.to_path_buf()], name);
    let options = Options { output: true, reductions, ..options };
    let program = Program::load(&Jdk::find().expect("a JDK"), &options)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    program.outcomes(MOST).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A program of two threads. Operations are statements about `q` that add what they answer to `r`.
fn program(name: &str, (kind, made): (&str, &str), [a, b, c, d]: [&str; 4]) -> String {
    let body = |one: &str, two: &str, who: &str| {
        format!(
            "String r = \"\"; try {{ {{ {one} }} r += ' '; {{ {two} }} }} catch (Exception e) {{ \
             r += e.getClass().getSimpleName(); }} System.out.println(\"{who} \" + r);"
        )
    };
    format!(
        "import java.util.*;\nimport java.util.concurrent.*;\nimport java.util.concurrent.locks.*;\n\
         class {name} {{\n    static final {kind} q = {made};\n    static void work() {{ {} }}\n    \
         public static void main(String[] a) throws Exception {{\n        \
         new Thread({name}::work).start();\n        {}\n    }}\n}}\n",
        body(a, b, "other"),
        body(c, d, "main"),
    )
}

fn compare(kind: &str, made: &str, operations: &[&str]) {
    let Some(tools) = Tools::find() else { return };
    let simple: String =
        kind.split('<').next().unwrap_or(kind).rsplit('.').next().unwrap_or(kind).to_owned();
    let directory = scratch(&format!("linearizable-{simple}-sources"));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("directory");
    let all = std::env::var_os("EVERYPATH_ALL").is_some();
    let mut random = Rng::new(17);
    let mut programs = Vec::new();
    for (one, a) in operations.iter().enumerate() {
        for (two, b) in operations.iter().enumerate() {
            let (x, y) = (*random.pick(operations), *random.pick(operations));
            let number = one * operations.len() + two;
            if !all && !number.is_multiple_of(SHARE) {
                continue;
            }
            let name = format!("{simple}Pair{number}");
            let text = program(&name, (kind, made), [a, x, b, y]);
            std::fs::write(directory.join(format!("{name}.java")), text).expect("source");
            programs.push(name);
        }
    }
    let classes = scratch(&format!("linearizable-{simple}"));
    tools.compile(&sources(&directory), &classes, &[]);
    let found = parallel(&programs, |name| {
        let base = outcomes(&classes, name, Reductions { library: false, ..Reductions::ALL })?;
        let found = outcomes(&classes, name, Reductions::ALL);
        let ends = found.map(|found| found.ends);
        let same = ends.as_ref() == Some(&base.ends);
        Some((!same).then(|| format!("{name}: {ends:#?} instead of {:#?}", base.ends)))
    });
    let small = found.iter().flatten().count();
    let wrong: Vec<String> = found.into_iter().flatten().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(2 * small >= programs.len(), "only {small} of {} programs are small", programs.len());
}

/// A reader of a StampedLock that meets another one queues behind a writer, although readers have the lock: who waits
/// for that reader before it gives the lock back waits for ever.
#[test]
fn readers_that_meet_wait_behind_a_writer() {
    let Some(tools) = Tools::find() else { return };
    let text = "import java.util.concurrent.locks.StampedLock;
        class Readers {
            public static void main(String[] args) throws Exception {
                StampedLock lock = new StampedLock();
                long first = lock.readLock(), second = lock.readLock();
                Thread writer = new Thread(() -> lock.unlockWrite(lock.writeLock()));
                Thread reader = new Thread(() -> lock.unlockRead(lock.readLock()));
                writer.start();
                reader.start();
                lock.unlockRead(first);
                reader.join();
                lock.unlockRead(second);
            }
        }";
    let directory = scratch("readers-source");
    std::fs::create_dir_all(&directory).expect("directory");
    std::fs::write(directory.join("Readers.java"), text).expect("source");
    let classes = scratch("readers");
    tools.compile(&sources(&directory), &classes, &[]);
    for reductions in [Reductions::ALL, Reductions { library: false, ..Reductions::ALL }] {
        let found = outcomes(&classes, "Readers", reductions).expect("few states");
        let ends: Vec<bool> = found.ends.iter().map(|end| end.deadlock).collect();
        assert_eq!(ends, [false, true]);
    }
}

/// A test for each class, each a process of its own.
macro_rules! classes {
    ($($name:ident $kind:literal $made:literal [$($operation:literal,)*])*) => {
        $(#[test]
        fn $name() {
            compare($kind, $made, &[$($operation),*]);
        })*
    };
}

classes! {
    reentrant_lock "ReentrantLock" "new ReentrantLock()" [
        "q.lock();", "q.lock(); q.unlock();", "q.lockInterruptibly(); r += q.getHoldCount();",
        "r += q.tryLock();", "r += q.tryLock(1, TimeUnit.SECONDS);", "q.unlock();",
        "r += q.isHeldByCurrentThread();", "r += q.isLocked();", "r += q.hasQueuedThreads();",
        "r += q.getQueueLength();", "r += q.toString().contains(\"nlocked\");",
    ]
    fair_lock "Lock" "new ReentrantLock(true)" [
        "q.lock();", "q.lock(); q.unlock();", "r += q.tryLock();", "q.unlock();",
        "r += ((ReentrantLock) q).isLocked();", "r += ((ReentrantLock) q).hasQueuedThreads();",
    ]
    condition "Condition" "new ReentrantLock() { final Condition c = newCondition(); }.c" [
        "q.signal();", "r += q.awaitNanos(5) > 0;", "q.signalAll();",
    ]
    read_write_lock "ReentrantReadWriteLock" "new ReentrantReadWriteLock()" [
        "q.readLock().lock();", "q.readLock().lock(); q.readLock().unlock();", "q.writeLock().lock();",
        "q.writeLock().lock(); q.writeLock().unlock();", "r += q.readLock().tryLock();",
        "r += q.writeLock().tryLock();", "q.readLock().unlock();", "q.writeLock().unlock();",
        "r += q.writeLock().isHeldByCurrentThread();", "r += q.isWriteLocked();",
        "r += q.getReadLockCount();", "r += q.hasQueuedThreads();",
    ]
    stamped_lock "StampedLock" "new StampedLock()" [
        "long s = q.writeLock(); q.unlockWrite(s);", "q.readLock();", "long t = q.readLock(); q.unlockRead(t);",
        "r += q.tryWriteLock() != 0;", "r += q.tryReadLock() != 0;",
        "long o = q.tryOptimisticRead(); r += q.validate(o);",
        "long c = q.tryOptimisticRead(); r += q.tryConvertToWriteLock(c) != 0;",
        "long d = q.tryOptimisticRead(); r += q.tryConvertToReadLock(d) != 0;",
        "r += q.tryUnlockWrite();", "r += q.tryUnlockRead();", "r += q.isWriteLocked();",
        "r += q.isReadLocked();", "r += q.getReadLockCount();",
    ]
    semaphore "Semaphore" "new Semaphore(1)" [
        "q.acquire();", "q.acquireUninterruptibly();", "q.acquire(); q.release();", "r += q.tryAcquire();",
        "r += q.tryAcquire(2);", "r += q.tryAcquire(1, TimeUnit.SECONDS);", "q.release();", "q.release(2);",
        "r += q.availablePermits();", "r += q.drainPermits();", "r += q.hasQueuedThreads();",
        "r += q.getQueueLength();",
    ]
    count_down_latch "CountDownLatch" "new CountDownLatch(2)" [
        "q.countDown();", "q.countDown(); q.countDown();", "q.await();", "r += q.await(1, TimeUnit.SECONDS);",
        "r += q.getCount();",
    ]
    cyclic_barrier "CyclicBarrier" "new CyclicBarrier(2)" [
        "r += q.await();", "r += q.await(1, TimeUnit.SECONDS);", "q.reset();", "r += q.isBroken();",
        "r += q.getNumberWaiting();", "r += q.getParties();",
    ]
    array_blocking_queue "ArrayBlockingQueue<Integer>" "new ArrayBlockingQueue<>(1)" [
        "q.put(1);", "r += q.take();", "r += q.offer(2);", "r += q.poll();", "r += q.add(3);", "r += q.peek();",
        "r += q.size();", "r += q.remainingCapacity();", "r += q.contains(1);", "r += q.remove(2);",
        "r += q.isEmpty();", "q.clear();", "r += q.drainTo(new ArrayList<>());", "r += q;",
        "r += q.poll(1, TimeUnit.SECONDS);",
    ]
    priority_blocking_queue "PriorityBlockingQueue<Integer>" "new PriorityBlockingQueue<>()" [
        "q.put(1);", "r += q.take();", "r += q.offer(2);", "r += q.poll();", "r += q.add(3);", "r += q.peek();",
        "r += q.size();", "r += q.contains(1);", "r += q.remove(2);", "r += q.isEmpty();", "q.clear();",
        "for (int i : q) r += i;",
    ]
    linked_blocking_deque "LinkedBlockingDeque<Integer>" "new LinkedBlockingDeque<>(2)" [
        "q.putFirst(1);", "q.putLast(2);", "r += q.takeFirst();", "r += q.takeLast();", "r += q.offerFirst(3);",
        "r += q.offerLast(4);", "r += q.pollFirst();", "r += q.pollLast();", "r += q.peekFirst();",
        "r += q.peekLast();", "r += q.size();", "r += q.remainingCapacity();", "r += q.contains(1);",
        "r += q.remove(3);", "q.clear();", "r += q;",
    ]
    linked_blocking_queue "LinkedBlockingQueue<Integer>" "new LinkedBlockingQueue<>(1)" [
        "q.put(1);", "r += q.take();", "r += q.offer(2);", "r += q.poll();", "r += q.add(3);", "r += q.peek();",
        "r += q.size();", "r += q.remainingCapacity();", "r += q.contains(1);", "r += q.remove(2);",
        "r += q.isEmpty();", "q.clear();", "r += q.drainTo(new ArrayList<>());", "r += q;",
        "r += q.poll(1, TimeUnit.SECONDS);",
    ]
    concurrent_linked_queue "ConcurrentLinkedQueue<Integer>" "new ConcurrentLinkedQueue<>()" [
        "r += q.offer(1);", "r += q.add(2);", "r += q.poll();", "r += q.peek();", "r += q.isEmpty();",
        "r += q.size();", "r += q.contains(1);", "r += q.remove(2);", "r += q;", "q.clear();",
    ]
    concurrent_hash_map "ConcurrentHashMap<String, Integer>" "new ConcurrentHashMap<>()" [
        "r += q.get(\"a\");", "r += q.getOrDefault(\"b\", 9);", "r += q.containsKey(\"a\");",
        "r += q.put(\"a\", 1);", "r += q.put(\"b\", 2);", "r += q.putIfAbsent(\"a\", 3);", "r += q.remove(\"a\");",
        "r += q.remove(\"a\", 1);", "r += q.replace(\"a\", 4);", "r += q.computeIfAbsent(\"a\", k -> 5);",
        "r += q.computeIfPresent(\"a\", (k, v) -> null);", "r += q.compute(\"a\", (k, v) -> v == null ? 6 : v + 1);",
        "r += q.merge(\"a\", 1, Integer::sum);", "r += q.size();", "r += q.isEmpty();", "r += q.mappingCount();",
        "r += q.containsValue(1);", "r += q.keySet();", "r += q;", "q.clear();",
        "r += q.values().contains(2);",
    ]
    key_set "Set<String>" "ConcurrentHashMap.newKeySet()" [
        "r += q.add(\"a\");", "r += q.add(\"b\");", "r += q.remove(\"a\");", "r += q.contains(\"a\");",
        "r += q.size();", "r += q.isEmpty();", "r += q;", "q.clear();",
    ]
    copy_on_write_list "CopyOnWriteArrayList<Integer>" "new CopyOnWriteArrayList<>(List.of(0))" [
        "r += q.add(1);", "r += q.addIfAbsent(1);", "r += q.get(0);", "r += q.set(0, 2);",
        "r += q.remove((Integer) 1);", "r += q.remove(0);", "r += q.size();", "r += q.isEmpty();",
        "r += q.contains(1);", "r += q.indexOf(1);", "for (int i : q) r += i;", "r += q;", "q.clear();",
        "q.replaceAll(x -> x + 1);", "r += q.removeIf(x -> x > 0);",
    ]
    copy_on_write_set "CopyOnWriteArraySet<Integer>" "new CopyOnWriteArraySet<>(List.of(0))" [
        "r += q.add(1);", "r += q.remove(1);", "r += q.size();", "r += q.isEmpty();", "r += q.contains(1);",
        "for (int i : q) r += i;", "r += q;", "q.clear();", "r += q.addAll(List.of(1, 2));",
    ]
    synchronous_queue "SynchronousQueue<Integer>" "new SynchronousQueue<>()" [
        "q.put(1);", "r += q.take();", "r += q.offer(2);", "r += q.poll();", "r += q.poll(1, TimeUnit.SECONDS);",
        "r += q.size();",
    ]
    future_task "FutureTask<Integer>" "new FutureTask<>(() -> 1)" [
        "q.run();", "r += q.get();", "r += q.isDone();", "r += q.isCancelled();", "r += q.cancel(false);",
        "r += q.cancel(true); r += Thread.interrupted();",
    ]
    completable_future "CompletableFuture<Integer>" "new CompletableFuture<>()" [
        "r += q.complete(1);", "r += q.completeExceptionally(new Error());", "r += q.getNow(3);", "r += q.isDone();",
        "r += q.join();", "r += q.cancel(true);", "q.thenAccept(x -> System.out.print(x + \",\"));",
        "r += q.getNumberOfDependents();",
    ]
    atomic_integer "java.util.concurrent.atomic.AtomicInteger" "new java.util.concurrent.atomic.AtomicInteger()" [
        "r += q.incrementAndGet();", "int[] n = {0}; r += q.updateAndGet(x -> { n[0]++; return x + 1; }) + n[0];",
        "int[] m = {0}; r += q.accumulateAndGet(2, (x, y) -> { m[0]++; return x + y; }) + m[0];", "q.set(5);",
        "r += q.compareAndSet(1, 7);", "r += q.get();",
    ]
    long_adder "java.util.concurrent.atomic.LongAdder" "new java.util.concurrent.atomic.LongAdder()" [
        "q.add(1);", "q.increment();", "r += q.sum();", "r += q.sumThenReset();", "q.reset();", "r += q;",
    ]
}
