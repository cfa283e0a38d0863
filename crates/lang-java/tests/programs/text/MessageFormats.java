import java.text.ChoiceFormat;
import java.text.MessageFormat;

class MessageFormats {
    public static void main(String[] args) {
        System.out.println(MessageFormat.format("{0} has {1} items, {0}!", "Bob", 1234));
        System.out.println(MessageFormat.format("It''s {0} '{quoted}' {2}", "x", "y"));
        System.out.println(MessageFormat.format("{0,number,#.##} {0,number,integer} {0,number,percent}", 3.14159));
        ChoiceFormat c = new ChoiceFormat("0#none|1#one|1<many");
        System.out.println(c.format(0) + c.format(1) + c.format(5));
        System.out.println(MessageFormat.format("There {0,choice,0#are no files|1#is one file|1<are {0} files}.", 3));
        try {
            MessageFormat.format("{x}", 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
