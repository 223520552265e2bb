package io.parley.proxy.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.log.LineFormat.Member;
import io.parley.proxy.log.Template.Absence;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands stand for, and what is refused. */
class TemplateTest {
    private static final Map<String, String> REQUEST =
            Map.of(":method", "GET", ":path", "/a?b=c", "user-agent", "curl \"8\"\r\n[forged] \\ \u0085");

    private static Entry entry(Map<String, String> request, int status, @Nullable String cause) {
        return new Entry(
                Entry.Subject.REQUEST,
                Instant.parse("2026-11-16T15:48:00.123456Z"),
                Duration.ofMillis(42),
                "HTTP/1.1",
                status,
                cause,
                3,
                17,
                Entry.From.connection(new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 5_000)),
                new InetSocketAddress(InetAddress.ofLiteral("::1"), 80),
                "spiffe://default/web",
                new InetSocketAddress(InetAddress.ofLiteral("10.0.0.2"), 8_080),
                "orders",
                "route-0",
                new Entry.Fields(request, Map.of("content-type", "text/plain")));
    }

    private static Template template(String text) {
        return switch (Template.parse(text)) {
            case Result.Accepted<Template>(var template) -> template;
            case Result.Rejected<Template>(var violations) -> throw new AssertionError(violations.toString());
        };
    }

    private static String line(LineFormat format, Entry entry) {
        StringBuilder out = new StringBuilder();
        format.write(entry, out);
        return out.toString();
    }

    private static String written(String text) {
        return line(new LineFormat.Text(template(text), Absence.SHOWN), entry(REQUEST, 200, null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "%START_TIME%|2026-11-16T15:48:00.123Z",
                "%START_TIME(%Y/%m/%d %H:%M:%S.%6f %z %s)%|2026/11/16 15:48:00.123456 +0000 1794844080",
                "%START_TIME(%F %T)%|2026-11-16 15:48:00",
                "%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)%|GET /a?b=c",
                "%REQ(:path):2%|/a",
                "%REQ(x-absent)%|-",
                "%RESP(Content-Type)%|text/plain",
                "%PROTOCOL% %RESPONSE_CODE% %RESPONSE_FLAGS%|HTTP/1.1 200 -",
                "%BYTES_RECEIVED%/%BYTES_SENT% %DURATION%ms|3/17 42ms",
                "%UPSTREAM_HOST% %UPSTREAM_CLUSTER% %ROUTE_NAME%|10.0.0.2:8080 orders route-0",
                "%DOWNSTREAM_REMOTE_ADDRESS% %DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%|10.0.0.1:5000 10.0.0.1",
                "%DOWNSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_LOCAL_PORT%|[0:0:0:0:0:0:0:1]:80 80",
                "%DOWNSTREAM_PEER_URI_SAN%|spiffe://default/web",
                "100%% %%REQ|100% %REQ"
            })
    void commandsStandForWhatIsKnown(String text, String expected) {
        assertThat(written(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "no-route,NR",
        "no-endpoint,UH",
        "overflow,UO",
        "unreachable,UF",
        "timeout,UT",
        "rate-limited,RL",
        "odd,-"
    })
    void whatWentWrongHasEnvoysShortWord(String cause, String flag) {
        LineFormat format = new LineFormat.Text(template("%RESPONSE_FLAGS%"), Absence.SHOWN);
        assertThat(line(format, entry(REQUEST, 503, cause))).isEqualTo(flag);
    }

    @Test
    void aClientCanEndNeitherALineNorAQuotation() {
        assertThat(written("\"%REQ(USER-AGENT)%\"\n")).isEqualTo("\"curl \\\"8\\\"\\r\\n[forged] \\\\ \\u0085\"\n");
    }

    @Test
    void jsonKeepsNumbersAndLeavesOutWhatIsAbsentIfToldSo() {
        List<Member> members = List.of(
                new Member("code", template("%RESPONSE_CODE%")),
                new Member("agent", template("%REQ(USER-AGENT)%")),
                new Member("id", template("%REQ(X-REQUEST-ID)%")),
                new Member("both", template("%REQ(X-REQUEST-ID)%:%RESPONSE_CODE%")));
        assertThat(line(new LineFormat.Json(members, Absence.SHOWN), entry(REQUEST, 200, null)))
                .isEqualTo("{\"code\":200,\"agent\":\"curl \\\"8\\\"\\r\\n[forged] \\\\ \u0085\",\"id\":null,"
                        + "\"both\":\"-:200\"}\n");
        assertThat(line(new LineFormat.Json(members, Absence.OMITTED), entry(Map.of(), 0, null)))
                .isEqualTo("{\"code\":0,\"both\":\":0\"}\n");
        assertThat(line(new LineFormat.Text(template("a%REQ(x)%b"), Absence.OMITTED), entry(Map.of(), 0, null)))
                .isEqualTo("ab");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%",
                "50% done",
                "%NO_SUCH_THING%",
                "%req(x)%",
                "%REQ%",
                "%REQ()%",
                "%REQ(a b)%",
                "%REQ(a?b?c)%",
                "%PROTOCOL(x)%",
                "%START_TIME(%Q)%",
                "%START_TIME",
                "%DURATION:x%"
            })
    void whatIsNotUnderstoodIsRefused(String text) {
        assertThat(Template.parse(text)).isInstanceOf(Result.Rejected.class);
    }

    @Test
    void everythingThatIsWrongIsToldAtOnceAndByName() {
        assertThat(
                        Template.parse("%TRAILER(x)% %REQ(%)% 3%") instanceof Result.Rejected<Template>(var all)
                                ? all
                                : List.of())
                .extracting(Violation::message)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("%TRAILER% is not understood (expected: REQ, RESP"),
                        second -> assertThat(second).contains("%REQ(%)%"),
                        third -> assertThat(third).contains("a lone % at character 23"));
    }
}
