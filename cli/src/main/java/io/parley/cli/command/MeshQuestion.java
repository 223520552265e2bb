package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.client.ServerOptions;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A question about one mesh. */
@SuppressWarnings("NullAway.Init") // fields are set by picocli
final class MeshQuestion {
    @Mixin
    private ServerOptions server;

    @Mixin
    private AnswerFormat format;

    @Option(
            names = {"-m", "--mesh"},
            paramLabel = "MESH",
            defaultValue = "default",
            description = "The mesh. Default: ${DEFAULT-VALUE}.")
    private String mesh;

    /**
     * Asks and prints.
     *
     * @param query names and values in turn; what has no value is left out
     */
    void ask(String path, PrintWriter out, @Nullable String... query) {
        format.ask(server, "/meshes/" + AnswerFormat.encode(mesh) + "/" + path, out, query);
    }

    /** The items of a list of this mesh; null if they were printed as JSON. */
    @Nullable
    JsonNode list(String path, PrintWriter out) {
        return format.list(server, "/meshes/" + AnswerFormat.encode(mesh) + "/" + path, out);
    }
}
