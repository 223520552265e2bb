package io.parley.control.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.store.StoreException;
import io.parley.sync.cache.Pace;
import io.parley.sync.zone.Channels;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A data folder is one control plane's: who cannot serve leaves it as it is. */
class OneFolderTest {
    private static final String ANY = "127.0.0.1:0";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path data;

    static List<StoreChoice> local() {
        return List.of(new StoreChoice.Memory(), new StoreChoice.Sqlite());
    }

    @ParameterizedTest
    @MethodSource("local")
    void aSecondControlPlaneIsRefusedWhateverTheStore(StoreChoice store) throws Exception {
        try (ControlPlane _ = ControlPlane.start(config(ANY, ANY, store))) {
            Map<String, String> before = files();

            assertThatThrownBy(() -> ControlPlane.start(config(ANY, ANY, store)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("is in use by");
            assertThat(files()).isEqualTo(before);
        }
        ControlPlane.start(config(ANY, ANY, store)).close();
    }

    @Test
    void whatCannotListenSaysWhereAndChangesNoFile() throws Exception {
        ControlPlane.start(config(ANY, ANY, new StoreChoice.Memory())).close();
        Map<String, String> before = files();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();

            assertThatThrownBy(() -> ControlPlane.start(config(address, ANY, new StoreChoice.Memory())))
                    .hasMessageContaining("cannot listen on " + address)
                    .hasMessageContaining("--api HOST:PORT");
            assertThatThrownBy(() -> ControlPlane.start(config(ANY, address, new StoreChoice.Memory())))
                    .hasMessageContaining("cannot listen on " + address)
                    .hasMessageContaining("--listen HOST:PORT");
        }
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void aZoneThatCannotListenSaysWhereToo() throws Exception {
        try (ControlPlane global = ControlPlane.start(config(ANY, ANY, new StoreChoice.Memory()));
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            Channels channels = new Channels(
                    URI.create("grpcs://127.0.0.1:" + global.machinePort()), global.caFile(), data.resolve("token"));
            Files.writeString(data.resolve("token"), "none");
            Mode zone = new Mode.Zone("east", channels, Pace.DEFAULT);

            assertThatThrownBy(() -> ControlPlane.start(
                            config(data.resolve("east"), address, ANY, new StoreChoice.Memory(), zone)))
                    .hasMessageContaining("cannot listen on " + address);
        }
    }

    @Test
    void aFolderThatIsNoneIsSaidToBeAFile() throws Exception {
        Path file = Files.writeString(data.resolve("file"), "");

        assertThatThrownBy(() -> DataFolder.open(file))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage(
                        "cannot use the data folder " + file + ": it is a file (expected: a folder, or nothing yet)");
    }

    /** What is for others to read; the store's own files change while it is looked at. */
    private Map<String, String> files() throws Exception {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> all = Files.list(data)) {
            for (Path file : all.filter(each -> !each.getFileName().toString().startsWith("store."))
                    .toList()) {
                found.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return found;
    }

    private ControlPlaneConfig config(String api, String listen, StoreChoice store) {
        return config(data, api, listen, store, new Mode.Standalone());
    }

    private static ControlPlaneConfig config(Path folder, String api, String listen, StoreChoice store, Mode mode) {
        return new ControlPlaneConfig(
                folder, HostPort.parse(api), HostPort.parse(listen), null, store, List.of(), null, null, mode);
    }
}
