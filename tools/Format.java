import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Checks or rewrites every Java file of the tree in one fixed style. Run by the root build, see pom.xml. */
final class Format {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .build());

    public static void main(String[] args) throws Exception {
        String mode = args[0];
        if (mode.equals("skip")) {
            return;
        }
        List<Path> different = new ArrayList<>();
        for (Path file : javaFiles(Path.of(args[1]))) {
            String source = Files.readString(file);
            String formatted = FORMATTER.formatSourceAndFixImports(source);
            if (!formatted.equals(source)) {
                different.add(file);
                if (mode.equals("apply")) {
                    Files.writeString(file, formatted);
                }
            }
        }
        different.forEach(file -> System.out.println((mode.equals("apply") ? "formatted " : "not formatted: ") + file));
        if (!different.isEmpty() && !mode.equals("apply")) {
            System.err.println("Run ./mvnw -Dformat=apply validate");
            System.exit(1);
        }
    }

    private static List<Path> javaFiles(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !root.relativize(file).toString().contains("target/"))
                    .toList();
        }
    }
}
