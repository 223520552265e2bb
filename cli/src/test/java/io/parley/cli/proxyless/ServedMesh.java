package io.parley.cli.proxyless;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.parley.cli.TestControlPlane;
import io.parley.cli.client.ApiClient;
import io.parley.cli.demo.LocalMembers;
import io.parley.control.app.ControlPlane;
import io.parley.control.app.ControlPlaneConfig;
import io.parley.control.app.HostPort;
import io.parley.control.app.Mode;
import io.parley.control.app.StoreChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A whole control plane that keeps its store and its ports when it is restarted, and the bootstrap files of its gRPC programs. */
final class ServedMesh implements AutoCloseable {
    private final Path folder;
    private ControlPlane controlPlane;
    private ApiClient api;

    ServedMesh(Path folder) throws IOException {
        this.folder = folder;
        HostPort any = HostPort.parse("127.0.0.1:0");
        controlPlane = start(any, any);
        api = api();
    }

    private ControlPlane start(HostPort machines, HostPort localXds) {
        HostPort any = HostPort.parse("127.0.0.1:0");
        return ControlPlane.start(new ControlPlaneConfig(
                folder,
                any,
                machines,
                localXds,
                new StoreChoice.Sqlite(),
                List.of(),
                null,
                null,
                new Mode.Standalone()));
    }

    private ApiClient api() throws IOException {
        return new ApiClient(
                controlPlane.apiUrl(),
                Files.readString(controlPlane.adminTokenFile()).strip(),
                controlPlane.caFile());
    }

    /** Stops it as an init system does, and starts another one in its place. */
    void restart() throws IOException {
        HostPort machines = HostPort.parse("127.0.0.1:" + machinePort());
        HostPort localXds = HostPort.parse("127.0.0.1:" + controlPlane.localXdsPort());
        close();
        controlPlane = start(machines, localXds);
        api = api();
    }

    void apply(String yaml) {
        try (LocalMembers members = new LocalMembers(folder, api, machinePort(), caFile())) {
            members.apply(yaml);
        }
    }

    int machinePort() {
        return controlPlane.machinePort();
    }

    int localXdsPort() {
        return controlPlane.localXdsPort();
    }

    Path caFile() {
        return controlPlane.caFile();
    }

    /** A file with the token of a data plane. */
    Path token(String name) throws IOException {
        var request = JsonNodeFactory.instance.objectNode().put("name", name).put("mesh", "default");
        String token =
                api.post("/tokens/dataplane", request).body().path("token").asText();
        return Files.writeString(folder.resolve(name + ".token"), token);
    }

    /** What {@code parley bootstrap} writes, as it is. */
    Path bootstrap(String name, String file, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("bootstrap", "--name", name));
        command.addAll(List.of(options));
        TestControlPlane.Result written = TestControlPlane.run(Map.of(), command.toArray(String[]::new));
        assertThat(written.exit()).as(written.err()).isZero();
        return Files.writeString(folder.resolve(file + ".json"), written.out());
    }

    @Override
    public void close() {
        api.close();
        controlPlane.close();
    }
}
