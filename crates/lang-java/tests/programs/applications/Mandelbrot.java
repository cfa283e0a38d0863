class Mandelbrot {
    public static void main(String[] args) {
        for (double y = 1.2; y >= -1.2; y -= 0.3) {
            StringBuilder line = new StringBuilder();
            for (double x = -2; x <= 0.6; x += 0.1) {
                double a = 0, b = 0;
                int n = 0;
                while (n < 30 && a * a + b * b < 4) {
                    double t = a * a - b * b + x;
                    b = 2 * a * b + y;
                    a = t;
                    n++;
                }
                line.append(" .:-=+*#%@".charAt(n * 9 / 30));
            }
            System.out.println(line);
        }
    }
}
