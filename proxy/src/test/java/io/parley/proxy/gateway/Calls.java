package io.parley.proxy.gateway;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.WebClientBuilder;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.common.SessionProtocol;
import java.util.concurrent.CompletableFuture;

/** Requests to a gateway, in the version of HTTP that is asked for. */
final class Calls {
    private static final int PATIENCE_MILLIS = 30_000;

    private Calls() {}

    static WebClient client(SessionProtocol protocol, int port) {
        return client(protocol, port, ClientFactory.ofDefault());
    }

    static WebClient client(SessionProtocol protocol, int port, ClientFactory factory) {
        WebClientBuilder builder =
                WebClient.builder(protocol, com.linecorp.armeria.client.Endpoint.of("127.0.0.1", port));
        return builder.factory(factory)
                .responseTimeoutMillis(PATIENCE_MILLIS)
                .writeTimeoutMillis(PATIENCE_MILLIS)
                .build();
    }

    static AggregatedHttpResponse http1(int port, String path, String... fields) {
        return send(SessionProtocol.H1C, port, HttpMethod.GET, path, "", fields);
    }

    static AggregatedHttpResponse http2(int port, String path, String... fields) {
        return send(SessionProtocol.H2C, port, HttpMethod.GET, path, "", fields);
    }

    static AggregatedHttpResponse send(
            SessionProtocol protocol, int port, HttpMethod method, String path, String body, String... fields) {
        return start(client(protocol, port), method, path, body, fields).join();
    }

    static CompletableFuture<AggregatedHttpResponse> start(
            WebClient client, HttpMethod method, String path, String body, String... fields) {
        RequestHeadersBuilder head = RequestHeaders.builder(method, path);
        for (int i = 0; i < fields.length; i += 2) {
            if (fields[i].equals("host")) {
                head.authority(fields[i + 1]);
            } else {
                head.add(fields[i], fields[i + 1]);
            }
        }
        return client.execute(head.build(), com.linecorp.armeria.common.HttpData.ofUtf8(body))
                .aggregate();
    }

    /** The value of a line {@code name=value} in what an {@link EchoServer} answers. */
    static String said(AggregatedHttpResponse answer, String name) {
        return answer.contentUtf8()
                .lines()
                .filter(line -> line.startsWith(name + "="))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }
}
