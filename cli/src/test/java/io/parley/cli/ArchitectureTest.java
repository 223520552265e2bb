package io.parley.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The arrows of docs/architecture.md, and what the pure parts may not call. */
class ArchitectureTest {
    /** What each module may use of the others. A new module gets its line here. */
    private static final Map<String, List<String>> MAY_USE = Map.ofEntries(
            Map.entry("agreement", List.of()),
            Map.entry("wire", List.of("agreement")),
            Map.entry("resource", List.of("agreement")),
            Map.entry("store", List.of("agreement", "resource")),
            Map.entry("identity", List.of()),
            Map.entry("xds", List.of("agreement", "wire")),
            Map.entry("link", List.of("agreement", "wire", "xds", "identity")),
            Map.entry("sync", List.of("agreement", "wire", "resource", "store", "identity", "xds")),
            Map.entry("control", List.of("agreement", "wire", "resource", "store", "identity", "xds", "link", "sync")),
            Map.entry("proxy", List.of("agreement", "wire", "resource", "identity", "xds", "link")),
            Map.entry(
                    "cli",
                    List.of(
                            "agreement",
                            "wire",
                            "resource",
                            "store",
                            "identity",
                            "xds",
                            "link",
                            "sync",
                            "control",
                            "proxy")));

    private static final List<String> PURE =
            List.of("io.parley.agreement..", "io.parley.wire..", "io.parley.resource..", "io.parley.proxy.route..");

    /** Who hands out time and chance: the programs' assemblies, and the edges that no program of ours puts together. */
    private static final List<String> HANDED_OUT_BY = List.of(
            "io.parley.cli..",
            "io.parley.control.app..",
            "io.parley.control.serve",
            "io.parley.proxy",
            "io.parley.proxy.join",
            "io.parley.sync.global",
            "io.parley.sync.zone",
            "io.parley.xds.client.loop",
            "io.parley.xds.server");

    @SuppressWarnings("NullAway.Init")
    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.parley");
    }

    static Stream<String> modules() {
        return MAY_USE.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void arrowsPointDownOnly(String module) {
        String[] others = MAY_USE.keySet().stream()
                .filter(other -> !other.equals(module)
                        && !MAY_USE.getOrDefault(module, List.of()).contains(other))
                .map(other -> "io.parley." + other + "..")
                .toArray(String[]::new);
        check(noClasses()
                .that()
                .resideInAPackage("io.parley." + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others));
    }

    @Test
    void everyModuleIsInTheTable() {
        // That there are none is the point.
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        modules().map(module -> "io.parley." + module + "..").toArray(String[]::new))
                .should()
                .resideInAPackage("io.parley..")
                .allowEmptyShould(true)
                .check(classes);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void packagesFormNoCycle(String module) {
        check(slices().matching("io.parley." + module + ".(**)").should().beFreeOfCycles());
    }

    static List<String> pure() {
        return PURE;
    }

    @ParameterizedTest
    @MethodSource("pure")
    void thePureCoreDoesNoInputAndOutput(String pure) {
        check(noClasses()
                .that()
                .resideInAPackage(pure)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.nio.file..", "java.nio.channels..", "java.net.http..", "io.netty.channel..", "java.sql..")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(
                        File.class,
                        FileInputStream.class,
                        FileOutputStream.class,
                        RandomAccessFile.class,
                        Socket.class,
                        ServerSocket.class,
                        DatagramSocket.class,
                        URLConnection.class));
    }

    @Test
    void timeAndChanceAreGiven() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(HANDED_OUT_BY.toArray(new String[0]))
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(LocalDateTime.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callMethod(InstantSource.class, "system")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(ThreadLocalRandom.class, "current")
                .orShould()
                .callMethod(RandomGenerator.class, "getDefault")
                .orShould()
                .callConstructor(Random.class));
    }

    @Test
    void nobodySleepsOrPrints() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.parley.cli..")
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", Duration.class)
                .orShould()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace"));
    }

    private static void check(ArchRule rule) {
        rule.check(classes);
    }
}
