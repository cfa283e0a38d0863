class Characters {
    public static void main(String[] args) {
        int[] cs = {'a', 'Z', '0', ' ', '\t', '_', '$', '\u00e9', '\u00df', '\u0130', '\u4e2d', '\u0660', '\u2028', '\u00a0', 0x1f600, 0x10400, '\u01c5', '\u0300', 0, 0x10ffff};
        for (int c : cs) {
            System.out.println(Integer.toHexString(c) + " " + Character.isLetter(c) + " " + Character.isDigit(c) + " " + Character.isLetterOrDigit(c)
                + " " + Character.isWhitespace(c) + " " + Character.isSpaceChar(c) + " " + Character.isUpperCase(c) + " " + Character.isLowerCase(c) + " " + Character.isTitleCase(c)
                + " " + Character.isJavaIdentifierStart(c) + " " + Character.isJavaIdentifierPart(c) + " " + Character.isISOControl(c)
                + " " + Character.getType(c) + " " + Character.getNumericValue(c) + " " + Character.digit(c, 16)
                + " " + Integer.toHexString(Character.toUpperCase(c)) + " " + Integer.toHexString(Character.toLowerCase(c)) + " " + Integer.toHexString(Character.toTitleCase(c))
                + " " + Character.getDirectionality(c) + " " + Character.isMirrored(c) + " " + Character.isIdeographic(c) + " " + Character.isDefined(c));
        }
        System.out.println(Character.forDigit(11, 16) + " " + Character.digit('z', 36) + " " + Character.compare('a', 'b') + " " + Character.reverseBytes('a'));
        System.out.println(Character.UnicodeBlock.of('a') + " " + Character.UnicodeScript.of(0x4e2d) + " " + Character.toString(0x1f600).length());
        int letters = 0, digits = 0, upper = 0;
        for (int c = 0; c < 0x3000; c++) {
            if (Character.isLetter(c)) letters++;
            if (Character.isDigit(c)) digits++;
            if (Character.isUpperCase(c)) upper++;
        }
        System.out.println(letters + " " + digits + " " + upper);
    }
}
