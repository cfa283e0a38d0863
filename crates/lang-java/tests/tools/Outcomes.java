import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Runs programs many times in one virtual machine and prints the different outcomes of each. Arguments: the directory of
 * the classes, the number of runs, and the programs. A line of the answer has the program, how often this outcome came,
 * how the run ended (end, deadlock, running, or the uncaught exceptions) and what it printed, separated by tabs.
 */
class Outcomes {
    static final ThreadMXBean CLOCKS = ManagementFactory.getThreadMXBean();
    static final PrintStream ANSWER = System.out;
    static final int POLL_MILLIS = 10;
    static final int LONGEST_MILLIS = 200;
    static final int MOST_MILLIS = 5000;
    /** Turns for everybody in which nothing moved, if all threads are seen to wait, and if not. */
    static final int STUCK_TURNS = 3;
    static final int QUIET_TURNS = 50;

    /** The threads of one run. */
    static class Run extends ThreadGroup {
        private final List<String> uncaught = new ArrayList<>();
        private boolean over;

        Run() {
            super("run");
        }

        @Override
        public synchronized void uncaughtException(Thread thread, Throwable e) {
            if (!over) {
                String where = thread.getName().equals("main") ? "main " : "thread ";
                uncaught.add(where + e.getClass().getName());
            }
        }

        List<Thread> alive() {
            Thread[] threads = new Thread[activeCount() + 8];
            int n = enumerate(threads);
            List<Thread> alive = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                if (!threads[i].isDaemon()) {
                    alive.add(threads[i]);
                }
            }
            return alive;
        }

        synchronized String end(String otherwise) {
            over = true;
            return uncaught.isEmpty() ? otherwise : otherwise.equals("end") ? String.join(", ", uncaught) : String.join(", ", uncaught) + ", " + otherwise;
        }
    }

    /**
     * Whether none of the threads can go on by itself: each waits to be notified or unparked, or for a monitor that one of
     * them has. A thread that was notified is told to be BLOCKED until it runs again; if nobody has the monitor, it will.
     */
    static boolean allStuck(List<Thread> threads) {
        Set<Long> ids = new HashSet<>();
        threads.forEach(t -> ids.add(t.getId()));
        for (ThreadInfo info : CLOCKS.getThreadInfo(ids.stream().mapToLong(id -> id).toArray())) {
            if (info == null) {
                return false;
            }
            boolean waits = info.getThreadState() == Thread.State.WAITING;
            boolean blocked = info.getThreadState() == Thread.State.BLOCKED && ids.contains(info.getLockOwnerId());
            if (!waits && !blocked) {
                return false;
            }
        }
        return true;
    }

    static boolean anySleeps(List<Thread> threads) {
        return threads.stream().anyMatch(t -> t.getState() == Thread.State.TIMED_WAITING);
    }

    /** What the threads have done: whatever it is, it changes when one of them moves. */
    static String work(List<Thread> threads) {
        StringBuilder text = new StringBuilder();
        for (Thread t : threads) {
            ThreadInfo info = CLOCKS.getThreadInfo(t.getId());
            String counts = info == null ? "" : info.getWaitedCount() + " " + info.getBlockedCount();
            text.append(t.getId()).append(' ').append(CLOCKS.getThreadCpuTime(t.getId())).append(' ').append(counts).append(';');
        }
        return text.toString();
    }

    static long time(List<Thread> threads) {
        return threads.stream().mapToLong(t -> CLOCKS.getThreadCpuTime(t.getId())).sum();
    }

    /**
     * Lets every processor work for a while. Who could run all the time has got a processor by then, however busy the machine
     * is: the scheduler is fair, and the clock says nothing.
     */
    static void giveTurns() throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Thread worker = new Thread(() -> {
                while (CLOCKS.getCurrentThreadCpuTime() < POLL_MILLIS * 1_000_000L) {
                    Thread.onSpinWait();
                }
            });
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }

    /** Waits until nothing of the run is left, or nothing of it moves. */
    static String await(Run run) throws InterruptedException {
        int still = 0;
        long passed = 0;
        String before = "";
        while (true) {
            List<Thread> alive = run.alive();
            if (alive.isEmpty()) {
                return "end";
            }
            String now = work(alive);
            still = now.equals(before) ? still + 1 : 0;
            before = now;
            // Who waits for the initialiser of a class is told to be runnable.
            boolean quiet = !anySleeps(alive);
            if (quiet && still >= (allStuck(alive) ? STUCK_TURNS : QUIET_TURNS)) {
                return "deadlock";
            }
            // On a busy machine little happens in much time: what counts is the work that was done.
            boolean busy = time(alive) >= LONGEST_MILLIS * 1_000_000L || passed >= MOST_MILLIS;
            if (busy && still == 0) {
                return "running";
            }
            if (quiet && still > 0) {
                giveTurns();
            } else {
                Thread.sleep(alive.size() == 1 && passed == 0 ? 1 : POLL_MILLIS);
            }
            passed += POLL_MILLIS;
        }
    }

    static String once(URL[] classes, String program) throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        System.setOut(new PrintStream(text, true, StandardCharsets.UTF_8));
        URLClassLoader loader = new URLClassLoader("app", classes, ClassLoader.getPlatformClassLoader());
        loader.setDefaultAssertionStatus(true);
        Run run = new Run();
        Thread main = new Thread(run, () -> {
            try {
                var method = Class.forName(program, true, loader).getDeclaredMethod("main", String[].class);
                method.setAccessible(true);
                method.invoke(null, (Object) new String[0]);
            } catch (java.lang.reflect.InvocationTargetException e) {
                Outcomes.<RuntimeException>rethrow(e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }, "main");
        main.start();
        String end = run.end(await(run));
        String printed = text.toString(StandardCharsets.UTF_8);
        if (end.endsWith("running")) {
            // Threads that wait for ever are left alone: woken, they would print into the next run.
            run.interrupt();
        }
        return end + "\t" + printed.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t");
    }

    @SuppressWarnings("unchecked")
    static <T extends Throwable> void rethrow(Throwable e) throws T {
        throw (T) e;
    }

    public static void main(String[] args) throws Exception {
        URL[] classes = {Path.of(args[0]).toUri().toURL()};
        int runs = Integer.parseInt(args[1]);
        System.setErr(new PrintStream(new ByteArrayOutputStream()));
        for (int p = 2; p < args.length; p++) {
            Map<String, Integer> outcomes = new TreeMap<>();
            for (int i = 0; i < runs; i++) {
                outcomes.merge(once(classes, args[p]), 1, Integer::sum);
            }
            String program = args[p];
            outcomes.forEach((outcome, count) -> ANSWER.println(program + "\t" + count + "\t" + outcome));
        }
        ANSWER.flush();
        Runtime.getRuntime().halt(0);
    }
}
