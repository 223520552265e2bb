package io.parley.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.grpc.Grpc;
import io.grpc.Server;
import io.grpc.TlsServerCredentials;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.sync.auth.ZoneAuthenticator;
import io.parley.sync.auth.ZoneIdentity;
import io.parley.sync.zone.Channels;
import io.parley.sync.zone.LinkState;
import io.parley.sync.zone.ZoneSync;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A zone that cannot join is told why, in one line that is a warning, and not at each attempt. */
class JoinFailuresTest {
    private static final Duration LIFE = Duration.ofHours(1);
    private static final int ATTEMPTS = 10;

    @TempDir
    private Path folder;

    private final CertificateAuthority authority = authority();
    private final MemoryStore store = new MemoryStore(Retention.DEFAULT, InstantSource.system());
    private final Deque<AutoCloseable> open = new ArrayDeque<>(List.of(store));
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.parley.sync.zone.ZoneSession");
    private final Said said = new Said();

    @BeforeEach
    void listen() {
        said.start();
        logger.addAppender(said);
    }

    @AfterEach
    void close() throws Exception {
        logger.detachAppender(said);
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void withoutGlobalsAuthorityItIsToldToGiveIt() throws Exception {
        int port = global("127.0.0.1");

        String warning = warningOf("grpcs://127.0.0.1:" + port, null);

        assertThat(warning)
                .contains("global's certificate is not trusted: ", "; give --global-ca FILE")
                .doesNotContain("Pipeline");
        assertThat(warning.lines()).hasSize(1);
    }

    @Test
    void withAnotherAuthorityItIsToldWhichWasGiven() throws Exception {
        int port = global("127.0.0.1");
        Path other = Files.writeString(
                folder.resolve("other.pem"), Pem.encode(authority().certificate()));

        assertThat(warningOf("grpcs://127.0.0.1:" + port, other))
                .contains("global's certificate is not trusted: ", "--global-ca " + other);
    }

    @Test
    void aCertificateForAnotherNameIsSaidToBeThat() throws Exception {
        int port = global("127.0.0.2");

        assertThat(warningOf("grpcs://127.0.0.1:" + port, trusted()))
                .contains("global's certificate is not good for 127.0.0.1: ", "--host-name 127.0.0.1");
    }

    @Test
    void whatIsNotThereAtAllIsNamed() throws Exception {
        assertThat(warningOf("grpcs://127.0.0.1:1", trusted()))
                .contains("no connection to grpcs://127.0.0.1:1: ", "Connection refused");
        assertThat(warningOf("grpcs://127.0.0.1:1", folder.resolve("absent.pem")))
                .contains("--global-ca: " + folder.resolve("absent.pem") + ": no such file");
        assertThat(warningOf("grpcs://127.0.0.1:1", Files.writeString(folder.resolve("empty.pem"), "")))
                .contains("empty.pem: no certificate found");
    }

    @Test
    void aTokenThatIsNotThereIsNamed() throws Exception {
        URI url = URI.create("grpcs://127.0.0.1:" + global("127.0.0.1"));

        assertThat(warningOf(new Channels(url, trusted(), folder.resolve("absent.token"))))
                .contains(folder.resolve("absent.token") + ": no such file");
    }

    @Test
    void aRefusalIsAWarningAndIsNotRepeatedAtEachAttempt() {
        AtomicInteger asked = new AtomicInteger();
        ZoneAuthenticator others = (_, _) -> {
            asked.incrementAndGet();
            return new ZoneAuthenticator.Answer.Proven(new ZoneIdentity("", "zone-9"));
        };
        GlobalNode node = new GlobalNode(Tenants.single(store), others, GlobalNode.settings(), 0);
        open.push(node);
        open.push(new ZoneNode(
                new MemoryStore(Retention.DEFAULT, InstantSource.system()), node.port(), ZoneNode.settings("zone-1")));

        await().until(() -> asked.get() >= ATTEMPTS);

        assertThat(said.warnings)
                .filteredOn(text -> text.contains("operational kinds"))
                .singleElement()
                .asString()
                .contains("PERMISSION_DENIED");
    }

    private String warningOf(String url, @Nullable Path ca) {
        return warningOf(new Channels(URI.create(url), ca, null));
    }

    private String warningOf(Channels channels) {
        said.warnings.clear();
        try (ZoneSync zone = ZoneSync.start(store, channels, ZoneNode.settings("zone-1"), new SimpleMeterRegistry())) {
            await().until(() ->
                    zone.states().stream().anyMatch(LinkState.Waiting.class::isInstance) && !said.warnings.isEmpty());
            return said.warnings.getFirst();
        }
    }

    /** Nothing but its TLS matters. */
    private int global(String address) throws IOException {
        Credentials credentials = authority.issueServer(List.of("elsewhere.example"), List.of(address), LIFE);
        Server server = Grpc.newServerBuilderForPort(
                        0,
                        TlsServerCredentials.create(
                                stream(Pem.encode(credentials.chain())), stream(Pem.encode(credentials.key()))))
                .build()
                .start();
        open.push(server::shutdownNow);
        return server.getPort();
    }

    private Path trusted() throws IOException {
        return Files.writeString(folder.resolve("ca.pem"), Pem.encode(authority.certificate()));
    }

    private static CertificateAuthority authority() {
        return CertificateAuthority.create("global", LIFE, Clock.systemUTC(), new SecureRandom());
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** What was said at level WARN. */
    private static final class Said extends AppenderBase<ILoggingEvent> {
        final List<String> warnings = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel() == Level.WARN) {
                warnings.add(event.getFormattedMessage());
            }
        }
    }
}
