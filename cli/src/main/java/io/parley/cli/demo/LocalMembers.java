package io.parley.cli.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.cli.client.ApiClient;
import io.parley.control.api.ResourcePath;
import io.parley.control.ProgramVersion;
import io.parley.control.keys.PrivateFile;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Origin;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.join.ControlPlaneLink;
import io.parley.proxy.join.ControlPlaneLink.Post;
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
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** Manifests and proxies for a control plane of this machine; the proxies run in this process, and join with tokens as from anywhere. */
public final class LocalMembers implements AutoCloseable {
    private final Path folder;
    private final ApiClient api;
    private final int machinePort;
    private final Path ca;
    private final Deque<ProxyProgram> proxies = new ArrayDeque<>();

    /**
     * None yet.
     *
     * @param folder for their tokens
     * @param api with the administrator's rights
     * @param machinePort of the control plane
     * @param ca that vouches for it
     */
    public LocalMembers(Path folder, ApiClient api, int machinePort, Path ca) {
        this.folder = folder;
        this.api = api;
        this.machinePort = machinePort;
        this.ca = ca;
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
        return join(dataplane, new Post.Sidecar(), token("dataplane", request.put("mesh", "default")), ended);
    }

    ProxyProgram joinGateway(String namespace, String name, Consumer<? super Session> ended) throws IOException {
        ObjectNode request = JsonNodeFactory.instance.objectNode().put("name", name);
        String token = token("gateway", request.put("namespace", namespace));
        return join(name + "." + namespace, new Post.Gateway(namespace + "/" + name), token, ended);
    }

    ProxyProgram joinZoneProxy(String name, Consumer<? super Session> ended) throws IOException {
        String token = token("zone-proxy", JsonNodeFactory.instance.objectNode().put("name", name));
        return join(name, new Post.BetweenZones(), token, ended);
    }

    String token(String audience, ObjectNode request) {
        return api.post("/tokens/" + audience, request).body().path("token").asText();
    }

    private ProxyProgram join(String name, Post post, String token, Consumer<? super Session> ended)
            throws IOException {
        Path file = folder.resolve(name + ".token");
        PrivateFile.write(file, token.getBytes(StandardCharsets.US_ASCII));
        var settings = new ControlPlaneLink.Settings(
                URI.create("https://localhost:" + machinePort),
                file,
                ca,
                "default",
                name,
                ProgramVersion.current(),
                post);
        var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var options = new ProxyProgram.Options(
                new Origin.ControlPlane(settings), new Overrides(null, null, anyPort, null), 1);
        ProxyProgram program = ProxyProgram.start(
                options, Surroundings.real(), new PrintStream(OutputStream.nullOutputStream()), ended);
        proxies.push(program);
        return program;
    }

    /** Stops the proxies, the last one first. */
    @Override
    public void close() {
        while (!proxies.isEmpty()) {
            proxies.pop().close();
        }
    }
}
