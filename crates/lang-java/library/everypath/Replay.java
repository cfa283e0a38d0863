package everypath;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a program whose classes call {@link #at} at some places, so that its threads pass these in a given order.
 *
 * <p>The order is in everypath-schedule.txt: for each thread the places that it passes, and which of these have to wait for their turn. The turn of a thread is
 * over when it comes to its next one, blocks or ends.
 */
public final class Replay {
    /** Milliseconds without any progress after which the order is given up. */
    private static final long PATIENCE = 5_000;
    /** Milliseconds for which all threads must stand still to be stuck. */
    private static final long STUCK = 2_000;

    private static final Object LOCK = new Object();
    private static final Map<String, Line> LINES = new HashMap<>();
    private static final List<Line> OWNERS = new ArrayList<>();
    private static final Map<Integer, String> PLACES = new HashMap<>();
    private static int current = -1;
    private static volatile boolean given;
    private static volatile boolean failed;
    private static volatile long moved = System.nanoTime();

    private Replay() {
    }

    /** What one thread does. */
    private static final class Line {
        final List<Integer> sites = new ArrayList<>();
        final List<Integer> turns = new ArrayList<>();
        int next;
        volatile Thread thread;
        volatile boolean inside;
    }

    /** A thread is about to pass a place. */
    public static void at(int site) {
        Thread self = Thread.currentThread();
        Line line = LINES.get(self.getName());
        if (given || line == null || line.next >= line.sites.size()) {
            return;
        }
        if (line.thread == null) {
            line.thread = self;
        }
        if (line.thread != self) {
            return;
        }
        int index = line.next++;
        if (line.sites.get(index) != site) {
            giveUp(self.getName() + " came to " + PLACES.get(site) + " instead of " + PLACES.get(line.sites.get(index)));
            return;
        }
        int turn = line.turns.get(index);
        if (turn < 0) {
            return;
        }
        line.inside = true;
        boolean interrupted = false;
        while (!begins(turn)) {
            if ((System.nanoTime() - moved) / 1_000_000 > PATIENCE) {
                giveUp(self.getName() + " waits at " + PLACES.get(site) + ", and nobody else comes to his place");
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        line.inside = false;
        if (interrupted) {
            self.interrupt();
        }
    }

    private static boolean begins(int turn) {
        synchronized (LOCK) {
            if (given || turn <= current) {
                return true;
            }
            if (turn == current + 1 && (current < 0 || isOver(OWNERS.get(current)))) {
                current = turn;
                moved = System.nanoTime();
                return true;
            }
            return false;
        }
    }

    private static boolean isOver(Line line) {
        if (line.inside || line.thread == null) {
            return true;
        }
        switch (line.thread.getState()) {
            case BLOCKED:
            case WAITING:
            case TIMED_WAITING:
            case TERMINATED:
                return true;
            default:
                return false;
        }
    }

    private static void giveUp(String why) {
        if (!given) {
            given = true;
            System.err.println("everypath: the schedule was given up: " + why);
        }
    }

    /** Runs the program that the arguments name, with its own arguments. */
    public static void main(String[] args) throws Throwable {
        read();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> told(thread, failure));
        Thread watch = new Thread(Replay::watch, "everypath-watch");
        watch.setDaemon(true);
        watch.start();
        try {
            Method main = Class.forName(args[0]).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException failure) {
            told(Thread.currentThread(), failure.getCause());
        }
        for (Thread thread : others()) {
            thread.join();
        }
        // Daemons may not have had their turns.
        for (int round = 0; round < 40 && !given && current + 1 < OWNERS.size(); round++) {
            Thread.sleep(50);
        }
        Thread.sleep(100);
        end(failed ? "reproduced: an exception ended a thread" : "not reproduced: nothing went wrong", failed ? 1 : 0);
    }

    private static void told(Thread thread, Throwable failure) {
        failed = true;
        System.err.print("Exception in thread \"" + thread.getName() + "\" ");
        failure.printStackTrace();
    }

    private static void end(String text, int code) {
        System.out.flush();
        System.err.println("everypath: " + text);
        System.err.flush();
        Runtime.getRuntime().halt(code);
    }

    private static List<Thread> others() {
        List<Thread> found = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            boolean system = thread.getThreadGroup() == null || thread.getThreadGroup().getName().equals("system");
            if (!thread.isDaemon() && !system && thread != Thread.currentThread() && !thread.getName().equals("DestroyJavaVM")) {
                found.add(thread);
            }
        }
        return found;
    }

    /** Notices threads that will never move again. */
    private static void watch() {
        long since = System.nanoTime();
        while (true) {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                return;
            }
            long[] circle = ManagementFactory.getThreadMXBean().findDeadlockedThreads();
            boolean still = true;
            List<Thread> threads = others();
            threads.removeIf(thread -> thread.getName().equals("main") && waitsHere(thread));
            for (Thread thread : threads) {
                Line line = LINES.get(thread.getName());
                boolean waits = thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.BLOCKED;
                still &= waits && (line == null || !line.inside);
            }
            if (!still) {
                since = System.nanoTime();
            }
            boolean stuck = (System.nanoTime() - since) / 1_000_000 > STUCK && !threads.isEmpty();
            if (circle == null && !stuck) {
                continue;
            }
            for (Thread thread : threads) {
                System.err.println("\"" + thread.getName() + "\" " + thread.getState());
                for (StackTraceElement frame : thread.getStackTrace()) {
                    System.err.println("    at " + frame);
                }
            }
            end("reproduced: " + (circle == null ? "threads wait for ever" : "threads wait for each other"), 1);
        }
    }

    /** Whether the main thread only waits for the others to end. */
    private static boolean waitsHere(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals("everypath.Replay") && frame.getMethodName().equals("main")) {
                return !inProgram(thread);
            }
        }
        return false;
    }

    private static boolean inProgram(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            String name = frame.getClassName();
            if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.equals("everypath.Replay")) {
                return true;
            }
        }
        return false;
    }

    private static void read() throws Exception {
        Map<Integer, Line> owners = new HashMap<>();
        try (InputStream in = Replay.class.getResourceAsStream("/everypath-schedule.txt")) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            Line line = null;
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                String[] words = text.split(" ", 3);
                if (words[0].equals("thread")) {
                    line = new Line();
                    LINES.put(text.substring("thread ".length()), line);
                } else if (words[0].equals("place")) {
                    PLACES.put(Integer.parseInt(words[1]), words[2]);
                } else if (words[0].equals("pass")) {
                    int turn = words.length > 2 ? Integer.parseInt(words[2]) : -1;
                    line.sites.add(Integer.parseInt(words[1]));
                    line.turns.add(turn);
                    if (turn >= 0) {
                        owners.put(turn, line);
                    }
                }
            }
        }
        for (int turn = 0; turn < owners.size(); turn++) {
            OWNERS.add(owners.get(turn));
        }
    }
}
