package io.parley.control.app;

import io.parley.control.access.Caller;
import io.parley.control.keys.PrivateFile;
import io.parley.identity.token.Subject;
import io.parley.identity.token.TokenIssuer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The administrator's token in the data folder. Whoever may read that file may administer; the token in it is short-lived and
 * replaced at half its life, so that a copy that got away does not count for long, and when another key signs, so that the old key can be retired.
 */
final class AdminToken implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminToken.class);
    private static final Duration LIFE = Duration.ofHours(8);
    private static final Duration RENEWAL = LIFE.dividedBy(2);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration TRY_AGAIN = Duration.ofMinutes(1);

    private final TokenIssuer issuer;
    private final Supplier<String> signingKey;
    private final Path file;
    private final Clock clock;
    private final ScheduledExecutorService timer = Threads.timer("admin-token");
    private Instant nextTry = Instant.MIN;
    private Written last = new Written("", Instant.MIN);

    AdminToken(TokenIssuer issuer, Supplier<String> signingKey, Path file, Clock clock) {
        this.issuer = issuer;
        this.signingKey = signingKey;
        this.file = file;
        this.clock = clock;
    }

    void keepFresh() {
        write();
        var _ = timer.scheduleWithFixedDelay(this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void write() {
        String key = signingKey.get();
        String token = issuer.issue(new Subject.User("local-admin", Set.of(Caller.ADMIN), ""), LIFE);
        PrivateFile.write(file, (token + "\n").getBytes(StandardCharsets.US_ASCII));
        last = new Written(key, clock.instant().plus(RENEWAL));
    }

    private synchronized void look() {
        Instant now = clock.instant();
        if (now.isBefore(nextTry)) {
            return;
        }
        try {
            if (!now.isBefore(last.renewal()) || !last.key().equals(signingKey.get())) {
                write();
            }
        } catch (RuntimeException e) {
            LOG.warn("the administrator's token could not be renewed; trying again in {}", TRY_AGAIN, e);
            nextTry = now.plus(TRY_AGAIN);
        }
    }

    @Override
    public void close() {
        timer.close();
    }

    /** What was written last: with which key, and when it will be too old. */
    private record Written(String key, Instant renewal) {}
}
