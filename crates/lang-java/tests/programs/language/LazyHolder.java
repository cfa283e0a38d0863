class LazyHolder {
    static int made;

    static class Holder {
        static final LazyHolder INSTANCE = new LazyHolder();
    }

    LazyHolder() {
        made++;
    }

    static LazyHolder get() {
        return Holder.INSTANCE;
    }

    static class Constants {
        static final int INLINE = 3;
        static final String TEXT = "inline";
        static final Integer BOXED = 4;
        static final int[] ARRAY = {1};

        static {
            System.out.println("Constants initialised");
        }
    }

    public static void main(String[] args) {
        System.out.println(made);
        System.out.println(get() == get());
        System.out.println(made);
        System.out.println(Constants.INLINE + Constants.TEXT);
        System.out.println("before");
        System.out.println(Constants.BOXED + Constants.ARRAY.length);
    }
}
