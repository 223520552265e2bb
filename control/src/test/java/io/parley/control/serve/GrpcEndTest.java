package io.parley.control.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.control.api.ApiFixture;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How a call ends whose client has not ended its half. gRPC's C core shows a reset instead of the status that came just before it, so
 * its users would not be told why they were refused.
 */
@SuppressWarnings("NullAway.Init")
class GrpcEndTest {
    /** A message of gRPC without content: a request that is for no type. */
    private static final byte[] EMPTY_MESSAGE = new byte[5];

    @TempDir
    private Path folder;

    private ApiFixture controlPlane;

    @BeforeEach
    void start() throws Exception {
        controlPlane = new ApiFixture(folder);
    }

    @AfterEach
    void stop() {
        controlPlane.close();
    }

    @Test
    void aCallThatIsRefusedIsNotReset() throws Exception {
        endsWithoutReset("nonsense");
    }

    @Test
    void aStreamThatEndsBadlyIsNotReset() throws Exception {
        endsWithoutReset(controlPlane.dataplaneToken("web-1"));
    }

    private void endsWithoutReset(String token) throws Exception {
        try (RawHttp2 client = new RawHttp2(controlPlane.machinePort(), folder.resolve("ca.pem"))) {
            client.open(1, call(token));
            client.send(RawHttp2.DATA, 0, 1, EMPTY_MESSAGE);
            RawHttp2.Frame end = client.read();
            while (end.stream() != 1 || !end.endsStream()) {
                assertThat(end.type()).isNotEqualTo(RawHttp2.RST_STREAM);
                end = client.read();
            }
            assertThat(end.type()).isEqualTo(RawHttp2.HEADERS);

            client.send(RawHttp2.DATA, 0, 1, EMPTY_MESSAGE);
            client.send(RawHttp2.PING, 0, 0, new byte[8]);

            for (RawHttp2.Frame next = client.read(); next.type() != RawHttp2.PING; next = client.read()) {
                assertThat(next.type()).isNotEqualTo(RawHttp2.RST_STREAM);
            }
        }
    }

    private static Map<String, String> call(String token) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(":method", "POST");
        headers.put(":scheme", "https");
        headers.put(":path", "/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources");
        headers.put(":authority", "localhost");
        headers.put("content-type", "application/grpc");
        headers.put("te", "trailers");
        headers.put("authorization", "Bearer " + token);
        return headers;
    }
}
