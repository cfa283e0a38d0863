import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.util.Locale;

class DecimalFormats {
    public static void main(String[] args) throws Exception {
        DecimalFormatSymbols us = DecimalFormatSymbols.getInstance(Locale.US);
        for (String p : new String[] {"#,##0.00", "0.###", "000.0", "#%", "0.00E0", "$#,##0;($#)"}) {
            DecimalFormat f = new DecimalFormat(p, us);
            System.out.println(p + ": " + f.format(1234567.891) + " " + f.format(-0.126) + " " + f.format(0) + " " + f.format(42L));
        }
        NumberFormat n = NumberFormat.getInstance(Locale.US);
        n.setMaximumFractionDigits(1);
        System.out.println(n.format(12345.67) + " " + n.parse("1,234.5") + " " + NumberFormat.getPercentInstance(Locale.US).format(0.256) + " " + NumberFormat.getIntegerInstance(Locale.US).format(2.5));
        System.out.println(NumberFormat.getCurrencyInstance(Locale.US).format(-1234.5));
        try {
            n.parse("abc");
        } catch (java.text.ParseException e) {
            System.out.println(e.getMessage() + " " + e.getErrorOffset());
        }
    }
}
