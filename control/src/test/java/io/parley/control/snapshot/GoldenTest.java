package io.parley.control.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Message;
import io.parley.control.draft.EnvoyJson;
import io.parley.control.draft.Flavor;
import io.parley.control.testing.Worlds;
import io.parley.resource.text.YamlWriter;
import io.parley.store.Expected;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is made of manifests, kept in files: {@code NAME.yaml} is the mesh, its first line says for whom the snapshot is made and
 * which types are looked at; {@code NAME.golden.yaml} is what comes out. Run with {@code -Dgolden=write} to write them anew.
 */
class GoldenTest {
    private static final Path ROOT = Path.of("src/test/resources/io/parley/control");
    private static final Pattern HEADER = Pattern.compile("# (\\S+) (PARLEY|ENVOY|GRPC) ([a-z,]+)(?: (\\S+))?");
    private static final ObjectMapper JSON = new ObjectMapper();

    static Stream<Path> meshes() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files
                    .filter(file -> file.toString().endsWith(".yaml")
                            && !file.toString().endsWith(".golden.yaml"))
                    .map(ROOT::relativize)
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("meshes")
    void makesWhatIsWrittenDown(Path mesh) throws IOException {
        String yaml = Files.readString(ROOT.resolve(mesh));
        Matcher header = HEADER.matcher(yaml.lines().findFirst().orElseThrow());
        assertThat(header.matches()).as("first line of " + mesh).isTrue();
        ProxyKey key = new ProxyKey(
                header.group(1).startsWith("-") ? "" : "default",
                header.group(1).replaceFirst("^-", ""),
                Flavor.valueOf(header.group(2)));
        Snapshot snapshot = snapshot(yaml, key, header.group(4));
        String made = YamlWriter.write(shown(snapshot, List.of(header.group(3).split(",", -1))));
        Path golden = ROOT.resolve(mesh.toString().replace(".yaml", ".golden.yaml"));
        if ("write".equals(System.getProperty("golden"))) {
            Files.writeString(golden, made);
        }
        assertThat(made).as(golden.toString()).isEqualTo(Files.readString(golden));
    }

    private static Snapshot snapshot(String yaml, ProxyKey key, @org.jspecify.annotations.Nullable String zone) {
        try (MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC())) {
            Worlds.resources(yaml).forEach(resource -> store.put(resource, Expected.anything()));
            try (ProxySnapshots snapshots = ProxySnapshots.open(store, zone)) {
                var live = snapshots.of(key);
                snapshots.settle();
                assertThat(snapshots.problems()).isEmpty();
                return live.current().orElseThrow();
            }
        }
    }

    private static JsonNode shown(Snapshot snapshot, List<String> types) throws IOException {
        ObjectNode tree = JSON.createObjectNode();
        for (String type : types) {
            ResourceType resourceType = ResourceType.valueOf(type.toUpperCase(Locale.ROOT));
            for (EncodedResource resource : snapshot.resources(resourceType).resources()) {
                Message message =
                        resourceType.parser().parseFrom(resource.toAny().getValue());
                tree.withArray("/" + type).add(JSON.readTree(EnvoyJson.print(message)));
            }
        }
        return tree;
    }
}
