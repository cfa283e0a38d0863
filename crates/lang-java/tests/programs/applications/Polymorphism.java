class Polymorphism {
    static abstract class Animal {
        private static int made;
        protected final String name;

        Animal(String name) {
            this.name = name + ++made;
            init();
        }

        protected void init() { }

        abstract String sound();

        public final String toString() {
            return name + " says " + sound();
        }
    }

    static class Dog extends Animal {
        int energy = 3;

        Dog() {
            super("dog");
        }

        @Override
        protected void init() {
            energy = 99;
        }

        String sound() {
            return energy-- > 0 ? "woof" : "zzz";
        }
    }

    static class Puppy extends Dog {
        @Override
        String sound() {
            return super.sound().toUpperCase() + "?";
        }
    }

    public static void main(String[] args) {
        Animal[] zoo = {new Dog(), new Puppy(), new Animal("cat") {
            String sound() {
                return "meow " + getClass().getName();
            }
        }};
        for (int i = 0; i < 4; i++) for (Animal a : zoo) System.out.println(a);
        System.out.println(Animal.made);
    }
}
