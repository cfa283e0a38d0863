class InnerClasses {
    private int field = 10;

    class Inner {
        private int field = 20;

        class Deep {
            int sum() {
                return field + InnerClasses.this.field;
            }
        }
    }

    static class Nested {
        private static int count;

        Nested() {
            count++;
        }
    }

    Runnable local(int captured) {
        String text = "captured " + captured;
        class Local implements Runnable {
            int calls;

            public void run() {
                calls++;
                field++;
                System.out.println(text + " " + field + " " + calls);
            }
        }
        return new Local();
    }

    Object anonymous(String s) {
        return new Object() {
            int n = s.length();

            @Override
            public String toString() {
                return s + n + field;
            }
        };
    }

    public static void main(String[] args) {
        InnerClasses o = new InnerClasses();
        Inner i = o.new Inner();
        Inner.Deep d = i.new Deep();
        System.out.println(d.sum());
        i.field = 1;
        System.out.println(d.sum());
        Runnable r = o.local(5);
        r.run();
        r.run();
        System.out.println(o.anonymous("abc"));
        new Nested();
        new Nested();
        System.out.println(Nested.count);
        System.out.println(r.getClass().getName() + " " + o.anonymous("").getClass().getName() + " " + d.getClass().getSimpleName());
    }
}
