import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Fails the build if Netty reported a leak in a test of any module. It looks at what tests wrote, so that no module has to ask for it;
 * the tests of the proxy, which loses most if it leaks, are also held to account one by one, by an extension of theirs.
 */
final class Leaks {
    private static final String REPORT = "LEAK: ";

    /** How the lines of a report go on: no line of a log begins so. */
    private static final Pattern OF_REPORT = Pattern.compile("(\\s|#[0-9]|: |Recent access|Created at).*");

    /**
     * gRPC's client loses what has come of a message if its call is cut off at that moment (grpc-java issue 12355 is one way to it). No buffer of ours
     * is involved, and tests cut off many.
     */
    private static final String GRPC_CLIENT = "io.grpc.netty.NettyClient";

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
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(REPORT)) {
                List<String> report = lines.subList(i + 1, lines.size()).stream()
                        .takeWhile(line -> OF_REPORT.matcher(line).matches())
                        .toList();
                String text = file.getFileName() + ": " + lines.get(i);
                if (report.stream().anyMatch(line -> line.contains(GRPC_CLIENT))) {
                    System.err.println("not counted, as it is in gRPC's client: " + text);
                } else {
                    found.add(text);
                }
            }
        }
    }

    private static boolean isOutput(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith("-output.txt") && !name.contains(ON_PURPOSE);
    }
}
