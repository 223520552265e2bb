package io.parley.proxy.config.xds;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.HealthCheck;
import io.envoyproxy.envoy.config.core.v3.RequestMethod;
import io.envoyproxy.envoy.type.v3.CodecClientType;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Question;
import io.parley.proxy.config.HttpUpstream.Question.Statuses;
import io.parley.proxy.config.xds.http.FieldReader;
import io.parley.proxy.config.xds.http.WireText;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.FieldEdits.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Reads what the endpoints of a cluster are asked. */
final class HealthReader {
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final int OK = 200;
    private static final int MOST_EXPECTED = 4_096;

    private final Reading reading;

    private HealthReader(Reading reading) {
        this.reading = reading;
    }

    static List<HttpUpstream.HealthCheck> read(Cluster cluster, Reading reading) {
        HealthReader reader = new HealthReader(reading);
        List<HttpUpstream.HealthCheck> checks = new ArrayList<>();
        for (int i = 0; i < cluster.getHealthChecksCount(); i++) {
            checks.add(reader.check(cluster.getHealthChecks(i), "health_checks[" + i + "]"));
        }
        return checks;
    }

    private HttpUpstream.HealthCheck check(HealthCheck check, String path) {
        return new HttpUpstream.HealthCheck(
                duration(check.getInterval(), path + ".interval"),
                duration(check.getTimeout(), path + ".timeout"),
                Math.max(1, check.getHealthyThreshold().getValue()),
                Math.max(1, check.getUnhealthyThreshold().getValue()),
                question(check, path));
    }

    private Duration duration(com.google.protobuf.Duration said, String path) {
        Duration time = Duration.ofSeconds(Math.clamp(said.getSeconds(), -1, 86_400), said.getNanos());
        if (time.compareTo(SHORTEST) < 0) {
            reading.fail(path, time + " (expected: at least " + SHORTEST + ")");
            return SHORTEST;
        }
        return time;
    }

    private Question question(HealthCheck check, String path) {
        return switch (check.getHealthCheckerCase()) {
            case TCP_HEALTH_CHECK -> dialogue(check.getTcpHealthCheck(), path + ".tcp_health_check");
            case HTTP_HEALTH_CHECK -> get(check.getHttpHealthCheck(), path + ".http_health_check");
            case GRPC_HEALTH_CHECK ->
                new Question.Grpc(
                        check.getGrpcHealthCheck().getServiceName(),
                        WireText.host(
                                check.getGrpcHealthCheck().getAuthority(),
                                HttpReader.problems(path + ".grpc_health_check.authority", reading)));
            case CUSTOM_HEALTH_CHECK, HEALTHCHECKER_NOT_SET -> {
                reading.fail(
                        path,
                        check.getHealthCheckerCase()
                                + " (expected: tcp_health_check, http_health_check or grpc_health_check)");
                yield new Question.Connect();
            }
        };
    }

    private Question dialogue(HealthCheck.TcpHealthCheck tcp, String path) {
        String words = bytes(tcp.getSend(), path + ".send");
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < tcp.getReceiveCount(); i++) {
            String at = path + ".receive[" + i + "]";
            String answer = bytes(tcp.getReceive(i), at);
            if (answer.isEmpty() || answer.length() > MOST_EXPECTED) {
                reading.fail(at, answer.length() + " bytes (expected: 1 to " + MOST_EXPECTED + ")");
            }
            answers.add(answer);
        }
        return words.isEmpty() && answers.isEmpty() ? new Question.Connect() : new Question.Dialogue(words, answers);
    }

    /** One character for each. */
    private String bytes(HealthCheck.Payload payload, String path) {
        try {
            byte[] bytes = payload.getPayloadCase() == HealthCheck.Payload.PayloadCase.BINARY
                    ? payload.getBinary().toByteArray()
                    : HexFormat.of().parseHex(payload.getText());
            return new String(bytes, StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            reading.fail(path + ".text", payload.getText() + " (expected: two hexadecimal digits for each byte)");
            return "";
        }
    }

    private FieldEdits fields(HealthCheck.HttpHealthCheck get, String path) {
        FieldEdits read = FieldReader.read(
                get.getRequestHeadersToAddList(),
                get.getRequestHeadersToRemoveList(),
                (part, message) -> reading.fail(path + part, message));
        List<FieldEdits.Edit> edits = new ArrayList<>();
        for (FieldEdits.Edit edit : read.edits()) {
            boolean host = edit.name().equals("host");
            if (host && edit.kind() == Kind.REMOVE) {
                reading.fail(path, edit.name() + " (expected: a field that does not frame the request)");
            }
            // There is one host.
            edits.add(
                    host && edit.kind() == Kind.ADD ? new FieldEdits.Edit(Kind.SET, edit.name(), edit.value()) : edit);
        }
        return new FieldEdits(edits);
    }

    private Question get(HealthCheck.HttpHealthCheck get, String path) {
        if (get.getMethod() != RequestMethod.METHOD_UNSPECIFIED && get.getMethod() != RequestMethod.GET) {
            reading.fail(path + ".method", get.getMethod() + " (expected: GET)");
        }
        if (get.getCodecClientType() == CodecClientType.HTTP3) {
            reading.fail(path + ".codec_client_type", "HTTP3 (expected: HTTP1 or HTTP2)");
        }
        if (!get.getPath().startsWith("/")) {
            reading.fail(path + ".path", get.getPath() + " (expected: a path)");
        }
        List<Statuses> good = get.getExpectedStatusesList().stream()
                .map(range -> new Statuses((int) range.getStart(), (int) range.getEnd()))
                .toList();
        return new Question.Get(
                WireText.host(get.getHost(), HttpReader.problems(path + ".host", reading)),
                WireText.path(get.getPath(), HttpReader.problems(path + ".path", reading)),
                fields(get, path + ".request_headers_to_add"),
                good.isEmpty() ? List.of(new Statuses(OK, OK + 1)) : good);
    }
}
