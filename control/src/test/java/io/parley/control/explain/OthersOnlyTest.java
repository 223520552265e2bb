package io.parley.control.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OthersOnlyTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "policies.md");

    @Test
    void usersCanReadWhatOurProxiesLeaveOut() throws IOException {
        List<String> lines = Files.readAllLines(DOCUMENT);
        OthersOnly.FIELDS.forEach((kind, fields) -> assertThat(lines)
                .as(kind)
                .anySatisfy(row -> assertThat(row)
                        .startsWith("| " + kind + " |")
                        .contains(fields.stream().map(OthersOnlyTest::lastName).toList())));
    }

    private static String lastName(String field) {
        return field.substring(field.lastIndexOf('.') + 1) + "`";
    }
}
