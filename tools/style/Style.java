import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.puppycrawl.tools.checkstyle.Checker;
import com.puppycrawl.tools.checkstyle.ConfigurationLoader;
import com.puppycrawl.tools.checkstyle.PropertiesExpander;
import com.puppycrawl.tools.checkstyle.api.AuditEvent;
import com.puppycrawl.tools.checkstyle.api.AuditListener;
import com.puppycrawl.tools.checkstyle.api.CheckstyleException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Checks every Java file of the tree: one fixed layout, which it can also apply, and the few rules of checkstyle.xml. One program for both, on
 * all processors. Run by the build, see pom.xml.
 */
final class Style {
    private static final Set<String> NOT_OURS = Set.of("target", ".git");
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .build());

    public static void main(String[] args) throws Exception {
        String mode = args[0];
        Path root = Path.of(args[1]);
        if (mode.equals("skip")) {
            return;
        }
        List<Path> files = javaFiles(root);
        boolean formatted = format(files, mode.equals("apply"));
        boolean kept = keepsTheRules(files, root.resolve("tools/style/checkstyle.xml"));
        System.exit(formatted && kept ? 0 : 1);
    }

    private static boolean format(List<Path> files, boolean rewrite) {
        List<Path> different =
                files.parallelStream().filter(file -> differs(file, rewrite)).toList();
        different.forEach(file -> System.out.println((rewrite ? "formatted " : "not formatted: ") + file));
        if (!rewrite && !different.isEmpty()) {
            System.err.println("Run ./mvnw -Dformat=apply validate");
        }
        return rewrite || different.isEmpty();
    }

    private static boolean differs(Path file, boolean rewrite) {
        try {
            String source = Files.readString(file);
            String formatted = FORMATTER.formatSourceAndFixImports(source);
            if (formatted.equals(source)) {
                return false;
            }
            if (rewrite) {
                Files.writeString(file, formatted);
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (FormatterException e) {
            throw new IllegalStateException(file + ": " + e.getMessage(), e);
        }
    }

    /** A checker is for one thread: each processor gets one, and every so manieth file. */
    private static boolean keepsTheRules(List<Path> files, Path rules) {
        int parts = Runtime.getRuntime().availableProcessors();
        return IntStream.range(0, parts)
                        .parallel()
                        .map(part -> violations(
                                IntStream.range(0, files.size())
                                        .filter(index -> index % parts == part)
                                        .mapToObj(files::get)
                                        .toList(),
                                rules))
                        .sum()
                == 0;
    }

    private static int violations(List<Path> files, Path rules) {
        try {
            Checker checker = new Checker();
            checker.setModuleClassLoader(Checker.class.getClassLoader());
            checker.configure(
                    ConfigurationLoader.loadConfiguration(rules.toString(), new PropertiesExpander(new Properties())));
            checker.addListener(new Printer());
            int violations = checker.process(files.stream().map(Path::toFile).toList());
            checker.destroy();
            return violations;
        } catch (CheckstyleException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Path> javaFiles(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                boolean skipped = NOT_OURS.contains(folder.getFileName().toString());
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".java")) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    /** Says what is wrong as compilers do. */
    private static final class Printer implements AuditListener {
        @Override
        public void addError(AuditEvent event) {
            System.out.println(event.getFileName() + ":" + event.getLine() + ": " + event.getMessage());
        }

        @Override
        public void addException(AuditEvent event, Throwable cause) {
            throw new IllegalStateException(event.getFileName(), cause);
        }

        @Override
        public void auditStarted(AuditEvent event) {}

        @Override
        public void auditFinished(AuditEvent event) {}

        @Override
        public void fileStarted(AuditEvent event) {}

        @Override
        public void fileFinished(AuditEvent event) {}
    }
}
