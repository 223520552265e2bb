package io.parley.control.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.parley.control.feed.ModelFeed;
import io.parley.control.testing.Worlds;
import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.wire.destination.proto.DestinationProfile;
import io.parley.wire.destination.proto.GetDestination;
import io.parley.wire.destination.proto.Update;
import io.parley.wire.destination.proto.WeightedAddr;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The destination service over a real connection. Case numbers are those of the fact sheet. */
@SuppressWarnings("NullAway.Init")
class DestinationServiceTest {
    private static final String MESH = """
        type: Mesh
        name: default
        mtls: {enabledBackend: ca, backends: [{name: ca, type: builtin}]}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: mysql, namespace: data}
        spec: {clusterIP: 10.96.0.5, selector: {app: mysql}, ports: [{port: 3306, targetPort: 13306}]}
        """;

    private static String pod(String name, String address, String labels, String annotations) {
        return """
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: data, labels: {app: mysql%s}, annotations: {%s}}
            spec: {containers: []}
            status: {podIP: %s, conditions: [{type: Ready, status: "True"}]}
            """.formatted(name, labels, annotations, address);
    }

    private static final String MESHED = ", linkerd.io/control-plane-ns: parley";
    private static final String OPAQUE = "config.linkerd.io/opaque-ports: \"13306\"";

    private final MemoryStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC());
    private ModelFeed feed;
    private DestinationService service;
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws IOException {
        put(MESH);
        feed = ModelFeed.open(store, null);
        service = new DestinationService(feed, () -> "default");
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(service)
                .build()
                .start();
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() throws InterruptedException {
        service.close();
        channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
        await().until(() -> service.streams() == 0);
        feed.close();
        store.close();
    }

    private void put(String yaml) {
        Worlds.resources(yaml).forEach(resource -> store.put(resource, Expected.anything()));
    }

    private static final class Answers<M> implements StreamObserver<M> {
        private final List<M> messages = new CopyOnWriteArrayList<>();
        private volatile Status end = Status.OK;

        @Override
        public void onNext(M message) {
            messages.add(message);
        }

        @Override
        public void onError(Throwable t) {
            end = Status.fromThrowable(t);
        }

        @Override
        public void onCompleted() {
            end = Status.CANCELLED;
        }

        M at(int index) {
            await().until(() -> messages.size() > index);
            return messages.get(index);
        }
    }

    private <M extends Message> Answers<M> call(String method, String path, M prototype) {
        MethodDescriptor<GetDestination, M> descriptor = MethodDescriptor.<GetDestination, M>newBuilder()
                .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                .setFullMethodName("io.linkerd.proxy.destination.Destination/" + method)
                .setRequestMarshaller(ProtoUtils.marshaller(GetDestination.getDefaultInstance()))
                .setResponseMarshaller(ProtoUtils.marshaller(prototype))
                .build();
        Answers<M> answers = new Answers<>();
        ClientCalls.asyncServerStreamingCall(
                channel.newCall(descriptor, CallOptions.DEFAULT),
                GetDestination.newBuilder().setPath(path).build(),
                answers);
        return answers;
    }

    private Answers<Update> get(String path) {
        return call("Get", path, Update.getDefaultInstance());
    }

    private Answers<DestinationProfile> profile(String path) {
        return call("GetProfile", path, DestinationProfile.getDefaultInstance());
    }

    @Test
    void tellsOfEndpointsAndOfEveryChangeWhileConnected() {
        put(pod("a", "10.1.0.1", MESHED, OPAQUE));
        await().until(() ->
                feed.current().mesh("default").orElseThrow().services().contains("mysql_data_svc_3306"));
        Answers<Update> updates = get("mysql.data.svc.cluster.local:3306");
        WeightedAddr first = updates.at(0).getAdd().getAddrs(0);
        assertThat(first.getAddr().getPort()).isEqualTo(13306);
        assertThat(first.getAddr().getIp().getIpv4()).isEqualTo(0x0a010001);
        assertThat(first.getWeight()).isEqualTo(10_000);
        assertThat(first.getTlsIdentity().getUriLikeIdentity().getUri())
                .isEqualTo("spiffe://default/mysql_data_svc_3306");
        assertThat(first.getTlsIdentity().getServerName().getName()).isEqualTo("mysql-data-svc-3306.default");
        assertThat(first.getProtocolHint().hasOpaque()).isTrue();
        assertThat(first.getProtocolHint().getOpaqueTransport().getInboundPort())
                .isEqualTo(4143);
        put(pod("b", "10.1.0.2", MESHED, ""));
        assertThat(updates.at(1).getAdd().getAddrs(0).getProtocolHint().hasOpaque())
                .isTrue();
        store.delete(new ResourceKey(new KindId("core/Pod"), "data", "a"), Expected.anything());
        assertThat(updates.at(2).getRemove().getAddrs(0)).isEqualTo(first.getAddr());
        store.delete(new ResourceKey(new KindId("core/Pod"), "data", "b"), Expected.anything());
        assertThat(updates.at(3).getNoEndpoints().getExists()).isTrue();
    }

    @Test
    void case37_anEndpointWithoutAProxyIsOpaqueWithoutHintAndIdentity() {
        put(pod("a", "10.1.0.1", "", OPAQUE));
        Answers<DestinationProfile> profiles = profile("10.1.0.1:13306");
        await().until(() -> profiles.messages.stream().anyMatch(each -> each.getOpaqueProtocol()));
        WeightedAddr endpoint = profiles.messages.getLast().getEndpoint();
        assertThat(endpoint.hasTlsIdentity()).isFalse();
        assertThat(endpoint.hasProtocolHint()).isFalse();
        assertThat(endpoint.getAddr().getPort()).isEqualTo(13306);
    }

    @Test
    void case39_aServiceAddressHasANameAndAPodAddressAnEndpoint() {
        put(pod("a", "10.1.0.1", MESHED, ""));
        DestinationProfile service = profile("10.96.0.5:3306").at(0);
        assertThat(service.getFullyQualifiedName()).isEqualTo("mysql.data.svc.cluster.local");
        assertThat(service.hasEndpoint()).isFalse();
        await().until(() ->
                feed.current().mesh("default").orElseThrow().services().contains("mysql_data_svc_3306"));
        DestinationProfile pod = profile("10.1.0.1:13306").at(0);
        assertThat(pod.getFullyQualifiedName()).isEmpty();
        assertThat(pod.getEndpoint().getTlsIdentity().getUriLikeIdentity().getUri())
                .startsWith("spiffe://");
    }

    @Test
    void case40_opaquenessThatFlipsIsToldOnTheOpenStream() {
        put(MESH.replace("port: 3306", "port: 9306"));
        put(pod("a", "10.1.0.1", MESHED, "config.linkerd.io/opaque-ports: \"\""));
        await().until(() ->
                feed.current().mesh("default").orElseThrow().services().contains("mysql_data_svc_9306"));
        Answers<DestinationProfile> profiles = profile("mysql.data.svc.cluster.local:9306");
        assertThat(profiles.at(0).getOpaqueProtocol()).isFalse();
        put(pod("a", "10.1.0.1", MESHED, OPAQUE));
        assertThat(profiles.at(1).getOpaqueProtocol()).isTrue();
        assertThat(profiles.end.isOk()).isTrue();
    }

    @Test
    void servicesOfTheMeshAreFoundByTheirOwnName() {
        put(Worlds.dataplane("web-1", "10.0.0.1", "web:grpc"));
        await().until(() ->
                feed.current().mesh("default").orElseThrow().services().contains("web"));
        WeightedAddr endpoint = get("web:80").at(0).getAdd().getAddrs(0);
        assertThat(endpoint.getProtocolHint().hasH2()).isTrue();
        assertThat(endpoint.getProtocolHint().hasOpaqueTransport()).isFalse();
    }

    @Test
    void refusesAddressesAndNamesThatNobodyHas() {
        Answers<Update> address = get("10.96.0.5:3306");
        await().until(() -> !address.end.isOk());
        assertThat(address.end.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        Answers<Update> unknown = get("nobody.data.svc.cluster.local:80");
        await().until(() -> !unknown.end.isOk());
        assertThat(unknown.end.getCode()).isEqualTo(Status.Code.NOT_FOUND);
        await().until(() -> service.streams() == 0);
    }

    @Test
    void anUnknownAddressIsDialledAsItIsAndOpaqueByTheDefaultList() {
        DestinationProfile mysql = profile("192.0.2.1:3306").at(0);
        assertThat(mysql.getOpaqueProtocol()).isTrue();
        assertThat(mysql.getEndpoint().hasTlsIdentity()).isFalse();
        assertThat(profile("192.0.2.1:8080").at(0).getOpaqueProtocol()).isFalse();
    }
}
