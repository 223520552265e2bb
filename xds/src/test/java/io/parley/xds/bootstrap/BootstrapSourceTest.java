package io.parley.xds.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootstrapSourceTest {
    @TempDir
    Path folder;

    @Test
    void theNamedFileComesFirstThenTheFileOfTheEnvironmentThenItsText() throws IOException {
        Path named = file("named");
        Path variable = file("variable");
        Map<String, String> both = Map.of(
                BootstrapSource.FILE_VARIABLE, variable.toString(), BootstrapSource.INLINE_VARIABLE, text("inline"));

        assertThat(uri(BootstrapSource.load(named, both))).isEqualTo("named:1");
        assertThat(uri(BootstrapSource.load(null, both))).isEqualTo("variable:1");
        assertThat(uri(BootstrapSource.load(null, Map.of(BootstrapSource.INLINE_VARIABLE, text("inline")))))
                .isEqualTo("inline:1");
    }

    /** As grpc-java looks for it: a file before a text, the environment before system properties. */
    @Test
    void systemPropertiesComeAfterTheVariableOfTheirKind() throws IOException {
        Map<String, String> properties = Map.of(
                BootstrapSource.FILE_PROPERTY, file("property").toString(),
                BootstrapSource.INLINE_PROPERTY, text("inline-property"));
        Map<String, String> inline = Map.of(BootstrapSource.INLINE_VARIABLE, text("inline"));

        assertThat(uri(BootstrapSource.load(
                        null,
                        Map.of(BootstrapSource.FILE_VARIABLE, file("variable").toString()),
                        properties::get)))
                .isEqualTo("variable:1");
        assertThat(uri(BootstrapSource.load(null, inline, properties::get))).isEqualTo("property:1");
        assertThat(uri(BootstrapSource.load(null, inline, Map.of(BootstrapSource.INLINE_PROPERTY, "{")::get)))
                .isEqualTo("inline:1");
        assertThat(uri(BootstrapSource.load(
                        null, Map.of(), Map.of(BootstrapSource.INLINE_PROPERTY, text("inline-property"))::get)))
                .isEqualTo("inline-property:1");
    }

    @Test
    void anyOfTheFourIsABootstrap() {
        assertThat(BootstrapSource.isGiven(Map.of("PATH", "x"), _ -> null)).isFalse();
        assertThat(BootstrapSource.isGiven(Map.of(BootstrapSource.FILE_VARIABLE, "x"), _ -> null))
                .isTrue();
        assertThat(BootstrapSource.isGiven(Map.of(BootstrapSource.INLINE_VARIABLE, "x"), _ -> null))
                .isTrue();
        assertThat(BootstrapSource.isGiven(Map.of(), Map.of(BootstrapSource.FILE_PROPERTY, "x")::get))
                .isTrue();
        assertThat(BootstrapSource.isGiven(Map.of(), Map.of(BootstrapSource.INLINE_PROPERTY, "x")::get))
                .isTrue();
    }

    @Test
    void c12_noSource() {
        assertThat(BootstrapSource.load(null, Map.of()))
                .isEqualTo(new BootstrapResult.Rejected(List.of(new BootstrapError.NoSource())));
    }

    @Test
    void c12_aFileThatCannotBeReadIsAnErrorAndNotSkipped() {
        Map<String, String> environment = Map.of(
                BootstrapSource.FILE_VARIABLE,
                folder.resolve("none").toString(),
                BootstrapSource.INLINE_VARIABLE,
                text("inline"));

        assertThat(error(BootstrapSource.load(null, environment))).isInstanceOf(BootstrapError.Unreadable.class);
        assertThat(error(BootstrapSource.load(folder, Map.of()))).isInstanceOf(BootstrapError.Unreadable.class);
        assertThat(error(BootstrapSource.load(null, Map.of(BootstrapSource.FILE_VARIABLE, "a\0b"))))
                .isInstanceOf(BootstrapError.Unreadable.class);
    }

    @Test
    void c12_aFileWithoutEndIsReadOnlyUpToTheLimit() throws IOException {
        Path large = folder.resolve("large");
        Files.write(large, new byte[BootstrapParser.MAX_BYTES + 1]);

        assertThat(error(BootstrapSource.load(large, Map.of())))
                .isEqualTo(new BootstrapError.TooLarge(BootstrapParser.MAX_BYTES));
    }

    private Path file(String host) throws IOException {
        return Files.writeString(folder.resolve(host), text(host));
    }

    private static String text(String host) {
        return BootstrapExamples.features("[]").replace("x:1", host + ":1");
    }

    private static String uri(BootstrapResult result) {
        return BootstrapExamples.require(result).servers().getFirst().uri();
    }

    private static BootstrapError error(BootstrapResult result) {
        assertThat(result).isInstanceOf(BootstrapResult.Rejected.class);
        return ((BootstrapResult.Rejected) result).errors().getFirst();
    }
}
