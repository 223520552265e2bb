package io.parley.cli.proxyless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.NameResolverRegistry;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.xds.XdsChannelCredentials;
import io.grpc.xds.XdsNameResolverProvider;
import io.grpc.xds.XdsServerBuilder;
import io.grpc.xds.XdsServerCredentials;
import io.parley.cli.FreePorts;
import io.parley.proxy.join.CertificateFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** grpc-java without a proxy and an application behind one call each other, by mutual TLS and nothing else. */
class ProxylessMutualTlsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final MethodDescriptor<String, String> SAY = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("test.Echo/Say")
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void aProgramAndASidecarCallEachOther(@TempDir Path folder) throws Exception {
        int programPort = FreePorts.next();
        int outbound = FreePorts.next();
        Server application = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(echo("application"))
                .build()
                .start();
        try (MixedMesh mesh = new MixedMesh(folder)) {
            mesh.apply(dataplanes(programPort, outbound, application.getPort()));
            Map<String, Object> bootstrap = bootstrap(mesh, mesh.certificate("program-1"));
            Server program = XdsServerBuilder.forPort(
                            programPort, XdsServerCredentials.create(InsecureServerCredentials.create()))
                    .overrideBootstrapForTest(bootstrap)
                    .addService(echo("program"))
                    .build()
                    .start();
            try {
                var _ = mesh.join("sidecar-1");
                assertThat(callProgramThroughTheSidecar(outbound)).isEqualTo("program heard hello");
                assertThat(callTheSidecarFromTheProgram(bootstrap)).isEqualTo("application heard hello");
            } finally {
                program.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
            }
        } finally {
            application.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    private static String callProgramThroughTheSidecar(int outbound) throws InterruptedException {
        ManagedChannel channel = Grpc.newChannelBuilder("127.0.0.1:" + outbound, InsecureChannelCredentials.create())
                .build();
        return answer(channel);
    }

    private static String callTheSidecarFromTheProgram(Map<String, Object> bootstrap) throws InterruptedException {
        var provider = XdsNameResolverProvider.createForTest("meshed", bootstrap);
        NameResolverRegistry.getDefaultRegistry().register(provider);
        try {
            return answer(Grpc.newChannelBuilder(
                            "meshed:///application", XdsChannelCredentials.create(InsecureChannelCredentials.create()))
                    .build());
        } finally {
            NameResolverRegistry.getDefaultRegistry().deregister(provider);
        }
    }

    /** Configuration and certificates come in their own time: the first calls may be too early. */
    private static String answer(ManagedChannel channel) throws InterruptedException {
        try {
            return await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(
                            () -> ClientCalls.blockingUnaryCall(
                                    channel, SAY, CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS), "hello"),
                            said -> !said.isEmpty());
        } finally {
            channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    private static ServerServiceDefinition echo(String name) {
        return ServerServiceDefinition.builder("test.Echo")
                .addMethod(SAY, ServerCalls.asyncUnaryCall((request, out) -> {
                    out.onNext(name + " heard " + request);
                    out.onCompleted();
                }))
                .build();
    }

    private static Map<String, Object> bootstrap(MixedMesh mesh, Path files) {
        return Map.of(
                "xds_servers",
                List.of(Map.of(
                        "server_uri",
                        "127.0.0.1:" + mesh.localXdsPort(),
                        "channel_creds",
                        List.of(Map.of("type", "insecure")),
                        "server_features",
                        List.of("xds_v3"))),
                "node",
                Map.of("id", "program-1"),
                "server_listener_resource_name_template",
                "grpc/server?xds.resource.listening_address=%s",
                "certificate_providers",
                Map.of(
                        "parley",
                        Map.of(
                                "plugin_name",
                                "file_watcher",
                                "config",
                                Map.of(
                                        "certificate_file",
                                        files.resolve(CertificateFiles.CERTIFICATE)
                                                .toString(),
                                        "private_key_file",
                                        files.resolve(CertificateFiles.KEY).toString(),
                                        "ca_certificate_file",
                                        files.resolve(CertificateFiles.AUTHORITIES)
                                                .toString(),
                                        "refresh_interval",
                                        "1s"))));
    }

    private static String dataplanes(int programPort, int outbound, int applicationPort) throws IOException {
        return """
            type: Dataplane
            mesh: default
            name: program-1
            networking:
              address: 127.0.0.1
              inbound: [{port: %d, tags: {kuma.io/service: program, kuma.io/protocol: grpc}}]
            ---
            type: Dataplane
            mesh: default
            name: sidecar-1
            networking:
              address: 127.0.0.1
              inbound:
                - port: %d
                  servicePort: %d
                  serviceAddress: 127.0.0.1
                  tags: {kuma.io/service: application, kuma.io/protocol: grpc}
              outbound: [{port: %d, tags: {kuma.io/service: program}}]
            """.formatted(programPort, FreePorts.next(), applicationPort, outbound);
    }
}
