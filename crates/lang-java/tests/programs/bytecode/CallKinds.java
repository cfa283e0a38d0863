class CallKinds {
    interface Shape {
        double area();

        default String describe() {
            return name() + " " + area();
        }

        private String name() {
            return getClass().getSimpleName();
        }

        static Shape unit() {
            return new Square(1);
        }
    }

    record Square(double side) implements Shape {
        public double area() {
            return side * side;
        }
    }

    static class Base {
        String who() {
            return "base";
        }

        private String secret() {
            return "base secret";
        }

        String ask() {
            return who() + ", " + secret();
        }
    }

    static class Derived extends Base {
        @Override
        String who() {
            return "derived of " + super.who();
        }

        private String secret() {
            return "derived secret";
        }

        String both() {
            return secret() + ", " + super.ask();
        }
    }

    static long mix(int a, long b, float c, double d, byte e, char f, boolean g, String h) {
        return a + b + (long) c + (long) d + e + f + (g ? 1 : 0) + h.length();
    }

    public static void main(String[] args) {
        System.out.println(Shape.unit().describe());
        System.out.println(new Derived().both());
        System.out.println(((Base) new Derived()).who());
        System.out.println(mix(1, 2L, 3.9f, 4.9, (byte) -5, 'a', true, "four"));
        Shape s = new Shape() {
            public double area() {
                return 2;
            }

            public String describe() {
                return "own " + Shape.super.describe();
            }
        };
        System.out.println(s.describe());
        Object[] array = {1};
        System.out.println(array.clone()[0] + " " + "x".equals(array[0]) + " " + array.equals(array));
    }
}
