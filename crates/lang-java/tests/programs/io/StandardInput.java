import java.io.IOException;

class StandardInput {
    public static void main(String[] args) throws IOException {
        System.out.println(System.in.read());
        System.out.println(System.in.available());
        System.out.println(new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).readLine());
    }
}
