import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Fails the build if Netty reported a leak in a test of any module. It looks at what tests wrote, so that no module has to ask for it;
 * the tests of the proxy, which loses most if it leaks, are also held to account one by one, by an extension of theirs.
 */
final class Leaks {
    private static final String REPORT = "LEAK: ";

    /** It loses a buffer to see that this is noticed. */
    private static final String ON_PURPOSE = "NoLeaksTest";

    /** @param args the root of the tree */
    public static void main(String[] args) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(args[0]))) {
            for (Path module : modules.sorted().toList()) {
                read(module.resolve("target/surefire-reports"), found);
            }
        }
        if (!found.isEmpty()) {
            found.forEach(System.err::println);
            System.exit(1);
        }
    }

    private static void read(Path reports, List<String> found) throws IOException {
        if (!Files.isDirectory(reports)) {
            return;
        }
        try (Stream<Path> files = Files.list(reports)) {
            for (Path file : files.filter(Leaks::isOutput).toList()) {
                // Byte for byte: tests print what is no text, too.
                look(file, Files.readAllLines(file, StandardCharsets.ISO_8859_1), found);
            }
        }
    }

    private static void look(Path file, List<String> lines, List<String> found) {
        for (String line : lines) {
            if (line.contains(REPORT)) {
                found.add(file.getFileName() + ": " + line);
            }
        }
    }

    private static boolean isOutput(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith("-output.txt") && !name.contains(ON_PURPOSE);
    }
}
