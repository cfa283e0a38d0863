class FinallyFlow {
    @SuppressWarnings("finally")
    static int overrides() {
        try {
            return 1;
        } finally {
            return 2;
        }
    }

    static int keeps() {
        int x = 1;
        try {
            return x;
        } finally {
            x = 5;
        }
    }

    static String nested(int n) {
        StringBuilder s = new StringBuilder();
        try {
            try {
                s.append("a");
                if (n == 1) throw new IllegalArgumentException();
                if (n == 2) throw new IllegalStateException();
                if (n == 3) return s.append("r").toString();
                s.append("b");
            } catch (IllegalArgumentException e) {
                s.append("c");
                if (n == 1) throw new RuntimeException("again");
            } finally {
                s.append("f");
            }
            s.append("g");
        } catch (RuntimeException e) {
            s.append("h");
        } finally {
            s.append("i");
            System.out.print(s + " ");
        }
        return s.toString();
    }

    static int loop() {
        int count = 0;
        for (int i = 0; i < 5; i++) {
            try {
                if (i == 1) continue;
                if (i == 3) break;
                count += 10;
            } finally {
                count++;
            }
        }
        return count;
    }

    public static void main(String[] args) {
        System.out.println(overrides() + " " + keeps() + " " + loop());
        for (int n = 0; n < 4; n++) System.out.println(nested(n));
        try {
            try {
                throw new RuntimeException("lost");
            } finally {
                Object o = null;
                o.hashCode();
            }
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName());
        }
    }
}
