// A class of tests for Java PathFinder without a main of its own: what expects a violation is left out.
// ends: one 1
// ends: one 2
// ends: two
import gov.nasa.jpf.util.test.TestJPF;
import gov.nasa.jpf.vm.Verify;
import org.junit.Test;

public class PathFinderTests extends TestJPF {
    @Test
    public void one() {
        if (verifyNoPropertyViolation("+key=value")) {
            System.out.println("one " + Verify.getInt(1, 2));
        } else {
            fail("nobody looks at the search");
        }
    }

    @Test
    public void two() {
        if (verifyNoPropertyViolation()) {
            System.out.println("two");
            assertEquals(4, 2 + 2);
        }
    }

    @Test
    public void three() {
        if (verifyAssertionError()) {
            assert false;
        }
    }

    public void noTest() {
        fail();
    }
}
