package io.parley.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** Sends requests, and looks at answers as the conformance suite does. */
final class HttpCalls implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int IN_A_ROW = 3;

    private final ClientFactory clients = ClientFactory.builder()
            .idleTimeout(Duration.ofSeconds(1))
            .tlsNoVerify()
            .addressResolverGroupFactory(_ -> new Loopback())
            .build();

    AggregatedHttpResponse send(Request request) {
        RequestHeadersBuilder headers =
                RequestHeaders.builder(request.method(), request.path()).authority(request.host());
        request.headers().forEach(headers::add);
        return WebClient.builder(request.scheme() + "://" + request.dialled() + ":" + request.port())
                .factory(clients)
                .responseTimeout(Patience.LIMIT)
                .build()
                .execute(headers.build())
                .aggregate()
                .join();
    }

    int status(Request request) {
        return send(request).status().code();
    }

    /** Until it is so three times in a row. */
    void expect(Request request, Consumer<AggregatedHttpResponse> as) {
        Patience.until(request.toString(), () -> {
            for (int at = 0; at < IN_A_ROW; at++) {
                as.accept(send(request));
            }
        });
    }

    void expectBackend(Request request, String pod) {
        expect(request, answer -> assertThat(pod(answer)).isEqualTo(pod));
    }

    /** Which protocol the backend saw. */
    void expectProtocol(Request request, String protocol) {
        expect(
                request,
                answer -> assertThat(echo(answer).path("proto").asText()).isEqualTo(protocol));
    }

    void expectStatus(Request request, int status) {
        expect(
                request,
                answer -> assertThat(answer.status().code())
                        .as(answer.contentUtf8())
                        .isEqualTo(status));
    }

    /** How often which answer came, of so many; {@code what} says what is looked at. */
    <K extends Comparable<K>> Map<K, Integer> count(
            int times, Request request, Function<AggregatedHttpResponse, K> what) {
        Map<K, Integer> seen = new TreeMap<>();
        for (int at = 0; at < times; at++) {
            seen.merge(what.apply(send(request)), 1, Integer::sum);
        }
        return seen;
    }

    static String pod(AggregatedHttpResponse answer) {
        return echo(answer).path("pod").asText();
    }

    static JsonNode echo(AggregatedHttpResponse answer) {
        assertThat(answer.status().code()).as(answer.contentUtf8()).isEqualTo(200);
        try {
            return JSON.readTree(answer.contentUtf8());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        clients.close();
    }
}
