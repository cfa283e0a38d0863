import java.util.ArrayList;
import java.util.List;

class Diamonds {
    interface Drawable {
        default List<String> parts() {
            return new ArrayList<>(List.of("drawable"));
        }
    }

    interface Coloured extends Drawable {
        @Override
        default List<String> parts() {
            List<String> l = Drawable.super.parts();
            l.add("coloured");
            return l;
        }
    }

    interface Sized extends Drawable {
        @Override
        default List<String> parts() {
            List<String> l = Drawable.super.parts();
            l.add("sized");
            return l;
        }
    }

    static class Box implements Coloured, Sized {
        @Override
        public List<String> parts() {
            List<String> l = Coloured.super.parts();
            l.addAll(Sized.super.parts());
            return l;
        }
    }

    static class Special extends Box implements Drawable {
        @Override
        public List<String> parts() {
            List<String> l = super.parts();
            l.add(0, "special");
            return l;
        }
    }

    public static void main(String[] args) {
        System.out.println(new Box().parts() + " " + new Special().parts() + " " + new Coloured() { }.parts());
    }
}
