package io.parley.proxy.config.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.HealthCheck;
import io.envoyproxy.envoy.type.v3.Int64Range;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Question;
import io.parley.proxy.http.FieldEdits;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HealthReaderTest {
    private static com.google.protobuf.Duration seconds(int seconds) {
        return com.google.protobuf.Duration.newBuilder().setSeconds(seconds).build();
    }

    private static HealthCheck.Builder everyTenSeconds() {
        return HealthCheck.newBuilder()
                .setInterval(seconds(10))
                .setTimeout(seconds(2))
                .setHealthyThreshold(UInt32Value.of(1))
                .setUnhealthyThreshold(UInt32Value.of(3));
    }

    private static Result<List<HttpUpstream.HealthCheck>> read(HealthCheck.Builder... checks) {
        Cluster.Builder cluster = Cluster.newBuilder().setName("a");
        for (HealthCheck.Builder check : checks) {
            cluster.addHealthChecks(check);
        }
        return Reading.of(cluster.build(), HealthReader::read);
    }

    private static HttpUpstream.HealthCheck check(Question question) {
        return new HttpUpstream.HealthCheck(Duration.ofSeconds(10), Duration.ofSeconds(2), 1, 3, question);
    }

    @Test
    void readsWhatEndpointsAreAsked() {
        HealthCheck.Builder tcp = everyTenSeconds();
        tcp.getTcpHealthCheckBuilder();
        HealthCheck.Builder get = everyTenSeconds();
        get.getHttpHealthCheckBuilder().setPath("/health").setHost("a.example");
        HealthCheck.Builder ranges = everyTenSeconds();
        ranges.getHttpHealthCheckBuilder()
                .setPath("/")
                .addExpectedStatuses(Int64Range.newBuilder().setStart(200).setEnd(300));
        HealthCheck.Builder grpc = everyTenSeconds();
        grpc.getGrpcHealthCheckBuilder().setServiceName("shop");
        assertThat(read(tcp, get, ranges, grpc))
                .isEqualTo(new Result.Accepted<>(List.of(
                        check(new Question.Connect()),
                        check(new Question.Get(
                                "a.example", "/health", FieldEdits.NONE, List.of(new Question.Statuses(200, 201)))),
                        check(new Question.Get("", "/", FieldEdits.NONE, List.of(new Question.Statuses(200, 300)))),
                        check(new Question.Grpc("shop", "")))));
    }

    @Test
    void readsWhatIsSaidAndWhatMustBeAnswered() {
        HealthCheck.Builder talk = everyTenSeconds();
        talk.getTcpHealthCheckBuilder()
                .setSend(HealthCheck.Payload.newBuilder().setText("50494E470d0a"))
                .addReceive(HealthCheck.Payload.newBuilder().setBinary(ByteString.copyFrom(new byte[] {(byte) 0xff})));
        HealthCheck.Builder get = everyTenSeconds();
        get.getHttpHealthCheckBuilder()
                .setPath("/")
                .addRequestHeadersToAddBuilder()
                .getHeaderBuilder()
                .setKey("X-Probe")
                .setValue("mesh");
        FieldEdits fields = new FieldEdits(List.of(new FieldEdits.Edit(FieldEdits.Kind.ADD, "x-probe", "mesh")));
        assertThat(read(talk, get))
                .isEqualTo(new Result.Accepted<>(List.of(
                        check(new Question.Dialogue("PING\r\n", List.of("\u00ff"))),
                        check(new Question.Get("", "/", fields, List.of(new Question.Statuses(200, 201)))))));
    }

    @Test
    void refusesWhatCannotBeSaid() {
        HealthCheck.Builder talk = everyTenSeconds();
        talk.getTcpHealthCheckBuilder().setSend(HealthCheck.Payload.newBuilder().setText("PING"));
        HealthCheck.Builder get = everyTenSeconds();
        get.getHttpHealthCheckBuilder()
                .setPath("/")
                .addRequestHeadersToAddBuilder()
                .getHeaderBuilder()
                .setKey("x probe");
        HealthCheck.Builder silent = everyTenSeconds();
        silent.getTcpHealthCheckBuilder().addReceiveBuilder();
        HealthCheck.Builder framing = everyTenSeconds();
        framing.getHttpHealthCheckBuilder()
                .setPath("/")
                .addRequestHeadersToAddBuilder()
                .getHeaderBuilder()
                .setKey("Content-Length")
                .setValue("5");
        Result<List<HttpUpstream.HealthCheck>> result = read(talk, get, silent, framing);
        assertThat(result).isInstanceOf(Result.Rejected.class);
        if (result instanceof Result.Rejected<List<HttpUpstream.HealthCheck>> rejected) {
            assertThat(rejected.violations())
                    .extracting(Violation::path)
                    .containsExactly(
                            "health_checks[0].tcp_health_check.send.text",
                            "health_checks[1].http_health_check.request_headers_to_add[0].header.key",
                            "health_checks[2].tcp_health_check.receive[0]",
                            "health_checks[3].http_health_check.request_headers_to_add[0].header.key");
        }
    }

    @Test
    void refusesWhatCannotBeAsked() {
        HealthCheck.Builder hasty = everyTenSeconds().setInterval(seconds(0));
        hasty.getHttpHealthCheckBuilder().setPath("health");
        Result<List<HttpUpstream.HealthCheck>> result = read(hasty, everyTenSeconds());
        assertThat(result).isInstanceOf(Result.Rejected.class);
        if (result instanceof Result.Rejected<List<HttpUpstream.HealthCheck>> rejected) {
            assertThat(rejected.violations())
                    .extracting(Violation::path)
                    .containsExactly(
                            "health_checks[0].interval", "health_checks[0].http_health_check.path", "health_checks[1]");
        }
    }
}
