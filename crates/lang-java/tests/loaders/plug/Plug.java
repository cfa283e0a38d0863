package plug;

import java.util.concurrent.Callable;

/** What is in the jar. */
public class Plug implements Callable<String> {
    private final Helper helper = new Helper();

    @Override
    public String call() {
        return "plug " + helper.next() + " " + new Object() {
            @Override
            public String toString() {
                return "anonymous";
            }
        };
    }
}

class Helper {
    private static int last;

    int next() {
        return ++last;
    }
}
