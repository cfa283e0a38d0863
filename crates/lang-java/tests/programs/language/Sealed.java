class Sealed {
    sealed interface Expr permits Num, Add, Neg { }

    record Num(int v) implements Expr { }

    record Add(Expr l, Expr r) implements Expr { }

    static final class Neg implements Expr {
        final Expr e;

        Neg(Expr e) {
            this.e = e;
        }
    }

    static int eval(Expr e) {
        if (e instanceof Num n) {
            return n.v();
        } else if (e instanceof Add a) {
            return eval(a.l()) + eval(a.r());
        } else if (e instanceof Neg n) {
            return -eval(n.e);
        }
        throw new AssertionError(e);
    }

    public static void main(String[] args) {
        System.out.println(eval(new Add(new Num(3), new Neg(new Add(new Num(1), new Num(5))))));
        System.out.println(Expr.class.isSealed() + " " + Num.class.isSealed());
        for (Class<?> c : Expr.class.getPermittedSubclasses()) {
            System.out.println(c.getName());
        }
    }
}
