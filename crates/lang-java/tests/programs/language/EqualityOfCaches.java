class EqualityOfCaches {
    public static void main(String[] args) {
        System.out.println(Integer.valueOf(127) == Integer.valueOf(127));
        System.out.println(Integer.valueOf(128) == Integer.valueOf(128));
        System.out.println(Long.valueOf(-128) == Long.valueOf(-128));
        System.out.println(Long.valueOf(-129) == Long.valueOf(-129));
        System.out.println(Short.valueOf((short) 100) == Short.valueOf((short) 100));
        System.out.println(Character.valueOf('\u007f') == Character.valueOf('\u007f'));
        System.out.println(Character.valueOf('\u0080') == Character.valueOf('\u0080'));
        System.out.println(Byte.valueOf((byte) -1) == Byte.valueOf((byte) -1));
        System.out.println(Double.valueOf(0) == Double.valueOf(0));
        System.out.println(Boolean.valueOf("true") == Boolean.TRUE);
        System.out.println(Double.valueOf(Double.NaN).equals(Double.NaN) + " " + Double.valueOf(0.0).equals(-0.0));
        System.out.println(Float.valueOf(1f).hashCode() + " " + Double.valueOf(1.5).hashCode() + " " + Long.valueOf(1L << 33).hashCode() + " " + Boolean.hashCode(true));
    }
}
