class Visitors {
    interface Visitor<R> {
        R number(double v);

        R binary(char op, Expr l, Expr r);
    }

    interface Expr {
        <R> R accept(Visitor<R> v);
    }

    static Expr num(double d) {
        return new Expr() {
            public <R> R accept(Visitor<R> v) {
                return v.number(d);
            }
        };
    }

    static Expr bin(char op, Expr l, Expr r) {
        return new Expr() {
            public <R> R accept(Visitor<R> v) {
                return v.binary(op, l, r);
            }
        };
    }

    static class Eval implements Visitor<Double> {
        public Double number(double v) {
            return v;
        }

        public Double binary(char op, Expr l, Expr r) {
            double a = l.accept(this), b = r.accept(this);
            return switch (op) {
                case '+' -> a + b;
                case '*' -> a * b;
                case '/' -> a / b;
                default -> throw new UnsupportedOperationException("" + op);
            };
        }
    }

    static class Show implements Visitor<String> {
        public String number(double v) {
            return v == Math.rint(v) ? String.valueOf((long) v) : String.valueOf(v);
        }

        public String binary(char op, Expr l, Expr r) {
            return "(" + l.accept(this) + " " + op + " " + r.accept(this) + ")";
        }
    }

    public static void main(String[] args) {
        Expr e = bin('+', num(1), bin('*', num(2.5), bin('/', num(4), num(0))));
        System.out.println(e.accept(new Show()) + " = " + e.accept(new Eval()));
        try {
            bin('%', num(1), num(2)).accept(new Eval());
        } catch (UnsupportedOperationException x) {
            System.out.println(x.getMessage());
        }
    }
}
