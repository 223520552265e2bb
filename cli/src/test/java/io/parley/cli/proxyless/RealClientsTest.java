package io.parley.cli.proxyless;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Case S24 against all that a user starts: clients of every age, with the bootstrap files that {@code parley bootstrap} writes, call a
 * service of a mesh, follow its endpoints and its routes without a failed call, and survive a restart of the control plane.
 */
@SuppressWarnings("NullAway.Init") // fields are set before each test
class RealClientsTest {
    private static final MethodDescriptor<String, String> NAME = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("parley.Peer/Name")
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    private static final String ROUTE = """
        ---
        type: MeshHTTPRoute
        mesh: default
        name: moved
        spec:
          to:
            - targetRef: {kind: MeshService, name: shop}
              rules:
                - matches: [{path: {type: PathPrefix, value: /}}]
                  default: {backendRefs: [{kind: MeshService, name: new-shop}]}
        """;

    private final List<Server> backends = new ArrayList<>();
    private final List<GrpcProgram> programs = new ArrayList<>();

    @TempDir
    private Path folder;

    private ServedMesh mesh;
    private Path token;

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < 3; i++) {
            backends.add(backend("b" + i));
        }
        mesh = new ServedMesh(folder);
        mesh.apply("""
            type: Mesh
            name: default
            ---
            type: Dataplane
            mesh: default
            name: caller
            networking:
              address: 127.0.0.1
              inbound: [{port: 1, tags: {kuma.io/service: caller, kuma.io/protocol: grpc}}]
            """ + dataplane("shop", 0));
        token = mesh.token("caller");
    }

    @AfterEach
    void stop() throws InterruptedException {
        programs.forEach(GrpcProgram::close);
        mesh.close();
        for (Server backend : backends) {
            backend.shutdownNow().awaitTermination();
        }
    }

    @Test
    void s24_onTheLocalPort() throws Exception {
        String server = "127.0.0.1:" + mesh.localXdsPort();
        Path v2 = mesh.bootstrap("caller", "v2", "--insecure", "--server", server, "--xds-version", "v2");
        Path v3 = mesh.bootstrap("caller", "v3", "--insecure", "--server", server);
        for (String release : List.of("1.33.1", "1.36.2", "1.52.1")) {
            programs.add(GrpcProgram.java(release, v2, token, "xds:///shop"));
        }
        for (String release : List.of("1.36.2", "1.52.1", "1.53.0", "1.85.1")) {
            programs.add(GrpcProgram.java(release, v3, token, "xds:///shop"));
        }
        followEverything();
    }

    @Test
    void s24_grpcJsOnTheLocalPort() throws Exception {
        String server = "127.0.0.1:" + mesh.localXdsPort();
        programs.add(GrpcProgram.js(mesh.bootstrap("caller", "js", "--insecure", "--server", server), "xds:///shop"));
        followEverything();
    }

    /** What cannot show a token does so by a forwarder; the others come by themselves. */
    @Test
    void s24_onTheMachinesPort() throws Exception {
        String[] secure = {
            "--server", "localhost:" + mesh.machinePort(),
            "--ca", mesh.caFile().toString(),
            "--dataplane-token", token.toString()
        };
        try (SigningForwarder forwarder =
                new SigningForwarder(mesh.machinePort(), mesh.caFile(), Files.readString(token))) {
            Path direct = mesh.bootstrap("caller", "direct", secure);
            String server = "127.0.0.1:" + forwarder.port();
            Path v2 = mesh.bootstrap("caller", "v2", "--insecure", "--server", server, "--xds-version", "v2");
            Path v3 = mesh.bootstrap("caller", "v3", "--insecure", "--server", server);
            programs.add(GrpcProgram.java("1.33.1", v2, token, "xds:///shop"));
            programs.add(GrpcProgram.java("1.36.2", v3, token, "xds:///shop"));
            for (String release : List.of("1.52.1", "1.53.0", "1.85.1")) {
                programs.add(GrpcProgram.java(release, direct, token, "xds:///shop"));
            }
            followEverything();
        }
    }

    @Test
    void s24_grpcJsOnTheMachinesPort() throws Exception {
        try (SigningForwarder forwarder =
                new SigningForwarder(mesh.machinePort(), mesh.caFile(), Files.readString(token))) {
            String server = "127.0.0.1:" + forwarder.port();
            programs.add(
                    GrpcProgram.js(mesh.bootstrap("caller", "js", "--insecure", "--server", server), "xds:///shop"));
            followEverything();
        }
    }

    private void followEverything() throws Exception {
        allAreAnsweredBy("b0");
        mesh.apply(dataplane("shop", 1));
        allAreAnsweredBy("b1");
        mesh.apply(dataplane("new-shop", 2));
        mesh.apply(ROUTE);
        allAreAnsweredBy("b2");
        assertNoFailure();
        mesh.restart();
        mesh.apply(dataplane("new-shop", 0));
        allAreAnsweredBy("b0");
        assertNoFailure();
    }

    private void allAreAnsweredBy(String backend) {
        programs.forEach(program -> program.awaitAnswerOf(backend));
    }

    /** 1.33.1 lets calls fail while it has no stream, and while its only endpoint is replaced, whatever the server does. */
    private void assertNoFailure() {
        programs.stream().filter(program -> !program.name().equals("1.33.1")).forEach(GrpcProgram::assertNoFailure);
    }

    private String dataplane(String service, int backend) {
        return """
            ---
            type: Dataplane
            mesh: default
            name: %1$s-1
            networking:
              address: 127.0.0.1
              inbound: [{port: %2$d, tags: {kuma.io/service: %1$s, kuma.io/protocol: grpc}}]
            """.formatted(service, backends.get(backend).getPort());
    }

    private static Server backend(String name) throws IOException {
        return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerServiceDefinition.builder("parley.Peer")
                        .addMethod(NAME, ServerCalls.asyncUnaryCall((_, out) -> {
                            out.onNext(name);
                            out.onCompleted();
                        }))
                        .build())
                .build()
                .start();
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
