package io.parley.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.parley.cli.TestControlPlane;
import io.parley.cli.client.ApiClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A proxy that has a token and that nobody has declared: both sides say so, until somebody does. */
@SuppressWarnings("NullAway.Init")
class UndeclaredProxyTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final List<String> SPEAKERS =
            List.of("io.parley.control.serve.UnfilledLinks", "io.parley.proxy.join.FirstWord");

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage());
        }
    };

    @TempDir
    private Path folder;

    private TestControlPlane controlPlane;
    private ApiClient api;
    private LocalMembers members;

    @BeforeEach
    void start() throws IOException {
        appender.start();
        SPEAKERS.forEach(name -> ((Logger) LoggerFactory.getLogger(name)).addAppender(appender));
        controlPlane = TestControlPlane.start(folder);
        api = new ApiClient(
                URI.create(Files.readString(folder.resolve("api.url")).strip()),
                Files.readString(folder.resolve("admin.token")).strip(),
                null);
        members = new LocalMembers(folder, api, controlPlane.port(), controlPlane.caFile());
    }

    @AfterEach
    void stop() {
        members.close();
        api.close();
        controlPlane.close();
        SPEAKERS.forEach(name -> ((Logger) LoggerFactory.getLogger(name)).detachAppender(appender));
    }

    private String parley(String... args) {
        return controlPlane.parley(args).out();
    }

    private List<String> linesWith(String text) {
        return lines.stream().filter(line -> line.contains(text)).toList();
    }

    @Test
    void ofADataPlaneIsSaidOnceByBothAndShownUntilItIsApplied() throws IOException {
        members.join("ghost", _ -> {});

        await().atMost(PATIENCE).until(() -> parley("inspect", "dataplanes").contains("online, no Dataplane"));
        assertThat(parley("inspect", "dataplane", "ghost"))
                .contains("gets no configuration: there is no Dataplane ghost in mesh default");
        await().atMost(PATIENCE)
                .until(() -> linesWith("Dataplane ghost in mesh default").size() == 2);

        controlPlane.apply("""
            type: Dataplane
            mesh: default
            name: ghost
            networking: {address: 127.0.0.1, inbound: [{port: 18099, tags: {kuma.io/service: ghost}}]}
            """);

        await().atMost(PATIENCE)
                .until(() -> linesWith("Dataplane ghost in mesh default").size() == 4);
        assertThat(parley("inspect", "dataplane", "ghost")).doesNotContain("no Dataplane");
        assertThat(parley("inspect", "dataplanes")).doesNotContain("no Dataplane");
    }

    @Test
    void ofAGatewayIsSaidByBothAndShown() throws IOException {
        members.joinGateway("default", "other", _ -> {});

        await().atMost(PATIENCE).until(() -> parley("inspect", "gateways").contains("there is no such Gateway"));
        await().atMost(PATIENCE).until(() -> linesWith("Gateway other.default").size() == 1);
        await().atMost(PATIENCE).until(() -> linesWith("Gateway default/other").size() == 1);
    }
}
