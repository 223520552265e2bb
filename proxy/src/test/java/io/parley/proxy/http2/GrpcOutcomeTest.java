package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.handler.codec.http2.Http2Error;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.app.Server;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http2.FramePeer.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A call of gRPC ends as its own status says, though HTTP says 200. */
class GrpcOutcomeTest {
    private static final String[] CALL = {"te", "trailers", "content-type", "application/grpc"};

    /** A server whose answers end in this status; with the head if there is no content. */
    private static Server ending(String status, boolean content, AtomicInteger calls) throws IOException {
        return FramePeer.server(peer -> {
            while (true) {
                int stream = peer.request();
                calls.incrementAndGet();
                if (content) {
                    peer.headers(stream, 0, ":status", "200", "content-type", "application/grpc");
                    peer.data(stream, status.isEmpty() ? LAST : 0, "x");
                    if (!status.isEmpty()) {
                        peer.headers(stream, LAST, "grpc-status", status);
                    }
                } else {
                    peer.headers(stream, LAST, ":status", "200", "grpc-status", status);
                }
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "0, true, 0, success",
        "14, true, 14, failure",
        "14, false, 14, failure",
        "5, false, 5, success",
        "99, true, 2, failure",
        "abc, true, 2, failure",
        "'', true, 2, failure"
    })
    void isCountedByItsOwnStatus(String sent, boolean content, String counted, String classification)
            throws IOException {
        try (Server server = ending(sent, content, new AtomicInteger());
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "POST", "/a.B/C", CALL);
            client.message(1);
            assertThat(proxy.counted(
                            "response_total",
                            "status_code=\"200\"",
                            "grpc_status=\"" + counted + "\"",
                            "classification=\"" + classification + "\""))
                    .isEqualTo(1);
        }
    }

    /** Its program makes a status of the code: one that was called off is not a fault within the service. */
    @ParameterizedTest
    @CsvSource({"CANCEL, CANCEL, 1", "ENHANCE_YOUR_CALM, ENHANCE_YOUR_CALM, 8", "PROTOCOL_ERROR, INTERNAL_ERROR, 13"})
    void aClientIsToldWhyTheServerCutItsAnswerOff(Http2Error said, Http2Error told, String counted) throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    int stream = peer.request();
                    peer.headers(stream, 0, ":status", "200", "content-type", "application/grpc");
                    peer.reset(stream, said);
                    peer.drain();
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "POST", "/a.B/C", CALL);
            assertThat(client.message(1).reset()).isEqualTo(told);
            assertThat(proxy.counted("response_total", "grpc_status=\"" + counted + "\""))
                    .isEqualTo(1);
        }
    }

    /** A server that ends calls at their deadline by itself does so with CANCEL; whether it is one, the call says. */
    @ParameterizedTest
    @CsvSource({
        "CANCEL, 1n, 4, 504",
        "CANCEL, 99999999H, 1, 502",
        "CANCEL, 123456789n, 1, 502",
        "CANCEL, 1d, 1, 502",
        "CANCEL, , 1, 502",
        "ENHANCE_YOUR_CALM, 1n, 8, 502",
        "REFUSED_STREAM, 1n, 14, 502"
    })
    void aClientIsToldWhyTheServerGaveNoAnswer(Http2Error said, @Nullable String allowed, String told, String counted)
            throws IOException {
        try (Server server = FramePeer.server(peer -> {
                    while (true) {
                        peer.reset(peer.request(), said);
                    }
                });
                HttpProxy proxy = HttpProxy.to(server.port(), Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            List<String> fields = new ArrayList<>(List.of(CALL));
            fields.addAll(allowed == null ? List.of() : List.of("grpc-timeout", allowed));
            client.open(1, LAST, "POST", "/a.B/C", fields.toArray(String[]::new));
            assertThat(client.message(1).field("grpc-status")).isEqualTo(told);
            assertThat(proxy.counted(
                            "response_total", "grpc_status=\"" + told + "\"", "status_code=\"" + counted + "\""))
                    .isEqualTo(1);
        }
    }

    @Test
    void whatTheProxyAnswersIsCountedAsTheClientIsTold() throws IOException {
        int nobody;
        try (Server gone = FramePeer.echo()) {
            nobody = gone.port();
        }
        try (HttpProxy proxy = HttpProxy.to(nobody, Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "POST", "/a.B/C", CALL);
            assertThat(client.message(1).field("grpc-status")).isEqualTo("14");
            assertThat(proxy.counted("response_total", "grpc_status=\"14\"", "classification=\"failure\""))
                    .isEqualTo(1);
        }
    }

    /** gRPC-Web has its trailers in the content, and its clients read the status of HTTP. */
    @ParameterizedTest
    @CsvSource({
        "application/grpc, 200",
        "application/grpc+proto, 200",
        "application/grpc;charset=utf-8, 200",
        "application/grpc-web, 503",
        "application/grpc-web+proto, 503",
        "application/grpc-web-text, 503",
        "application/grpcish, 503"
    })
    void whatOnlyBeginsLikeACallIsNone(String type, String status) throws IOException {
        int nobody;
        try (Server gone = FramePeer.echo()) {
            nobody = gone.port();
        }
        try (HttpProxy proxy = HttpProxy.to(nobody, Version.HTTP2);
                FramePeer client = FramePeer.client(proxy.address())) {
            client.open(1, LAST, "POST", "/a.B/C", "content-type", type);
            Message answer = client.message(1);
            assertThat(answer.status()).isEqualTo(status);
            boolean call = status.equals("200");
            assertThat(answer.field("grpc-status")).isEqualTo(call ? "14" : null);
            assertThat(proxy.counted("response_total")).isEqualTo(1);
            assertThat(proxy.counted("response_total", "grpc_status=\"14\"")).isEqualTo(call ? 1 : 0);
        }
    }

    @Test
    void anEndpointThatIsUnavailableByItsOwnWordIsLeftOut() throws IOException {
        AtomicInteger bad = new AtomicInteger();
        AtomicInteger good = new AtomicInteger();
        HttpUpstream strict = new HttpUpstream(Version.HTTP2, 10_000, new HttpUpstream.Outliers(0, 2), List.of());
        try (Server unwell = ending("14", true, bad);
                Server well = ending("0", true, good);
                HttpProxy proxy = HttpProxy.with(
                        HttpProxy.routed(List.of(io.parley.proxy.http.Route.to("app"))),
                        HttpProxy.cluster("app", strict, unwell.port(), well.port()));
                FramePeer client = FramePeer.client(proxy.address())) {
            AtomicInteger stream = new AtomicInteger(-1);
            // One that was slow to answer the first time is left out for a while by the balancer alone.
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                int id = stream.addAndGet(2);
                client.open(id, LAST, "POST", "/a.B/C", CALL);
                client.message(id);
                return bad.get() == 2;
            });
            for (int i = 0; i < 20; i++) {
                int id = stream.addAndGet(2);
                client.open(id, LAST, "POST", "/a.B/C", CALL);
                assertThat(client.message(id).trailers().get("grpc-status")).hasToString("0");
            }
            assertThat(bad).hasValue(2);
        }
    }
}
