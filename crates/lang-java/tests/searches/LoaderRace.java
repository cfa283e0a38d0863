// Two threads want a class of one loader: it defines it once, and its static field has a race. Another loader's
// copy has a field of its own.
// ends: defined 1, here 0, other 7, sum 2
// ends: defined 1, here 0, other 7, sum 3
import java.io.IOException;
import java.io.InputStream;

public class LoaderRace {
    public static class Shared {
        static int last;

        public static int next() {
            return ++last;
        }

        public static int set(int value) {
            return last = value;
        }
    }

    static class Own extends ClassLoader {
        int defined;

        Own() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            ClassLoader files = LoaderRace.class.getClassLoader();
            try (InputStream in = files.getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                defined++;
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException error) {
                throw new ClassNotFoundException(name, error);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Own own = new Own();
        int[] got = new int[2];
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int number = i;
            threads[i] = new Thread(() -> {
                try {
                    Class<?> shared = own.loadClass("LoaderRace$Shared");
                    got[number] = (Integer) shared.getMethod("next").invoke(null);
                } catch (ReflectiveOperationException error) {
                    throw new AssertionError(error);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Class<?> other = new Own().loadClass("LoaderRace$Shared");
        Object set = other.getMethod("set", int.class).invoke(null, 7);
        int sum = got[0] + got[1];
        System.out.println("defined " + own.defined + ", here " + Shared.last + ", other " + set + ", sum " + sum);
    }
}
