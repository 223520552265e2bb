import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Says which tests were skipped, and what to install so that they run: Maven itself only counts them. Run at the end of the build. */
final class Skipped {
    /** @param args the root of the tree */
    public static void main(String[] args) throws Exception {
        Map<String, Set<String>> byReason = new TreeMap<>();
        try (Stream<Path> modules = Files.list(Path.of(args[0]))) {
            for (Path module : modules.toList()) {
                read(module.resolve("target/surefire-reports"), byReason);
            }
        }
        byReason.forEach((reason, tests) -> System.out.println("Not run, " + reason + ": " + String.join(", ", tests)));
    }

    private static void read(Path reports, Map<String, Set<String>> byReason) throws Exception {
        if (!Files.isDirectory(reports)) {
            return;
        }
        try (Stream<Path> files = Files.list(reports)) {
            for (Path file : files.filter(Skipped::isReport).toList()) {
                NodeList skipped = DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(file.toFile())
                        .getElementsByTagName("skipped");
                for (int i = 0; i < skipped.getLength(); i++) {
                    add((Element) skipped.item(i), byReason);
                }
            }
        }
    }

    private static boolean isReport(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith("TEST-") && name.endsWith(".xml");
    }

    private static void add(Element skipped, Map<String, Set<String>> byReason) {
        Element test = (Element) skipped.getParentNode();
        String reason = skipped.getAttribute("message")
                .replaceFirst("^Assumption failed: ", "")
                .replaceFirst("^SKIPPED: ", "");
        String type = test.getAttribute("classname");
        byReason.computeIfAbsent(reason.isEmpty() ? "without a reason" : reason, _ -> new TreeSet<>())
                .add(type.substring(type.lastIndexOf('.') + 1) + "." + test.getAttribute("name"));
    }
}
