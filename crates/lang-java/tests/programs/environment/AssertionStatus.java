/** What loaders are told about assertions holds for classes that are initialised later. */
class AssertionStatus {
    static class Early {
        static boolean on() {
            try {
                assert false;
                return false;
            } catch (AssertionError failure) {
                return true;
            }
        }
    }

    static class Late {
        static boolean on() {
            try {
                assert false;
                return false;
            } catch (AssertionError failure) {
                return true;
            }
        }
    }

    static class Named {
    }

    public static void main(String[] args) {
        ClassLoader loader = new ClassLoader(AssertionStatus.class.getClassLoader()) {
        };
        System.out.println(loader.getParent() == AssertionStatus.class.getClassLoader());
        System.out.println(Early.on() + " " + AssertionStatus.class.desiredAssertionStatus());
        ClassLoader own = AssertionStatus.class.getClassLoader();
        own.setDefaultAssertionStatus(false);
        own.setClassAssertionStatus("AssertionStatus$Named", true);
        System.out.println(Early.on() + " " + Late.on() + " " + Late.class.desiredAssertionStatus());
        own.clearAssertionStatus();
        System.out.println(Named.class.desiredAssertionStatus());
        own.setDefaultAssertionStatus(true);
        System.out.println(Named.class.desiredAssertionStatus());
    }
}
