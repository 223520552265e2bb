import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Finishes the distribution folder: writes the class paths that the launcher uses, and trains four AOT caches on it (JEP 514): for
 * short commands, for proxies that join a control plane, for those that are told all by a file, and for control planes. A JVM that cannot make them is no reason to fail the build: the program then
 * starts slower.
 */
final class Distribution {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** What every start loads and a cache refuses. */
    private static final Pattern NOT_CACHEABLE = Pattern.compile("(bc(pkix|prov|util)|picocli)-.*\\.jar");

    /**
     * What a proxy that is told all by a file never uses. The JVM opens every archive of a class path and keeps its index on the heap, and these have half
     * of all entries.
     */
    private static final Pattern NOT_FOR_STATIC =
            Pattern.compile("@/lib/(api|armeria|byte-buddy|sqlite-jdbc|postgresql|HikariCP)-[0-9].*\\.jar");

    /**
     * The same as in the launcher, so that the classes of the allocator that proxies use are in their caches. And no profiles of methods (JEP 515): what
     * the compiler makes of those of a short training is slower for good than what it makes of real traffic, see decision 0320.
     */
    private static final List<String> OF_PROXIES = List.of(
            "-Dio.netty.allocator.type=pooled",
            "-Dio.netty.allocator.maxOrder=7",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-AOTRecordTraining");

    /** Of Linux, by Java's name for the processor. */
    private static final Map<String, Pattern> NATIVE_LIBRARIES = Map.of(
            "amd64",
            Pattern.compile("META-INF/native/lib[^/]*_x86_64\\.so|org/sqlite/native/Linux/x86_64/[^/]*\\.so"),
            "aarch64",
            Pattern.compile("META-INF/native/lib[^/]*_aarch_64\\.so|org/sqlite/native/Linux/aarch64/[^/]*\\.so"));

    private final Path folder;
    private final String classPath;

    private Distribution(Path folder, String classPath) {
        this.folder = folder;
        this.classPath = classPath;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Path.of(args[0]);
        prepare(folder.resolve("lib"), Files.createDirectories(folder.resolve("native")));
        String dependencies = Files.readString(folder.resolve("dependencies")).strip();
        // '@' stands for the folder, so that the distribution can be moved.
        String classPath = ("@lib/" + args[1] + ":" + dependencies).replace("@lib/", "@/lib/");
        Files.writeString(folder.resolve("classpath-static"), withoutUnused(classPath));
        new Distribution(folder, classPath).train();
        Files.writeString(folder.resolve("classpath"), classPath);
        Files.delete(folder.resolve("dependencies"));
    }

    private static String withoutUnused(String classPath) {
        return Stream.of(classPath.split(":", -1))
                .filter(jar -> !NOT_FOR_STATIC.matcher(jar).matches())
                .collect(Collectors.joining(":"));
    }

    private static void prepare(Path lib, Path natives) throws IOException {
        try (Stream<Path> files = Files.list(lib)) {
            for (Path jar : files.toList()) {
                if (!jar.toString().endsWith(".jar")) {
                    Files.delete(jar); // half a copy, of a build that was cut off
                    continue;
                }
                if (NOT_CACHEABLE.matcher(jar.getFileName().toString()).matches()) {
                    CacheableJar.rewrite(jar);
                }
                unpackLibraries(jar, natives);
            }
        }
    }

    /** What a library unpacks by itself it unpacks at every start, and leaves behind whenever the process is killed. */
    private static void unpackLibraries(Path jar, Path natives) throws IOException {
        Pattern wanted = NATIVE_LIBRARIES.get(System.getProperty("os.arch"));
        if (wanted == null || !System.getProperty("os.name").equals("Linux")) {
            return;
        }
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                if (wanted.matcher(entry.getName()).matches()) {
                    Path library = natives.resolve(
                            Path.of(entry.getName()).getFileName().toString());
                    try (InputStream in = zip.getInputStream(entry)) {
                        Files.copy(in, library, StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }
    }

    private void train() throws IOException, InterruptedException {
        Path data = Files.createTempDirectory("parley-training");
        Process server = training("server", data);
        Process alone = training("static", data);
        try {
            awaitFile(data.resolve("api.url"), server);
            check(training("client", data), "client");
            check(training("proxy", data), "proxy");
            Files.createFile(data.resolve("done"));
            check(alone, "static");
            check(server, "server");
        } finally {
            server.destroyForcibly();
            alone.destroyForcibly();
            try (Stream<Path> files = Files.walk(data)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private Process training(String role, Path data) throws IOException {
        Path cache = folder.resolve(role + ".aot");
        Files.deleteIfExists(cache);
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(List.of("-XX:AOTCacheOutput=" + cache, "-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"));
        // The same as in the launcher: what modules open is part of a cache.
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(
                List.of("--add-opens=java.base/java.nio=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true"));
        command.addAll(List.of("-Dpicocli.disable.closures=true", "-Dio.netty.jfr.enabled=false"));
        Path natives = folder.resolve("native");
        command.addAll(List.of("-Djava.library.path=" + natives, "-Dorg.sqlite.lib.path=" + natives));
        boolean isProxy = role.equals("proxy") || role.equals("static");
        command.addAll(isProxy ? OF_PROXIES : List.of());
        String jars = role.equals("static") ? withoutUnused(classPath) : classPath;
        command.addAll(
                List.of("-cp", jars.replace("@", folder.toString()), "io.parley.cli.Training", role, data.toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(role).toFile())
                .start();
    }

    private static void awaitFile(Path file, Process writer) throws InterruptedException {
        Instant end = Instant.now().plus(PATIENCE);
        while (!Files.exists(file) && writer.isAlive() && Instant.now().isBefore(end)) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private void check(Process training, String role) throws InterruptedException {
        boolean ended = training.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (!ended || training.exitValue() != 0 || !Files.exists(folder.resolve(role + ".aot"))) {
            System.out.println(
                    "No AOT cache for the " + role + " was made, see " + log(role) + ": it will start slower.");
        }
    }

    private Path log(String role) {
        return folder.resolveSibling("aot-" + role + ".log");
    }
}
