package io.parley.bench.snapshot;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.parley.agreement.version.NodeDescription;
import io.parley.control.api.ResourcePath;
import io.parley.control.app.ControlPlane;
import io.parley.control.app.ControlPlaneConfig;
import io.parley.control.app.HostPort;
import io.parley.control.app.Mode;
import io.parley.control.app.StoreChoice;
import io.parley.identity.certificate.Pem;
import io.parley.link.Backoff;
import io.parley.link.LinkLimits;
import io.parley.link.client.ClientService.Need;
import io.parley.link.client.ClientTls;
import io.parley.link.client.LinkClient;
import io.parley.link.client.LinkClientListener;
import io.parley.link.config.ConfigClientV2;
import io.parley.link.config.ConfigSink;
import io.parley.resource.Document;
import io.parley.resource.Resource;
import io.parley.resource.manifest.ManifestWriter;
import io.parley.resource.manifest.ServerFields;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A control plane as it runs, and data planes that are linked to it and take whatever they are told. */
final class LinkedProxies implements AutoCloseable {
    private static final List<ResourceType> TYPES =
            List.of(ResourceType.CLUSTER, ResourceType.ENDPOINT, ResourceType.LISTENER, ResourceType.ROUTE);

    private final HttpClient http = HttpClient.newHttpClient();
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<LinkClient> clients = new ArrayList<>();
    private final ControlPlane controlPlane;
    private final SslContext tls;
    private final String admin;

    /** Is told of each change that a data plane has taken. */
    @FunctionalInterface
    interface Taken {
        void by(String dataplane, String typeUrl);
    }

    LinkedProxies(Path folder) throws IOException {
        HostPort any = HostPort.parse("127.0.0.1:0");
        controlPlane = ControlPlane.start(new ControlPlaneConfig(
                folder, any, any, null, new StoreChoice.Memory(), List.of(), null, null, new Mode.Standalone()));
        tls = ClientTls.trusting(Pem.certificates(Files.readString(controlPlane.caFile())));
        admin = Files.readString(controlPlane.adminTokenFile()).strip();
    }

    /** Returns when the write is acknowledged. */
    void put(Resource resource) throws IOException, InterruptedException {
        String answer = send("PUT", ResourcePath.of(resource.key()), ManifestWriter.json(resource, ServerFields.NONE));
        if (answer.contains("\"violations\"")) {
            throw new IllegalStateException(answer);
        }
    }

    void link(String name, Taken taken) throws IOException, InterruptedException {
        String answer = send("POST", "/tokens/dataplane", "{\"mesh\":\"default\",\"name\":\"" + name + "\"}");
        String token = new Document(answer).tree().path("token").asText();
        var settings = new LinkClient.Settings(
                URI.create("https://localhost:" + controlPlane.machinePort()),
                () -> tls,
                () -> Optional.of(token),
                new NodeDescription(name, "PARLEY", "0.1.0", "bench"),
                Map.of("mesh", "default"),
                LinkLimits.DEFAULT,
                () -> Backoff.RECONNECT);
        LinkClient client = new LinkClient(
                settings,
                List.of(ConfigClientV2.service(new Sink(name, taken), Need.REQUIRED)),
                LinkClientListener.NONE,
                loops.next(),
                NioSocketChannel::new,
                Clock.systemUTC(),
                new SplittableRandom(1));
        clients.add(client);
        client.start();
    }

    private record Sink(String name, Taken taken) implements ConfigSink {
        @Override
        public Map<String, Map<String, String>> held() {
            return TYPES.stream().collect(Collectors.toMap(type -> type.url(ApiVersion.V3), _ -> Map.of()));
        }

        @Override
        public CompletableFuture<Void> apply(Change change) {
            taken.by(name, change.typeUrl());
            return CompletableFuture.completedFuture(null);
        }
    }

    private String send(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(controlPlane.apiUrl().resolve(path))
                .header("Authorization", "Bearer " + admin)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 400) {
            throw new IllegalStateException(method + " " + path + ": " + answer.body());
        }
        return answer.body();
    }

    /** Removes a folder and what is in it. */
    static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void close() {
        clients.forEach(LinkClient::close);
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
        http.shutdownNow();
        controlPlane.close();
    }
}
