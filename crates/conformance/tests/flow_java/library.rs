//! What the library and the virtual machine do with a program's own objects, classes and threads, one way at a time:
//! nothing is proved of a program that its runs contradict.

use everypath_lang_java::Reductions;

use super::agree::{Truth, load};

/// Members of a class, and the events of one of its runs that ends.
const PROGRAMS: &[(&str, &[&str])] = &[
    // What a class of the library keeps, also for a subclass of the program's.
    (
        "static class L extends ArrayList<Runnable> {}
         public static void main(String[] s) { L l = new L(); l.add(() -> a()); b(); l.get(0).run(); c(); }",
        &["b", "a", "c"],
    ),
    (
        "static class L extends ArrayList<Thread> {}
         public static void main(String[] s) throws Exception {
             L l = new L(); l.add(new Thread(() -> a())); b(); l.get(0).start(); l.get(0).join(); c(); }",
        &["b", "a", "c"],
    ),
    (
        "static class I extends InputStream { public int read() { a(); return -1; } }
         static class F extends FilterInputStream { F(InputStream i) { super(i); } }
         public static void main(String[] s) throws Exception {
             InputStream f = new F(new I()); b(); f.read(); c(); }",
        &["b", "a", "c"],
    ),
    (
        "static class I extends InputStream { public int read() { a(); return -1; } }
         public static void main(String[] s) throws Exception {
             InputStream f = new java.util.zip.CheckedInputStream(new I(), new java.util.zip.CRC32());
             b(); f.read(); c(); }",
        &["b", "a", "c"],
    ),
    (
        "static class O extends Observable { void go() { setChanged(); notifyObservers(); } }
         public static void main(String[] s) {
             O o = new O(); o.addObserver((p, q) -> a()); b(); o.go(); c(); }",
        &["b", "a", "c"],
    ),
    (
        "static class H extends java.util.logging.Handler {
             public void publish(java.util.logging.LogRecord r) { a(); }
             public void flush() {}
             public void close() {} }
         public static void main(String[] s) {
             java.util.logging.Logger l = java.util.logging.Logger.getLogger(\"x\");
             l.setUseParentHandlers(false); l.addHandler(new H()); b(); l.info(\"hello\"); c(); }",
        &["b", "a", "c"],
    ),
    (
        "static class O extends PrintStream {
             O() { super(new ByteArrayOutputStream()); }
             public void println(String s) { a(); } }
         public static void main(String[] s) {
             System.setOut(new O()); b(); System.out.println(\"x\"); c(); }",
        &["b", "a", "c"],
    ),
    (
        "public static void main(String[] s) {
             List<Runnable> l = new ArrayList<>(), v = Collections.synchronizedList(l);
             v.add(() -> a()); b(); l.get(0).run(); c(); }",
        &["b", "a", "c"],
    ),
    (
        "public static void main(String[] s) {
             Consumer<Object> f = o -> a(); f = f.andThen(o -> b()); f.accept(s); c(); }",
        &["a", "b", "c"],
    ),
    // What it asks objects for, and what those give.
    (
        "static class D implements Formattable {
             public void formatTo(Formatter f, int x, int y, int z) { a(); } }
         public static void main(String[] s) { b(); String.format(\"%s\", new D()); c(); }",
        &["b", "a", "c"],
    ),
    (
        "record R(D d) {}
         static class D {
             public String toString() { a(); return \"\"; }
             public int hashCode() { b(); return 1; }
             public boolean equals(Object o) { c(); return true; } }
         public static void main(String[] s) {
             R r = new R(new D()); r.toString(); r.hashCode(); r.equals(new R(new D())); }",
        &["a", "b", "c"],
    ),
    (
        "static class It implements Iterable<Runnable> {
             public Iterator<Runnable> iterator() {
                 a();
                 return new Iterator<Runnable>() {
                     int n;
                     public boolean hasNext() { b(); return n < 1; }
                     public Runnable next() { n++; return () -> c(); } }; } }
         public static void main(String[] s) { new It().forEach(Runnable::run); }",
        &["a", "b", "c", "b"],
    ),
    (
        "public static void main(String[] s) {
             Iterator<Integer> i = List.of(1).stream().map(k -> { a(); return k; }).iterator();
             b(); i.next(); c(); }",
        &["b", "a", "c"],
    ),
    // Threads that run threads, groups that are told, tasks that are given up.
    (
        "public static void main(String[] s) throws Exception {
             Thread t = new Thread(new Thread(() -> a())); t.start(); t.join(); b(); t.run(); c(); }",
        &["a", "b", "c"],
    ),
    (
        "public static void main(String[] s) throws Exception {
             FutureTask<Object> f = new FutureTask<>(() -> { a(); return s; });
             Thread t = new Thread(f); t.start(); f.get(); b(); t.join(); }",
        &["a", "b"],
    ),
    (
        "static class T extends Thread { public void run() { a(); } }
         public static void main(String[] s) { b(); new Thread(new T()).run(); c(); }",
        &["b", "a", "c"],
    ),
    (
        "static class G extends ThreadGroup {
             G() { super(\"g\"); }
             public void uncaughtException(Thread t, Throwable e) { a(); } }
         public static void main(String[] s) throws Exception {
             Thread t = new Thread(new G(), () -> { b(); throw new IllegalStateException(); });
             t.start(); t.join(); c(); }",
        &["b", "a", "c"],
    ),
    (
        "public static void main(String[] s) throws Exception {
             Thread t = new Thread(() -> { try { b(); c(); } finally { a(); } });
             t.start(); t.stop(); t.join(); }",
        &["b", "a"],
    ),
    (
        "public static void main(String[] s) throws Exception {
             CompletableFuture<Integer> f = new CompletableFuture<>();
             f.whenComplete((v, e) -> a()); b(); f.cancel(true); c(); }",
        &["b", "a", "c"],
    ),
    // Reflection.
    (
        "static boolean f;
         public static void main(String[] s) throws Exception {
             NAME.class.getDeclaredField(\"f\").setBoolean(null, true); if (f) a(); else b(); }",
        &["a"],
    ),
    (
        "static void go() { a(); }
         public static void main(String[] s) throws Throwable {
             java.lang.invoke.MethodHandles.lookup().findStatic(NAME.class, \"go\",
                 java.lang.invoke.MethodType.methodType(void.class)).invoke(); b(); }",
        &["a", "b"],
    ),
    (
        "static class D implements Serializable {
             private void readObject(ObjectInputStream in) { a(); } }
         public static void main(String[] s) throws Exception {
             ByteArrayOutputStream o = new ByteArrayOutputStream();
             new ObjectOutputStream(o).writeObject(new D()); b();
             new ObjectInputStream(new ByteArrayInputStream(o.toByteArray())).readObject(); c(); }",
        &["b", "a", "c"],
    ),
    // Initialisers of classes: when they run, and that they fail.
    (
        "interface I { Object O = make(); static Object make() { a(); return null; } default void m() {} }
         static class C implements I {}
         public static void main(String[] s) { b(); new C(); c(); }",
        &["b", "a", "c"],
    ),
    (
        "static class B { static { new Thread(NAME::a).start(); } static void go() {} }
         public static void main(String[] s) { b(); if (s.length > 0) B.go(); c(); }",
        &["b", "c"],
    ),
    (
        "static class B {
             static { Thread t = new Thread(NAME::a); t.start();
                 try { t.join(); } catch (InterruptedException e) {} }
             static void go() {} }
         public static void main(String[] s) { b(); B.go(); c(); }",
        &["b", "a", "c"],
    ),
    (
        "static class B {
             static int v;
             static { if (v == 0) throw new IllegalStateException(); }
             static void go() {} }
         public static void main(String[] s) {
             try { B.go(); b(); } catch (ExceptionInInitializerError e) { a(); } c(); }",
        &["a", "c"],
    ),
    (
        "static class B { static int v = Integer.parseInt(\"no\"); }
         public static void main(String[] s) {
             try { B.v = 2; b(); } catch (Throwable t) { a(); } c(); }",
        &["a", "c"],
    ),
    (
        "static final Object O = make();
         static Object make() { if (O == null) a(); else b(); return new Object(); }
         public static void main(String[] s) { c(); }",
        &["a", "c"],
    ),
    (
        "static final Object O = Integer.parseInt(\"1\") == 2 ? new Object() : null;
         public static void main(String[] s) { if (O == null) a(); else b(); }",
        &["a"],
    ),
    // Monitors that are given back where one does not see it.
    (
        "static boolean go;
         void pause() throws Exception {
             synchronized (NAME.class) { b(); while (!go) getClass().wait(); c(); } }
         public static void main(String[] s) throws Exception {
             new Thread(() -> {
                 synchronized (NAME.class) { a(); go = true; NAME.class.notifyAll(); } }).start();
             new NAME().pause(); }",
        &["b", "a", "c"],
    ),
    (
        "public static void main(String[] s) throws Exception {
             PipedInputStream in = new PipedInputStream();
             PipedOutputStream out = new PipedOutputStream(in);
             Thread t = new Thread(() -> {
                 try { synchronized (in) { b(); in.read(); c(); } } catch (IOException e) {} });
             t.start(); synchronized (in) { a(); } out.write(1); out.flush(); t.join(); }",
        &["b", "a", "c"],
    ),
];

const HEAD: &str = "import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

public class NAME {
    static void a() {}
    static void b() {}
    static void c() {}
    // Whatever the program does, the three are events of it.
    static void all(String[] s) { if (s.length > 7) { c(); c(); b(); b(); a(); a(); } }
";

#[test]
fn what_the_library_does_with_objects_of_a_program_is_in_the_graph() {
    let Some(jdk) = super::jdk() else { return };
    let target = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("flow-library");
    let _ = std::fs::remove_dir_all(&target);
    std::fs::create_dir_all(&target).unwrap();
    let mut sources = Vec::new();
    for (number, (members, _)) in PROGRAMS.iter().enumerate() {
        let class = format!("Library{number}");
        let source = target.join(format!("{class}.java"));
        let begin = "public static void main(String[] s)";
        let (before, main) = members.split_once(begin).unwrap();
        let body = main.replacen('{', "{ all(s); ", 1);
        let text = format!("{HEAD}{before}{begin}{body}\n}}\n").replace("NAME", &class);
        std::fs::write(&source, text).unwrap();
        sources.push(source);
    }
    super::agree::compile(&jdk, &target, &sources);
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (number, (members, word)) in PROGRAMS.iter().enumerate() {
        let class = format!("Library{number}");
        let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).into();
        let rules: Vec<(String, String)> =
            names.iter().map(|name| (name.clone(), format!("call {class}.{name}"))).collect();
        let mut explored = load(&jdk, &target, &class, Reductions::ALL);
        let asked = everypath_lang_java::Asked { events: rules.clone(), ..Default::default() };
        explored.ask(&asked).unwrap();
        let events: Vec<usize> =
            word.iter().map(|event| names.iter().position(|name| name == event).unwrap()).collect();
        if let Some(truth) = Truth::of(&explored) {
            checked += 1;
            assert!(truth.has(&events, true), "{word:?} is no run of\n{members}");
        }
        let text: String = rules.iter().map(|(name, what)| format!("{what} => {name}\n")).collect();
        let program = load(&jdk, &target, &class, Reductions::NONE);
        let (extracted, _, graph) = super::extract(&program, &text);
        let sequence = word.join(" ; ");
        let property = super::required(&format!(
            "for events {{ a, b, c }} show no executions satisfy {sequence}"
        ));
        let sure = extracted.doubts.is_empty() && extracted.cuts.is_empty();
        if sure && super::is_found(&graph, &property).is_some() {
            wrong.push(format!("{word:?} of\n{members}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), PROGRAMS.len(), wrong.join("\n"));
    assert!(checked * 2 > PROGRAMS.len(), "{checked}");
}
