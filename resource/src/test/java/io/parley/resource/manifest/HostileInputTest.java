package io.parley.resource.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.parley.resource.Resource;
import io.parley.resource.text.Limits;
import io.parley.resource.text.Syntax;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What strangers send on purpose: refused with a reason, at a bounded price, and with nothing read from it. */
final class HostileInputTest {
    @Test
    void aBillionLaughsAreCountedAndRefused() {
        StringBuilder text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int level = 1; level < 10; level++) {
            String alias = "*a" + (level - 1);
            text.append("a%d: &a%d [%s, %s, %s, %s, %s]\n".formatted(level, level, alias, alias, alias, alias, alias));
        }
        assertThat(refusal(text.toString(), Syntax.YAML)).contains("too large (expected: at most 500000 values");
    }

    @Test
    void fiftyAliasesAreEnough() {
        assertThat(refusal("a: &a 1\nb: [" + "*a,".repeat(Limits.ALIASES + 1) + "]", Syntax.YAML))
                .contains("too many aliases (expected: at most 50)");
    }

    @Test
    void anAliasCannotStandForItself() {
        assertThat(refusal("type: Mesh\nname: a\nmtls: &a [*a]", Syntax.YAML))
                .contains("*a (expected: an anchor that ended before)");
    }

    @ParameterizedTest
    @CsvSource({"51, YAML", "1000, YAML", "100000, YAML", "101, JSON", "1000, JSON", "100000, JSON"})
    void depthIsLimited(int depth, Syntax syntax) {
        String text = "{\"type\":\"Mesh\",\"name\":\"a\",\"mtls\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
        assertThat(refusal(syntax == Syntax.YAML ? "# no JSON\n" + text : text, syntax))
                .matches("(?s).*too (deep|large) \\(expected: at most (50|100) levels.*");
    }

    @Test
    void deepBlocksAreLimitedToo() {
        assertThat(refusal("- ".repeat(1000) + "a", Syntax.YAML)).contains("too deep");
    }

    @Test
    void aLineOfAMebibyteIsEnough() {
        assertThat(refusal("type: Mesh\nname: " + "a".repeat(2_000_000), Syntax.YAML))
                .contains("line 2, column 1: a line of 2000006 characters (expected: at most 1048576)");
    }

    @Test
    void whatIsSkippedIsLimitedToo() {
        assertThat(refusal("? ".repeat(100_000), Syntax.YAML)).contains("too deep");
    }

    @ParameterizedTest
    @EnumSource(Syntax.class)
    void threeMebibytesAreEnough(Syntax syntax) {
        byte[] text = new byte[Limits.BYTES + 1];
        Arrays.fill(text, (byte) ' ');
        assertThat(refusal(text, syntax)).contains("3145729 bytes (expected: at most 3145728");
    }

    @ParameterizedTest
    @EnumSource(Syntax.class)
    void manySmallValuesAreLimited(Syntax syntax) {
        assertThat(refusal("{\"a\":[" + "1,\n".repeat(1_030_000) + "1]}", syntax))
                .contains("too large");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mtls: !!javax.script.ScriptEngineManager [1]|the tag"
                        + " tag:yaml.org,2002:javax.script.ScriptEngineManager",
                "mtls: !!str 1|the tag tag:yaml.org,2002:str (expected: no tags",
                "mtls: !own {a: 1}|the tag !own",
                "mtls: !!binary aGk=|the tag tag:yaml.org,2002:binary",
                "!!str mtls: {}|the tag",
                "name: b|name is given twice (expected: each field once)",
                "labels: {a: b, a: c}|a is given twice",
                "1: a|1 as a field name (expected: text; put it in quotes)",
                "true: a|true as a field name",
                "~: a|~ as a field name",
                "? {a: b}\\n: c|a field name that is no text",
                "? [a]\\n: c|a field name that is no text",
                "<<: {a: b}|<< merges one mapping into another (expected: the fields written out",
                "mtls: 0755|0755 (expected: no leading zero",
                "mtls: .nan|.nan (expected: a finite number",
                "mtls: -.inf|-.inf (expected: a finite number",
                "mtls: *nobody|*nobody (expected: an anchor that ended before)",
                "mtls: \"\\\\ud800\"|half a surrogate pair or U+0000",
                "mtls: \"\\\\0\"|half a surrogate pair or U+0000",
                "mtls: {a|not YAML",
                "\\tmtls: a|not YAML",
                "mtls: @a|not YAML"
            })
    void surprisesOfYamlAreRefused(String line, String reason) {
        String text = "type: Mesh\nname: a\n"
                + line.replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\");
        assertThat(refusal(text, Syntax.YAML)).contains(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"Mesh\",\"type\":\"Mesh\"}|not JSON: Duplicate field 'type'",
                "{\"a\":NaN}|not JSON",
                "{\"a\":01}|not JSON",
                "{'a':1}|not JSON",
                "{\"a\":1,}|not JSON",
                "{\"a\":\"\\ud800\"}|half a surrogate pair",
                "{\"a\":\"\\u0000\"}|half a surrogate pair or U+0000",
                "{\"a\":1//|not JSON"
            })
    void surprisesOfJsonAreRefused(String text, String reason) {
        assertThat(refusal(text, Syntax.JSON)).contains(reason);
    }

    @ParameterizedTest
    @EnumSource(Syntax.class)
    void bytesThatAreNotUtf8AreRefused(Syntax syntax) {
        assertThat(refusal(new byte[] {'a', ':', ' ', (byte) 0xC3, (byte) 0x28}, syntax))
                .contains("not UTF-8");
        assertThat(refusal("type: Mesh".getBytes(StandardCharsets.UTF_16), syntax))
                .contains("not UTF-8");
    }

    @ParameterizedTest
    @EnumSource(Syntax.class)
    void aNumberOfAMillionDigitsIsRefused(Syntax syntax) {
        assertThat(refusal("{\"type\":\"Mesh\",\"name\":\"a\",\"x\":" + "9".repeat(1_000_000) + "}", syntax))
                .contains("number");
    }

    @Test
    void anExponentCostsNothing() {
        assertThat(refusal(
                        "{type: Dataplane, name: a, networking: {address: b, inbound: [{port: 1e999999999, tags:"
                                + " {}}]}}",
                        Syntax.YAML))
                .contains("port: 1E+999999999 (expected: a whole number from 1 to 65535)");
    }

    @Test
    void tenThousandFaultsAreNotAllTold() {
        String text = "{\"type\":\"Mesh\",\"name\":\"A\"}\n".repeat(10_000);
        assertThat(refused(text.getBytes(StandardCharsets.UTF_8), Syntax.JSON).problems())
                .hasSize(100);
    }

    @Test
    void regularExpressionsThatWouldGrowAreRefused() {
        String route = """
            type: MeshHTTPRoute
            name: a
            spec: {to: [{targetRef: {kind: MeshService, name: a}, rules: [{matches: [{path: {type: RegularExpression, value: "%s"}}], default: {}}]}]}
            """;
        assertThat(refusal(route.formatted("((((a{100}){100}){100}){100})"), Syntax.YAML))
                .contains("RE2");
        assertThat(refusal(route.formatted("/((a{1000,}){1000,}){1000,}"), Syntax.YAML))
                .contains("path.value: /((a{1000,}){1000,}){1000,} (expected: a regular expression of RE2 syntax that"
                        + " takes")
                .contains("at most 10000 instructions");
        assertThat(refusal(route.formatted("(a)\\\\1"), Syntax.YAML)).contains("RE2");
        assertThat(refusal(route.formatted("a".repeat(2000)), Syntax.YAML)).contains("RE2");
    }

    @FuzzTest
    void noYamlMakesItThrow(byte[] text) {
        readBack(text, Syntax.YAML);
    }

    @FuzzTest
    void noJsonMakesItThrow(byte[] text) {
        readBack(text, Syntax.JSON);
    }

    /** Whatever is accepted comes back equal. */
    private static void readBack(byte[] text, Syntax syntax) {
        for (Resource resource :
                new ManifestReader(StatusField.KEEP).read(text, syntax).resources()) {
            byte[] yaml = ManifestWriter.yaml(resource, ServerFields.NONE).getBytes(StandardCharsets.UTF_8);
            assertThat(new ManifestReader(StatusField.KEEP).read(yaml, Syntax.YAML))
                    .isEqualTo(new Manifests.Good(List.of(resource)));
        }
    }

    private static String refusal(String text, Syntax syntax) {
        return refusal(text.getBytes(StandardCharsets.UTF_8), syntax);
    }

    private static String refusal(byte[] text, Syntax syntax) {
        return refused(text, syntax).problems().toString();
    }

    private static Manifests.Faulty refused(byte[] text, Syntax syntax) {
        Manifests manifests = new ManifestReader(StatusField.DROP).read(text, syntax);
        assertThat(manifests.resources()).isEmpty();
        assertThat(manifests).isInstanceOf(Manifests.Faulty.class);
        return (Manifests.Faulty) manifests;
    }
}
