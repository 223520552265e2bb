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
import io.parley.control.ProgramVersion;
import io.parley.control.app.StoreChoice;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Origin;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.config.file.Overrides;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A control plane and a mesh with strict mutual TLS in which everybody may call everybody. */
final class MixedMesh implements AutoCloseable {
    private static final HostPort ANY = HostPort.parse("127.0.0.1:0");

    private final Path folder;
    private final ControlPlane controlPlane;
    private final ApiClient api;
    private final LocalMembers members;

    MixedMesh(Path folder) throws IOException {
        this.folder = folder;
        this.controlPlane = ControlPlane.start(new ControlPlaneConfig(
                folder, ANY, ANY, ANY, new StoreChoice.Memory(), List.of(), null, null, new Mode.Standalone()));
        this.api = new ApiClient(
                controlPlane.apiUrl(),
                Files.readString(controlPlane.adminTokenFile()).strip(),
                controlPlane.caFile());
        this.members = new LocalMembers(folder, api, controlPlane.machinePort(), controlPlane.caFile());
        members.apply("""
            type: Mesh
            name: default
            mtls: {enabledBackend: ca, backends: [{name: ca, type: builtin}]}
            ---
            type: MeshTrafficPermission
            mesh: default
            name: all
            spec: {targetRef: {kind: Mesh}, from: [{targetRef: {kind: Mesh}, default: {action: Allow}}]}
            """);
    }

    void apply(String yaml) {
        members.apply(yaml);
    }

    /** Where xDS clients of this machine connect in clear. */
    int localXdsPort() {
        return controlPlane.localXdsPort();
    }

    /** A proxy of ours by its link. */
    ProxyProgram join(String name) throws IOException {
        return members.join(name, _ -> {});
    }

    /** A proxy of ours that speaks xDS, as Envoy would. */
    ProxyProgram joinByXds(String name) throws IOException {
        var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var options = new ProxyProgram.Options(
                new Origin.Bootstrap(bootstrap(name), ProgramVersion.current()),
                new Overrides(null, null, anyPort, null),
                1);
        return ProxyProgram.start(options, Surroundings.real(), new PrintStream(OutputStream.nullOutputStream()));
    }

    /** The bootstrap file of a data plane. */
    Path bootstrap(String name) throws IOException {
        TestControlPlane.Result bootstrap = parley(
                "bootstrap",
                "--name",
                name,
                "--server",
                "localhost:" + controlPlane.machinePort(),
                "--ca",
                controlPlane.caFile().toString(),
                "--dataplane-token",
                token(name).toString());
        return Files.writeString(folder.resolve(name + ".bootstrap.json"), bootstrap.out());
    }

    /** The folder with the files of a data plane's certificate. */
    Path certificate(String name) {
        Path files = folder.resolve(name);
        TestControlPlane.Result _ = parley(
                "certificate",
                "--name",
                name,
                "--control-plane",
                "https://localhost:" + controlPlane.machinePort(),
                "--ca",
                controlPlane.caFile().toString(),
                "--token",
                token(name).toString(),
                "--out",
                files.toString());
        return files;
    }

    private static TestControlPlane.Result parley(String... arguments) {
        TestControlPlane.Result result = TestControlPlane.run(Map.of(), arguments);
        assertThat(result.exit()).as(result.err()).isZero();
        return result;
    }

    /** Where machines connect. */
    int machinePort() {
        return controlPlane.machinePort();
    }

    Path caFile() {
        return controlPlane.caFile();
    }

    /** A file with the token of a data plane. */
    Path token(String name) {
        var request = JsonNodeFactory.instance.objectNode().put("name", name).put("mesh", "default");
        String token =
                api.post("/tokens/dataplane", request).body().path("token").asText();
        try {
            return Files.writeString(folder.resolve(name + ".own.token"), token);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        members.close();
        api.close();
        controlPlane.close();
    }
}
