import java.util.List;
import java.util.Map;
import me.normanmaurer.maven.autobahntestsuite.AutobahnTestSuite;
import me.normanmaurer.maven.autobahntestsuite.FuzzingCaseResult;

/** Runs cases of the suite against a server, {@code URL CASE...}, and prints a line for each. */
final class Suite {
    private Suite() {}

    public static void main(String[] arguments) throws Exception {
        List<String> cases = List.of(arguments).subList(1, arguments.length);
        for (FuzzingCaseResult result :
                AutobahnTestSuite.runFuzzingClient("server", arguments[0], Map.of("version", 18), cases, List.of())) {
            System.out.println("result " + result);
        }
        System.exit(0); // Jython leaves threads behind
    }
}
