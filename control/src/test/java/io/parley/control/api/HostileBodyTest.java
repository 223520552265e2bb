package io.parley.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.control.api.ApiFixture.Answer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HostileBodyTest {
    private static final String PATH = "/meshes/default/meshtimeouts/a";
    private static final String HEAD = "type: MeshTimeout\nmesh: default\nname: a\nspec:\n";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path data;

    @SuppressWarnings("NullAway.Init")
    private static ApiFixture api;

    @BeforeAll
    static void start() throws Exception {
        api = new ApiFixture(data);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    static Stream<Arguments> bodies() {
        return Stream.of(
                Arguments.of("alias bomb", aliasBomb(), 400),
                Arguments.of("depth 1000", HEAD + "  a: " + "[".repeat(1000) + "]".repeat(1000) + "\n", 400),
                Arguments.of("json depth 1000", "{\"a\":".repeat(1000) + "1" + "}".repeat(1000), 400),
                Arguments.of("over 3 MiB", HEAD + "  a: " + "x".repeat(3 * 1024 * 1024 + 1) + "\n", 413),
                Arguments.of("tag", HEAD + "  a: !!javax.script.ScriptEngineManager []\n", 400),
                Arguments.of("duplicate key", HEAD + "  a: 1\n  a: 2\n", 400),
                Arguments.of("wrong type", "type: MeshTimeout\nmesh: default\nname: a\nspec: 7\n", 400),
                Arguments.of("unknown kind", "type: Nothing\nname: a\n", 400),
                Arguments.of("long name", "type: Mesh\nname: " + "a".repeat(254) + "\n", 400),
                Arguments.of("not UTF-8 text", "type: Mesh\nname: \0\n", 400),
                Arguments.of("nothing", "", 400),
                Arguments.of("two", "type: Mesh\nname: x\n---\ntype: Mesh\nname: y\n", 400),
                Arguments.of("a list", "- 1\n- 2\n", 400));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bodies")
    void isAnsweredWithAProblemAndStoresNothing(String what, String body, int status) throws Exception {
        Answer answer = api.send(api.request("PUT", PATH, body)
                .header("content-type", "application/yaml")
                .build());

        assertThat(answer.status()).as(what).isEqualTo(status);
        assertThat(answer.type()).contains("application/problem+json");
        assertThat(answer.body().path("detail").asText()).isNotBlank();
        assertThat(api.get(PATH).status()).isEqualTo(404);
    }

    private static String aliasBomb() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 10; i++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(9) + "*a" + (i - 1)));
        }
        return bomb.toString();
    }
}
