package io.parley.proxy.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Spans as collectors read them. */
class SpanFormatsTest {
    private static Span span(long parent, Span.Outcome outcome) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("http.request.method", "GET");
        attributes.put("http.response.status_code", 503L);
        return new Span(
                new TraceContext(0x0af7651916cd43ddL, 0x8448eb211c80319cL, 0xb7ad6b7169203331L, 1),
                parent,
                Span.Kind.CLIENT,
                "GET",
                1_700_000_000_000_001_000L,
                1_700_000_000_000_043_000L,
                attributes,
                outcome);
    }

    /** The fields of a message by their numbers, as they are on the wire. */
    private static Map<Integer, List<Object>> fields(byte[] message) throws IOException {
        Map<Integer, List<Object>> fields = new TreeMap<>();
        CodedInputStream in = CodedInputStream.newInstance(message);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            Object value = switch (WireFormat.getTagWireType(tag)) {
                case WireFormat.WIRETYPE_VARINT -> in.readInt64();
                case WireFormat.WIRETYPE_FIXED64 -> in.readFixed64();
                case WireFormat.WIRETYPE_LENGTH_DELIMITED -> in.readByteArray();
                default -> throw new IOException("tag " + tag);
            };
            fields.computeIfAbsent(WireFormat.getTagFieldNumber(tag), _ -> new ArrayList<>())
                    .add(value);
        }
        return fields;
    }

    private static Map<Integer, List<Object>> inside(Map<Integer, List<Object>> fields, int number) throws IOException {
        return fields(bytes(fields, number));
    }

    private static String text(Map<Integer, List<Object>> fields, int number) {
        return new String(bytes(fields, number), StandardCharsets.UTF_8);
    }

    private static String hex(Map<Integer, List<Object>> fields, int number) {
        return HexFormat.of().formatHex(bytes(fields, number));
    }

    /** The last value under a number. */
    private static byte[] bytes(Map<Integer, List<Object>> fields, int number) {
        return (byte[]) fields.getOrDefault(number, List.of()).getLast();
    }

    /** The numbers are those of opentelemetry/proto/trace/v1/trace.proto. */
    @Test
    void openTelemetryFindsEachPartUnderItsNumber() throws IOException {
        byte[] bytes =
                OtlpSpans.request("web", List.of(span(5, Span.Outcome.ERROR))).toByteArray();
        var resourceSpans = inside(fields(bytes), 1);
        var service = inside(inside(resourceSpans, 1), 1);
        assertThat(text(service, 1)).isEqualTo("service.name");
        assertThat(text(inside(service, 2), 1)).isEqualTo("web");
        var scopeSpans = inside(resourceSpans, 2);
        assertThat(text(inside(scopeSpans, 1), 1)).isEqualTo("parley");
        var span = inside(scopeSpans, 2);
        assertThat(hex(span, 1)).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(hex(span, 2)).isEqualTo("b7ad6b7169203331");
        assertThat(hex(span, 4)).isEqualTo("0000000000000005");
        assertThat(text(span, 5)).isEqualTo("GET");
        assertThat(span.get(6)).containsExactly(3L);
        assertThat(span.get(7)).containsExactly(1_700_000_000_000_001_000L);
        assertThat(span.get(8)).containsExactly(1_700_000_000_000_043_000L);
        assertThat(span.get(9)).hasSize(2);
        var status = inside(span, 9);
        assertThat(text(status, 1)).isEqualTo("http.response.status_code");
        assertThat(inside(status, 2).get(3)).containsExactly(503L);
        assertThat(inside(span, 15).get(3)).containsExactly(2L);
    }

    @Test
    void aSpanWithoutOneAboveItNamesNone() throws IOException {
        byte[] bytes = OtlpSpans.request("web", List.of(span(0, Span.Outcome.UNREMARKABLE)))
                .toByteArray();
        var span = inside(inside(inside(fields(bytes), 1), 2), 2);
        assertThat(span).doesNotContainKeys(4, 15);
    }

    @Test
    void zipkinReadsItsJson() {
        assertThat(ZipkinSpans.list("web", List.of(span(5, Span.Outcome.ERROR))))
                .isEqualTo("[{\"traceId\":\"0af7651916cd43dd8448eb211c80319c\",\"id\":\"b7ad6b7169203331\","
                        + "\"parentId\":\"0000000000000005\",\"kind\":\"CLIENT\",\"name\":\"GET\","
                        + "\"timestamp\":1700000000000001,\"duration\":42,\"localEndpoint\":{\"serviceName\":\"web\"},"
                        + "\"tags\":{\"http.request.method\":\"GET\",\"http.response.status_code\":\"503\","
                        + "\"error\":\"true\"}}]");
    }
}
