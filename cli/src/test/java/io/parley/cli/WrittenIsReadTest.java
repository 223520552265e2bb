package io.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.control.snapshot.ProxyKey;
import io.parley.control.snapshot.ProxySnapshots;
import io.parley.proxy.config.xds.XdsConfig;
import io.parley.resource.manifest.ManifestReader;
import io.parley.resource.manifest.StatusField;
import io.parley.resource.text.Syntax;
import io.parley.store.Expected;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.xds.client.resource.Parsed;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the control plane writes for a proxy of ours, the proxy reads: every mesh of the control plane's own golden files. */
class WrittenIsReadTest {
    private static final Path MESHES = Path.of("../control/src/test/resources/io/parley/control");

    static Stream<Path> meshes() throws IOException {
        try (Stream<Path> files = Files.walk(MESHES)) {
            return files
                    .filter(file -> file.toString().endsWith(".yaml")
                            && !file.toString().endsWith(".golden.yaml"))
                    .filter(WrittenIsReadTest::isForUs)
                    .map(MESHES::relativize)
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    /** Programs without a proxy are told other things, and patches may be of what only Envoy knows. */
    private static boolean isForUs(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return !lines.findFirst().orElse("").contains(" GRPC ") && !file.endsWith("proxypatch/patches.yaml");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("meshes")
    void readsWhatIsWritten(Path file) throws IOException {
        byte[] yaml = Files.readAllBytes(MESHES.resolve(file));
        String[] header = new String(yaml, StandardCharsets.UTF_8)
                .lines()
                .findFirst()
                .orElseThrow()
                .split(" ", -1);
        String mesh = header[1].startsWith("-") ? "" : "default";
        List<String> refused = new ArrayList<>();
        try (MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC())) {
            new ManifestReader(StatusField.KEEP)
                    .read(yaml, Syntax.YAML)
                    .resources()
                    .forEach(resource -> store.put(resource, Expected.anything()));
            try (ProxySnapshots snapshots = ProxySnapshots.open(store, header.length > 4 ? header[4] : null)) {
                var live = snapshots.of(new ProxyKey(mesh, header[1].replaceFirst("^-", "")));
                snapshots.settle();
                check(live.current().orElseThrow(), refused);
            }
        }
        assertThat(refused).isEmpty();
    }

    private static void check(Snapshot snapshot, List<String> refused) {
        for (ResourceType type : XdsConfig.ORDER) {
            for (EncodedResource resource : snapshot.resources(type).resources()) {
                // Names outside the mesh are for whoever can look them up.
                boolean outside = resource.name().startsWith("parley:");
                if (!outside
                        && XdsConfig.parser(type).parse(resource.toAny().getValue())
                                instanceof Parsed.Invalid<?> invalid) {
                    refused.add(type + " " + resource.name() + ": " + invalid);
                }
            }
        }
    }
}
