package io.parley.cli.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.cli.client.ApiClient;
import io.parley.control.api.ResourcePath;
import io.parley.control.app.ControlPlane;
import io.parley.control.app.ControlPlaneConfig;
import io.parley.control.app.HostPort;
import io.parley.control.app.Mode;
import io.parley.control.app.ProgramVersion;
import io.parley.control.app.StoreChoice;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Origin;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.join.ControlPlaneLink;
import io.parley.proxy.tcp.Session;
import io.parley.resource.Resource;
import io.parley.resource.manifest.ManifestReader;
import io.parley.resource.manifest.ManifestWriter;
import io.parley.resource.manifest.Manifests;
import io.parley.resource.manifest.ServerFields;
import io.parley.resource.manifest.StatusField;
import io.parley.resource.text.Syntax;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A mesh in this process: a control plane, and proxies that join it with their tokens as they would from anywhere. */
public final class LocalMesh implements AutoCloseable {
    private final Path folder;
    private final ControlPlane controlPlane;
    private final ApiClient api;
    private final Deque<ProxyProgram> proxies = new ArrayDeque<>();

    private LocalMesh(Path folder, ControlPlane controlPlane) throws IOException {
        this.folder = folder;
        this.controlPlane = controlPlane;
        this.api = new ApiClient(
                controlPlane.apiUrl(),
                Files.readString(controlPlane.adminTokenFile()).strip(),
                controlPlane.caFile());
    }

    /** Starts the control plane; what it is told is kept in memory, its keys and tokens are in {@code folder}. */
    public static LocalMesh start(Path folder, HostPort api, HostPort listen) throws IOException {
        Files.createDirectories(folder);
        var config = new ControlPlaneConfig(
                folder, api, listen, null, new StoreChoice.Memory(), List.of(), null, null, new Mode.Standalone());
        return new LocalMesh(folder, ControlPlane.start(config));
    }

    public ControlPlane controlPlane() {
        return controlPlane;
    }

    /** The API, with the administrator's rights. */
    public ApiClient api() {
        return api;
    }

    /** Applies manifests in the order in which they stand. */
    public void apply(String yaml) {
        Manifests manifests =
                new ManifestReader(StatusField.DROP).read(yaml.getBytes(StandardCharsets.UTF_8), Syntax.YAML);
        if (manifests instanceof Manifests.Faulty faulty) {
            throw new IllegalArgumentException("manifests: " + faulty.problems());
        }
        for (Resource resource : manifests.resources()) {
            api.put(ResourcePath.of(resource.key()), ManifestWriter.json(resource, ServerFields.NONE));
        }
    }

    /** Starts the proxy of a Dataplane of mesh {@code default}; {@code ended} is told of each connection that ended. */
    public ProxyProgram join(String dataplane, Consumer<? super Session> ended) throws IOException {
        ObjectNode request = JsonNodeFactory.instance.objectNode().put("name", dataplane);
        return join(dataplane, null, token("dataplane", request.put("mesh", "default")), ended);
    }

    /** Starts a proxy for a Gateway; {@code ended} is told of each connection that ended. */
    public ProxyProgram joinGateway(String namespace, String name, Consumer<? super Session> ended) throws IOException {
        ObjectNode request = JsonNodeFactory.instance.objectNode().put("name", name);
        String token = token("gateway", request.put("namespace", namespace));
        return join(name + "." + namespace, namespace + "/" + name, token, ended);
    }

    private String token(String audience, ObjectNode request) {
        return api.post("/tokens/" + audience, request).body().path("token").asText();
    }

    private ProxyProgram join(String name, @Nullable String gateway, String token, Consumer<? super Session> ended)
            throws IOException {
        var settings = new ControlPlaneLink.Settings(
                URI.create("https://localhost:" + controlPlane.machinePort()),
                Files.writeString(folder.resolve(name + ".token"), token),
                controlPlane.caFile(),
                "default",
                name,
                ProgramVersion.current(),
                gateway);
        var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var options = new ProxyProgram.Options(
                new Origin.ControlPlane(settings), new Overrides(null, null, anyPort, null), 1);
        ProxyProgram program = ProxyProgram.start(
                options, Surroundings.real(), new PrintStream(OutputStream.nullOutputStream()), ended);
        proxies.push(program);
        return program;
    }

    /** Stops the proxies, the last one first, then the control plane. */
    @Override
    public void close() {
        while (!proxies.isEmpty()) {
            proxies.pop().close();
        }
        api.close();
        controlPlane.close();
    }
}
