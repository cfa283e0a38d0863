import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

class LocalRecordsEnums {
    public static void main(String[] args) {
        record Score(String name, int points) { }
        enum Grade { PASS, FAIL }
        interface Judge {
            Grade judge(Score s);
        }
        Judge judge = s -> s.points() > 5 ? Grade.PASS : Grade.FAIL;
        List<Score> scores = new ArrayList<>();
        scores.add(new Score("x", 3));
        scores.add(new Score("y", 8));
        scores.sort(Comparator.comparingInt(Score::points).reversed());
        for (Score s : scores) System.out.println(s + " " + judge.judge(s));
        var inferred = new Object() {
            int hidden = 42;
        };
        System.out.println(inferred.hidden);
        var list = List.of(1, 2.5, 'c');
        for (var v : list) System.out.println(v.getClass().getSimpleName());
    }
}
