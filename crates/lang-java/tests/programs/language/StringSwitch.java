class StringSwitch {
    static int days(String month) {
        switch (month) {
            case "feb": return 28;
            case "apr": case "jun": case "sep": case "nov": return 30;
            default: return 31;
        }
    }

    static String collide(String s) {
        switch (s) {
            case "Aa": return "first";
            case "BB": return "second";
            case "": return "empty";
            default: return "none";
        }
    }

    public static void main(String[] args) {
        for (String m : new String[] {"jan", "feb", "apr", "nov", "FEB"}) {
            System.out.println(m + " " + days(m));
        }
        System.out.println(collide("Aa") + collide("BB") + collide("C#") + collide(""));
    }
}
