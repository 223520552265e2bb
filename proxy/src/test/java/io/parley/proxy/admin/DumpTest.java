package io.parley.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.HealthCheck;
import io.parley.proxy.config.HttpUpstream.Question;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.Route;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class DumpTest {
    private static ClusterConfig checked(int... ports) {
        Question get = new Question.Get("a.example", "/", FieldEdits.NONE, List.of(new Question.Statuses(200, 201)));
        HealthCheck check = new HealthCheck(Duration.ofMillis(20), Duration.ofSeconds(30), 1, 1, get);
        return HttpProxy.cluster("app", new HttpUpstream(Version.HTTP1, 100, null, List.of(check)), ports);
    }

    private static List<Boolean> healthy(HttpProxy proxy) {
        JsonNode endpoints = Dump.config(proxy.proxy()).at("/clusters/0/endpoints");
        return StreamSupport.stream(endpoints.spliterator(), false)
                .map(endpoint -> endpoint.path("healthy").asBoolean())
                .toList();
    }

    @Test
    void showsWhichEndpointsFailTheirHealthChecks() throws IOException {
        AtomicBoolean well = new AtomicBoolean();
        try (RecordingServer sick = RecordingServer.answering(_ ->
                        "HTTP/1.1 " + (well.get() ? "200 OK" : "503 Unavailable") + "\r\ncontent-length: 0\r\n\r\n");
                RecordingServer fine = RecordingServer.answering(_ -> "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                HttpProxy proxy = HttpProxy.routing(List.of(Route.to("app")), checked(sick.port(), fine.port()))) {
            await().untilAsserted(() -> assertThat(healthy(proxy)).containsExactly(false, true));
            well.set(true);
            await().untilAsserted(() -> assertThat(healthy(proxy)).containsExactly(true, true));
        }
    }
}
