package io.parley.control.app;

import io.parley.control.access.Caller;
import io.parley.control.keys.PrivateFile;
import io.parley.identity.token.Subject;
import io.parley.identity.token.TokenIssuer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The administrator's token in the data folder. Whoever may read that file may administer; the token in it is short-lived and
 * replaced at half its life, so that a copy that got away does not count for long.
 */
final class AdminToken implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminToken.class);
    private static final Duration LIFE = Duration.ofHours(8);
    private static final Duration RENEWAL = LIFE.dividedBy(2);

    private final TokenIssuer issuer;
    private final Path file;
    private final ScheduledExecutorService timer = Threads.timer("admin-token");

    AdminToken(TokenIssuer issuer, Path file) {
        this.issuer = issuer;
        this.file = file;
    }

    void keepFresh() {
        write();
        var _ = timer.scheduleAtFixedRate(this::tryWrite, RENEWAL.toSeconds(), RENEWAL.toSeconds(), TimeUnit.SECONDS);
    }

    private void write() {
        String token = issuer.issue(new Subject.User("local-admin", Set.of(Caller.ADMIN), ""), LIFE);
        PrivateFile.write(file, (token + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private void tryWrite() {
        try {
            write();
        } catch (RuntimeException e) {
            LOG.warn("the administrator's token could not be renewed; trying again in {}", RENEWAL, e);
        }
    }

    @Override
    public void close() {
        timer.close();
    }
}
