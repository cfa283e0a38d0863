class Loops {
    public static void main(String[] args) {
        int sum = 0;
        outer:
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 10; j++) {
                if (j == 5) continue outer;
                if (i == 7) break outer;
                if ((i + j) % 3 == 0) continue;
                sum += i * j;
            }
        }
        System.out.println(sum);
        int n = 27, steps = 0;
        while (n != 1) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            steps++;
        }
        System.out.println(steps);
        do {
            steps -= 7;
        } while (steps > 0);
        System.out.println(steps);
        long fib = 1, prev = 0;
        for (int i = 0; i < 90; i++) {
            long next = fib + prev;
            prev = fib;
            fib = next;
        }
        System.out.println(fib);
        label: {
            if (sum > 0) break label;
            System.out.println("not reached");
        }
        for (int i = 0, j = 10; i < j; i += 3, j--) System.out.print(i + ":" + j + " ");
        System.out.println();
        for (;;) {
            if (++sum % 97 == 0) break;
        }
        System.out.println(sum);
    }
}
