package io.parley.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Random;
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

    private static final String[] PURE = {
        "io.parley.agreement..", "io.parley.wire..", "io.parley.resource..", "io.parley.proxy.route.."
    };

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
        check(noClasses()
                .that()
                .resideOutsideOfPackages(
                        modules().map(module -> "io.parley." + module + "..").toArray(String[]::new))
                .should()
                .resideInAPackage("io.parley.."));
    }

    @Test
    void packagesOfTheCoreFormNoCycle() {
        for (String module : List.of("agreement", "wire", "resource", "store", "identity")) {
            check(slices().matching("io.parley." + module + ".(*)..").should().beFreeOfCycles());
        }
    }

    @Test
    void thePureCoreDoesNoInputAndOutput() {
        check(noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.nio.file..",
                        "java.nio.channels..",
                        "java.net.http..",
                        "io.netty.channel..",
                        "java.sql.."));
    }

    @Test
    void timeAndChanceAreGiven() {
        check(noClasses()
                .that()
                .resideInAnyPackage(PURE)
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
                .callMethod(Math.class, "random")
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
        rule.allowEmptyShould(true).check(classes);
    }
}
