package io.parley.cli.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.parley.cli.client.ApiClient;
import io.parley.control.app.ControlPlane;
import io.parley.control.app.ControlPlaneConfig;
import io.parley.control.app.HostPort;
import io.parley.control.app.Mode;
import io.parley.control.app.StoreChoice;
import io.parley.control.keys.PrivateFile;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.tcp.Session;
import io.parley.sync.cache.Pace;
import io.parley.sync.zone.Channels;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A mesh in this process: a control plane, and proxies that join it with their tokens as they would from anywhere. */
public final class LocalMesh implements AutoCloseable {
    private final Path folder;
    private final ControlPlane controlPlane;
    private final ApiClient api;
    private final LocalMembers members;

    private LocalMesh(Path folder, ControlPlane controlPlane) throws IOException {
        this.folder = folder;
        this.controlPlane = controlPlane;
        this.api = new ApiClient(
                controlPlane.apiUrl(),
                Files.readString(controlPlane.adminTokenFile()).strip(),
                controlPlane.caFile());
        this.members = new LocalMembers(folder, api, controlPlane.machinePort(), controlPlane.caFile());
    }

    /** Starts the control plane; what it is told is kept in memory, its keys and tokens are in {@code folder}. */
    public static LocalMesh start(Path folder, HostPort api, HostPort listen) throws IOException {
        return start(folder, api, listen, new Mode.Standalone());
    }

    /** The same, as a global control plane or a zone's. */
    public static LocalMesh start(Path folder, HostPort api, HostPort listen, Mode mode) throws IOException {
        var config = new ControlPlaneConfig(
                folder, api, listen, null, new StoreChoice.Memory(), List.of(), null, null, mode);
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
        members.apply(yaml);
    }

    /** Starts the proxy of a Dataplane of mesh {@code default}; {@code ended} is told of each connection that ended. */
    public ProxyProgram join(String dataplane, Consumer<? super Session> ended) throws IOException {
        return members.join(dataplane, ended);
    }

    /** Starts a proxy for a Gateway; {@code ended} is told of each connection that ended. */
    public ProxyProgram joinGateway(String namespace, String name, Consumer<? super Session> ended) throws IOException {
        return members.joinGateway(namespace, name, ended);
    }

    /** Starts the proxy of a ZoneIngress or ZoneEgress; {@code ended} is told of each connection that ended. */
    public ProxyProgram joinZoneProxy(String name, Consumer<? super Session> ended) throws IOException {
        return members.joinZoneProxy(name, ended);
    }

    /** A zone that follows this global control plane, with a token of its own. */
    public Mode.Zone zone(String name) throws IOException {
        String token =
                members.token("zone", JsonNodeFactory.instance.objectNode().put("zone", name));
        Path file = folder.resolve(name + ".token");
        PrivateFile.write(file, token.getBytes(StandardCharsets.US_ASCII));
        return new Mode.Zone(
                name,
                new Channels(
                        URI.create("grpcs://127.0.0.1:" + controlPlane.machinePort()), controlPlane.caFile(), file),
                Pace.DEFAULT);
    }

    /** Stops the proxies, the last one first, then the control plane. */
    @Override
    public void close() {
        members.close();
        api.close();
        controlPlane.close();
    }
}
