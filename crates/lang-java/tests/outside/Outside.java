import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** What the outside decides: one case for each argument. */
public class Outside {
    enum Color { RED, GREEN, BLUE }
    record Key(Color color, int number) {}
    record Plain(String name, int number) {}
    static class Point {
        final int x;
        Point(int x) { this.x = x; }
        @Override public int hashCode() { return Objects.hash(x, "point"); }
        @Override public boolean equals(Object other) { return other instanceof Point p && p.x == x; }
    }
    static class Timer {
        long start;
        void begin() { start = System.nanoTime(); }
    }
    static long now() { return System.nanoTime(); }
    static int field;

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            // Each of a few numbers.
            case "nextInt2" -> check(new Random().nextInt(2) == 0);
            case "nextBoolean" -> check(new Random().nextBoolean());
            case "nextInt6" -> { int die = new Random().nextInt(6) + 1; check(die >= 1 && die <= 6); }
            case "nextInt6last" -> check(new Random().nextInt(6) != 5);
            case "range" -> { int n = new Random().nextInt(3, 6); check(n >= 3 && n < 6); }
            case "rangeLast" -> check(new Random().nextInt(3, 6) != 5);
            case "threadLocal" -> check(ThreadLocalRandom.current().nextInt(4) != 3);
            case "splittable" -> check(new SplittableRandom().nextInt(4) != 3);
            case "split" -> check(new SplittableRandom().split().nextInt(4) != 3);
            case "secure" -> check(new java.security.SecureRandom().nextInt(4) != 3);
            case "shuffle" -> {
                List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
                Collections.shuffle(list);
                check(list.get(0) != 3);
            }
            case "shuffleSum" -> {
                List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
                Collections.shuffle(list);
                check(list.get(0) + list.get(1) + list.get(2) == 6);
            }
            case "ownRandom" -> check(new Random() { }.nextInt(2) == 0);
            case "stream" -> check(new Random().ints(2, 0, 3).sum() != 4);
            case "mathRandomHalf" -> check(Math.random() < 0.5);
            case "nextIntAny" -> check(new Random().nextInt() != 1234567);
            case "nextLong" -> check(new Random().nextLong() >= 0);
            case "gaussian" -> check(new Random().nextGaussian() < 1);
            case "bytes" -> { byte[] b = new byte[2]; new Random().nextBytes(b); field = b[0]; check(field != 77); }
            case "uuid" -> check(UUID.randomUUID().toString().charAt(0) != 'x');
            case "pauses" -> {
                Random r = new Random();
                Thread.sleep(r.nextInt(1000));
                Thread.sleep(100 + r.nextInt(900));
                int pause = r.nextInt(5000);
                Thread.sleep(pause);
                Thread.sleep((long) (Math.random() * 1000));
                Thread.sleep((int) (Math.random() * 500));
                System.out.println("paused " + pause);
            }
            case "badPause" -> Thread.sleep(500 - new Random().nextInt(1000));
            // With a seed everything is known.
            case "seeded" -> check(new Random(1).nextInt(2) == new Random(1).nextInt(2));
            case "seededLater" -> { Random r = new Random(); r.setSeed(7); check(r.nextInt() == new Random(7).nextInt()); }
            case "seededSplittable" -> check(new SplittableRandom(5).nextInt() == new SplittableRandom(5).nextInt());
            case "lowestSeed" -> check(new Random(Long.MIN_VALUE).nextInt() == new Random(Long.MIN_VALUE).nextInt());
            // Clocks.
            case "nanoTime" -> check(System.nanoTime() % 2 == 0);
            case "currentTimeMillis" -> check(System.currentTimeMillis() > 0);
            case "date" -> check(new Date().getTime() > 0);
            case "instant" -> check(java.time.Instant.now().toEpochMilli() % 10 != 7);
            case "timer" -> { Timer t = new Timer(); t.begin(); check(t.start != 5); }
            case "helper" -> check(now() != 5);
            case "seedOfTime" -> check(new Random(System.nanoTime()).nextInt() != 3);
            case "printedTime" -> {
                long start = System.currentTimeMillis();
                long last = now();
                check(field == 0);
                System.out.println("took " + (System.currentTimeMillis() - start) + " ms, " + (now() - last));
                System.out.printf("%d%n", System.nanoTime() - last);
                System.out.println(new Date());
                System.out.println(String.format("%d", now()));
            }
            case "timedWaits" -> {
                BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
                check(queue.poll(1, TimeUnit.MILLISECONDS) == null);
                Thread.sleep(1);
                new Thread(() -> { }).join(10);
            }
            // What objects of the library keep of it.
            case "recordTime" -> check(new java.util.logging.LogRecord(java.util.logging.Level.INFO, "x").getMillis() % 2 == 0);
            case "recordInstant" -> check(new java.util.logging.LogRecord(java.util.logging.Level.INFO, "x").getInstant().getNano() == 0);
            case "recordText" -> {
                var record = new java.util.logging.LogRecord(java.util.logging.Level.INFO, "x");
                check(new java.util.logging.SimpleFormatter().format(record).length() == 7);
            }
            case "logText" -> {
                var bytes = new java.io.ByteArrayOutputStream();
                var record = new java.util.logging.LogRecord(java.util.logging.Level.INFO, "x");
                var handler = new java.util.logging.StreamHandler(bytes, new java.util.logging.SimpleFormatter());
                handler.publish(record);
                handler.flush();
                check(bytes.size() == 7);
            }
            case "logged" -> {
                var logger = java.util.logging.Logger.getLogger("x");
                logger.setUseParentHandlers(false);
                var formatter = new java.util.logging.SimpleFormatter();
                logger.addHandler(new java.util.logging.StreamHandler(System.out, formatter));
                logger.info("y");
                check(logger.isLoggable(java.util.logging.Level.INFO));
            }
            case "taskTime" -> {
                var timer = new java.util.Timer(true);
                var task = new TimerTask() { @Override public void run() { } };
                timer.schedule(task, 1000);
                check(task.scheduledExecutionTime() % 2 == 0);
            }
            case "delayLeft" -> {
                var pool = Executors.newScheduledThreadPool(1);
                long left = pool.schedule(() -> { }, 100, TimeUnit.MILLISECONDS).getDelay(TimeUnit.NANOSECONDS);
                pool.shutdownNow();
                check(left == 100_000_000);
            }
            case "dateFormat" -> {
                var format = new java.text.SimpleDateFormat("yyyy-MM-dd", Locale.ROOT);
                format.setTimeZone(TimeZone.getTimeZone("UTC"));
                check(format.format(format.parse("2020-01-02")).equals("2020-01-02"));
            }
            case "shortYear" -> {
                var format = new java.text.SimpleDateFormat("dd.MM.yy", Locale.ROOT);
                check(format.parse("01.02.99").getTime() > 0);
            }
            case "formatCalendar" -> {
                var format = new java.text.SimpleDateFormat("yyyy", Locale.ROOT);
                check(format.getCalendar().getTimeInMillis() % 2 == 0);
            }
            case "ownLoader" -> {
                class Loader extends ClassLoader { }
                check(new Loader().loadClass("Outside") == Outside.class);
            }
            case "mac" -> {
                var mac = javax.crypto.Mac.getInstance("HmacSHA256");
                mac.init(new javax.crypto.spec.SecretKeySpec(new byte[] {1}, "HmacSHA256"));
                check(mac.doFinal(new byte[] {2}).length == 32);
            }
            // The input.
            case "input" -> check(System.in.read() == -1);
            case "inputLine" -> {
                var reader = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
                check(reader.readLine() == null);
            }
            case "inputNumber" -> check(!new Scanner(System.in).hasNextInt());
            case "inputLeft" -> check(System.in.available() == 0);
            case "ownInput" -> {
                System.setIn(new java.io.ByteArrayInputStream("7".getBytes()));
                check(new Scanner(System.in).nextInt() == 7);
            }
            // What virtual machines do each in its own way.
            case "allThreads" -> check(Thread.getAllStackTraces().size() == 1);
            case "lambdaName" -> {
                Runnable lambda = () -> { };
                check(lambda.getClass().getName().length() < 30);
            }
            case "threadNumber" -> check(new Thread().getId() > 12);
            case "threadNumbers" -> check(new Thread().getId() != new Thread().getId());
            case "firstThread" -> check(Thread.currentThread().getId() == 1);
            case "className" -> check(new Point(1).getClass().getName().equals("Outside$Point"));
            case "methodOrder" -> check(Timer.class.getDeclaredMethods()[0].getName().equals("begin"));
            case "methodsOrder" -> check(Point.class.getDeclaredMethods()[0].getName().equals("hashCode"));
            case "methodCount" -> check(Point.class.getDeclaredMethods().length == 2);
            case "constructorOrder" -> {
                class Two { Two() { } Two(int x) { } }
                check(Two.class.getDeclaredConstructors()[0].getParameterCount() == 0);
            }
            // Identity.
            case "identity" -> check(System.identityHashCode(new Object()) % 2 == 0);
            case "hashCode" -> check(new Object().hashCode() != 7);
            case "enumHash" -> check(Color.RED.hashCode() != 7);
            case "toString" -> check(!new Object().toString().endsWith("7"));
            case "concat" -> check(!("a" + new Object()).endsWith("7"));
            case "order" -> {
                Object a = new Object(), b = new Object();
                check(System.identityHashCode(a) < System.identityHashCode(b));
            }
            case "methodReference" -> {
                int sum = List.of(new Object(), new Object()).stream().mapToInt(Object::hashCode).sum();
                check(sum != 7);
            }
            case "printedObject" -> {
                Object o = new Object();
                System.out.println(o);
                System.out.println("got " + o + " " + o.hashCode());
                StringBuilder text = new StringBuilder();
                text.append(o.hashCode()).append(" ").append(now());
                System.out.println(text.toString());
            }
            case "tables" -> {
                Map<Object, Integer> map = new HashMap<>();
                Object a = new Object(), b = new Object();
                map.put(a, 1);
                map.put(b, 2);
                map.put(Color.RED, 3);
                Set<Object> set = new HashSet<>(map.keySet());
                Map<Object, Integer> other = new ConcurrentHashMap<>(map);
                check(map.get(a) == 1 && map.containsKey(b) && map.size() == 3 && set.contains(a) && other.get(b) == 2);
                check(set.equals(map.keySet()) && new IdentityHashMap<>(map).get(a) == 1);
                EnumMap<Color, Integer> colors = new EnumMap<>(Color.class);
                colors.put(Color.BLUE, 1);
                for (Color color : colors.keySet()) check(color == Color.BLUE);
            }
            case "iteration" -> {
                Map<Object, Integer> map = new HashMap<>();
                map.put(new Object(), 1);
                map.put(new Object(), 2);
                check(map.values().iterator().next() == 1);
            }
            case "enumIteration" -> {
                Set<Color> set = new HashSet<>(List.of(Color.values()));
                check(set.iterator().next() == Color.RED);
            }
            case "recordIteration" -> {
                Set<Key> set = new HashSet<>();
                for (Color color : Color.values()) set.add(new Key(color, 1));
                check(new ArrayList<>(set).get(0).color == Color.RED);
            }
            case "streamIteration" -> {
                Map<Color, Integer> map = new HashMap<>();
                for (Color color : Color.values()) map.put(color, color.ordinal());
                check(map.values().stream().findFirst().get() == 0);
            }
            case "forEach" -> {
                Map<Color, Integer> map = new HashMap<>();
                for (Color color : Color.values()) map.put(color, color.ordinal());
                map.forEach((color, number) -> field = number);
                check(field == 2);
            }
            case "setOf" -> check(Set.of("a", "b", "c").iterator().next().equals("a"));
            case "setOf2" -> { String first = ""; for (String s : Set.of("a", "b")) first = s; check(first.equals("a")); }
            case "mapOf" -> check(Map.of("a", 1, "b", 2).values().iterator().next() == 1);
            case "constants" -> {
                Map<String, Integer> map = new HashMap<>();
                for (int i = 0; i < 20; i++) map.put("k" + i, i);
                int sum = 0;
                for (int value : map.values()) sum += value;
                Set<Plain> plain = new HashSet<>(List.of(new Plain("a", 1), new Plain("b", 2)));
                for (Plain one : plain) sum += one.number;
                Set<Point> points = new HashSet<>(List.of(new Point(1), new Point(2)));
                for (Point one : points) sum += one.x;
                Map<Object, Integer> linked = new LinkedHashMap<>();
                linked.put(new Object(), 1);
                linked.put(new Object(), 2);
                for (int value : linked.values()) sum += value;
                for (int value : List.of(1, 2, 3)) sum += value;
                check(sum == 205 && Set.of("a", "b").contains("a") && Map.of("a", 1, "b", 2).get("b") == 2);
                check(new HashSet<>(Set.of(1, 2, 3)).equals(Set.of(3, 2, 1)));
                for (Integer value : new TreeSet<>(Set.of(1, 2))) sum += value;
                check(sum == 208);
            }
            case "library" -> {
                ExecutorService pool = Executors.newFixedThreadPool(1);
                check(pool.submit(() -> 1).get() == 1);
                pool.shutdown();
                LongAdder adder = new LongAdder();
                adder.increment();
                check(adder.sum() == 1);
                ConcurrentSkipListMap<Integer, Integer> skips = new ConcurrentSkipListMap<>();
                skips.put(1, 1);
                check(skips.size() == 1);
            }
            // The machine.
            case "processors" -> check(Runtime.getRuntime().availableProcessors() > 2);
            case "memory" -> check(Runtime.getRuntime().freeMemory() > 1000);
            case "printedMemory" -> System.out.println("free: " + Runtime.getRuntime().freeMemory());
            case "environment" -> check(System.getenv("HOME") == null);
            case "wholeEnvironment" -> check(System.getenv().isEmpty());
            case "user" -> check(System.getProperty("user.name").equals("user"));
            case "version" -> check(System.getProperty("java.version").equals("17"));
            case "ownProperty" -> check(System.getProperty("my.key", "none").equals("none") && !Boolean.getBoolean("x"));
            case "separator" -> check(System.getProperty("line.separator").equals(System.lineSeparator()));
            case "charset" -> check(java.nio.charset.Charset.defaultCharset().name().length() == 5);
            case "console" -> check(System.console() == null);
            case "commonPool" -> check(java.util.concurrent.ForkJoinPool.commonPool().getParallelism() > 0);
            case "ownPool" -> check(new java.util.concurrent.ForkJoinPool(3).getParallelism() == 3);
            case "fileExists" -> check(!new java.io.File("/no/such/file").exists());
            case "pathExists" -> check(!java.nio.file.Files.exists(java.nio.file.Path.of("/no/such/file")));
            case "fileRead" -> {
                try (var in = new java.io.FileInputStream("/no/such/file")) {
                    check(in.read() == 3);
                } catch (java.io.FileNotFoundException e) {
                    field = 1;
                }
            }
            case "ownFile" -> {
                var file = new java.io.File("written.txt");
                try (var out = new java.io.FileWriter(file)) {
                    out.write("text");
                }
                check(file.length() == 4);
            }
            case "openOptions" -> {
                var path = java.nio.file.Path.of("written.bin");
                var write = java.nio.file.StandardOpenOption.WRITE;
                var create = java.nio.file.StandardOpenOption.CREATE;
                var truncate = java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
                try (var channel = java.nio.channels.FileChannel.open(path, write, create, truncate)) {
                    check(channel.write(java.nio.ByteBuffer.wrap(new byte[3])) == 3 && channel.size() == 3);
                }
            }
            case "ownResource" -> check(Outside.class.getResource("Outside.class") != null);
            // What the library does with such values.
            case "primes" -> check(java.math.BigInteger.valueOf(7919).isProbablePrime(20));
            case "lowerCase" -> check("\u0130".toLowerCase(Locale.ROOT).length() == 2);
            case "parsedDate" -> check(java.time.LocalDate.parse("2020-03-01").getMonthValue() == 3);
            case "methodType" -> check(java.lang.invoke.MethodType.methodType(int.class).parameterCount() == 0);
            case "bundle" -> {
                try {
                    ResourceBundle.getBundle("NoSuchBundle", Locale.ROOT);
                    check(false);
                } catch (MissingResourceException e) {
                    check(e.getKey().isEmpty());
                }
            }
            // Elements that come into the same list of a table, and such that do not.
            case "sameList" -> check(new HashSet<>(Set.of("Aa", "BB")).iterator().next().equals("Aa"));
            case "sameListOfMap" -> check(new HashMap<>(Map.of(1, "a", 17, "b")).keySet().iterator().next() == 1);
            case "otherLists" -> check(new HashSet<>(Set.of("x", "y", "z")).iterator().next().equals("x"));
            case "locale" -> check(Locale.getDefault().getCountry().equals("US"));
            // A collector.
            case "cleared" -> {
                var reference = new java.lang.ref.WeakReference<>(new Object());
                System.gc();
                check(reference.get() == null);
            }
            case "kept" -> {
                Object kept = new Object();
                var reference = new java.lang.ref.WeakReference<>(kept);
                System.gc();
                check(reference.get() == kept);
            }
            case "clearable" -> check(new java.lang.ref.WeakReference<>(new Object()).get() != null);
            case "queued" -> {
                var queue = new java.lang.ref.ReferenceQueue<Object>();
                var reference = new java.lang.ref.WeakReference<>(new Object(), queue);
                System.gc();
                check(queue.poll() == null);
            }
            case "cleaned" -> {
                var done = new AtomicBoolean();
                java.lang.ref.Cleaner.create().register(new Object(), () -> done.set(true));
                System.gc();
                check(!done.get());
            }
            case "redirected" -> {
                var bytes = new java.io.ByteArrayOutputStream();
                System.setOut(new java.io.PrintStream(bytes));
                System.out.println(new Object());
                check(bytes.size() != 23);
            }
            case "ownStream" -> {
                var bytes = new java.io.ByteArrayOutputStream();
                var stream = new java.io.PrintStream(bytes);
                stream.println(new Object());
                check(bytes.size() != 24);
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    static void check(boolean right) {
        if (!right) throw new IllegalStateException();
    }
}
