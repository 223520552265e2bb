package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.client.ApiClient;
import io.parley.cli.client.ServerOptions;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The answer to a question as text for people, or as the JSON that came. */
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class AnswerFormat {
    /** How to print. */
    enum Output {
        TEXT,
        JSON
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text or json. Default: ${DEFAULT-VALUE}.")
    private Output output;

    /**
     * Asks and prints.
     *
     * @param query names and values in turn; what has no value is left out
     */
    void ask(ServerOptions server, String path, PrintWriter out, @Nullable String... query) {
        JsonNode answer = fetch(server, path + parameters(query));
        if (output == Output.JSON) {
            out.println(answer.toPrettyString());
            return;
        }
        out.println(answer.path("question").asText());
        for (JsonNode step : answer.path("steps")) {
            out.println("  " + step.path("about").asText() + ": "
                    + step.path("value").asText());
            out.println("      " + step.path("because").asText());
            String source = source(step);
            if (!source.isEmpty()) {
                out.println("      (" + source + ")");
            }
        }
    }

    /** The items of a list; null if they were printed as JSON. */
    @Nullable
    JsonNode list(ServerOptions server, String path, PrintWriter out) {
        JsonNode answer = fetch(server, path);
        if (output == Output.JSON) {
            out.println(answer.toPrettyString());
            return null;
        }
        return answer.path("items");
    }

    private static JsonNode fetch(ServerOptions server, String path) {
        try (ApiClient client = server.client()) {
            return client.get(path).body();
        }
    }

    private static String source(JsonNode step) {
        String resource = step.path("resource").asText();
        String field = step.path("field").asText();
        String rule = step.path("rule").asText();
        String read = field.isEmpty() ? resource : resource + " " + field;
        return read.isEmpty() || rule.isEmpty() ? read + rule : read + ", rule: " + rule;
    }

    private static String parameters(@Nullable String... query) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at + 1 < query.length; at += 2) {
            String value = query[at + 1];
            if (value != null) {
                text.append(text.isEmpty() ? '?' : '&')
                        .append(query[at])
                        .append('=')
                        .append(encode(value));
            }
        }
        return text.toString();
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
