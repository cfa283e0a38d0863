import java.nio.file.Files;
import java.nio.file.Path;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.ConstantDynamic;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;

/** Writes the class Constants, which prints constants that javac does not write: dynamic ones, handles, types of methods. */
class DynamicConstants implements Opcodes {
    static final String BOOTSTRAPS = "java/lang/invoke/ConstantBootstraps";
    static final String FRONT = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;";
    static final String OWN = "ConstantsBootstraps";
    static MethodVisitor main;

    static Handle of(String owner, String name, String descriptor) {
        return new Handle(H_INVOKESTATIC, owner, name, descriptor, false);
    }

    static ConstantDynamic known(String name, String type, String bootstrap, String rest, Object... arguments) {
        return new ConstantDynamic(name, type, of(BOOTSTRAPS, bootstrap, FRONT + rest), arguments);
    }

    static ConstantDynamic own(String name, String type, String bootstrap, String rest, Object... arguments) {
        return new ConstantDynamic(name, type, of(OWN, bootstrap, FRONT + rest), arguments);
    }

    /** Prints a constant. */
    static void print(Object constant, String type) {
        main.visitFieldInsn(GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
        main.visitLdcInsn(constant);
        String printed = type.equals("L") ? "Ljava/lang/Object;" : type;
        main.visitMethodInsn(INVOKEVIRTUAL, "java/io/PrintStream", "println", "(" + printed + ")V", false);
    }

    /** Prints whether a constant is the same object twice. */
    static void twice(Object constant) {
        main.visitLdcInsn(constant);
        main.visitLdcInsn(constant);
        main.visitMethodInsn(INVOKESTATIC, OWN, "same", "(Ljava/lang/Object;Ljava/lang/Object;)V", false);
    }

    public static void main(String[] args) throws Exception {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS | ClassWriter.COMPUTE_FRAMES);
        writer.visit(V17, ACC_PUBLIC, "Constants", null, "java/lang/Object", null);
        main = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "main", "([Ljava/lang/String;)V", null, null);
        main.visitCode();
        print(known("_", "Ljava/lang/String;", "nullConstant", ")Ljava/lang/Object;"), "L");
        print(known("I", "Ljava/lang/Class;", "primitiveClass", ")Ljava/lang/Class;"), "L");
        print(known("SECONDS", "Ljava/util/concurrent/TimeUnit;", "enumConstant", ")Ljava/lang/Enum;"), "L");
        String staticFinal = "Ljava/lang/Class;)Ljava/lang/Object;";
        print(known("MAX_VALUE", "I", "getStaticFinal", staticFinal, Type.getObjectType("java/lang/Integer")), "I");
        print(known("TRUE", "Ljava/lang/Boolean;", "getStaticFinal", ")Ljava/lang/Object;"), "L");
        String invoke = "Ljava/lang/invoke/MethodHandle;[Ljava/lang/Object;)Ljava/lang/Object;";
        Handle parse = of("java/lang/Long", "parseLong", "(Ljava/lang/String;)J");
        print(known("_", "J", "invoke", invoke, parse, "12345678901"), "J");
        Handle max = of("java/lang/Math", "max", "(DD)D");
        print(known("_", "D", "invoke", invoke, max, 1.5, 2.5), "D");
        Handle list = new Handle(H_INVOKESTATIC, "java/util/List", "of", "([Ljava/lang/Object;)Ljava/util/List;", true);
        ConstantDynamic inner = known("I", "Ljava/lang/Class;", "primitiveClass", ")Ljava/lang/Class;");
        ConstantDynamic all = known("_", "Ljava/util/List;", "invoke", invoke, list, 1, 2L, 3f, 4d, "five", inner,
            Type.getObjectType("java/lang/String"), Type.getMethodType("(I[J)Ljava/lang/String;"));
        print(all, "L");
        twice(all);
        print(own("named", "Ljava/lang/String;", "describe", ")Ljava/lang/String;"), "L");
        ConstantDynamic object = own("fresh", "Ljava/lang/Object;", "fresh", "I[Ljava/lang/String;)Ljava/lang/Object;", 7, "a", "b");
        twice(object);
        twice(object);
        print(own("small", "B", "number", "I)B", 200), "I");
        print(own("letter", "C", "letter", ")C"), "C");
        print(Type.getMethodType("(Ljava/lang/String;)V"), "L");
        twice(Type.getMethodType("(Ljava/lang/String;)V"));
        Handle length = new Handle(H_INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
        main.visitFieldInsn(GETSTATIC, "java/lang/System", "out", "Ljava/io/PrintStream;");
        main.visitLdcInsn(length);
        main.visitLdcInsn("four");
        main.visitMethodInsn(INVOKEVIRTUAL, "java/lang/invoke/MethodHandle", "invokeExact", "(Ljava/lang/String;)I", false);
        main.visitMethodInsn(INVOKEVIRTUAL, "java/io/PrintStream", "println", "(I)V", false);
        twice(length);
        print(own("failing", "I", "failing", ")I"), "I");
        main.visitInsn(RETURN);
        main.visitMaxs(0, 0);
        main.visitEnd();
        writer.visitEnd();
        Files.write(Path.of(args[0], "Constants.class"), writer.toByteArray());
    }
}
