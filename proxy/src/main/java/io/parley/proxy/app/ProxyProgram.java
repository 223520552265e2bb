package io.parley.proxy.app;

import io.parley.proxy.Surroundings;
import io.parley.proxy.admin.AdminServer;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.config.file.StaticConfig.AccessLogFormat;
import io.parley.proxy.exchange.Account;
import io.parley.proxy.exchange.RequestLog;
import io.parley.proxy.listen.CannotListenException;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.log.AccessLog;
import io.parley.proxy.tcp.Session;
import io.parley.proxy.tcp.SessionFields;
import io.parley.proxy.tcp.Transport;
import io.parley.proxy.telemetry.Telemetry;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A proxy as a program: it does what its guide tells it, until it is told to stop. */
public final class ProxyProgram implements AutoCloseable {
    /**
     * What the command line says.
     *
     * @param threads event loops; each connection lives on one of them
     */
    public record Options(Origin origin, Overrides overrides, int threads) {}

    /** The proxy cannot start as it is told; the message lists everything that is wrong. */
    public static final class ConfigException extends RuntimeException {
        ConfigException(String message) {
            super(message);
        }

        ConfigException(String message, Exception cause) {
            super(message, cause);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(ProxyProgram.class);

    /** Added to a signal's number it is the exit code of a process that ends by it, as shells and the JVM have it. */
    private static final int KILLED = 128;

    private final Duration drainDelay;
    private final Guide guide;
    private final @Nullable AccessLog accessLog;
    private final Proxy proxy;
    private final AdminServer admin;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicBoolean stopping = new AtomicBoolean();

    /** Opened by whoever wants the end sooner than the delay has it. */
    private final CountDownLatch hurry = new CountDownLatch(1);

    private volatile boolean draining;
    private volatile boolean closing;

    private ProxyProgram(Options options, Surroundings surroundings, PrintStream log, Consumer<? super Session> ended) {
        this.drainDelay = options.overrides().drainDelay();
        this.guide = Guide.of(options, surroundings);
        AccessLogFormat asked = options.overrides().accessLog();
        AccessLog lines = accessLog(asked == null ? guide.accessLog() : asked, log);
        this.accessLog = lines;
        this.proxy = new Proxy(
                Transport.best(options.threads()),
                guide.certificates(),
                surroundings,
                session -> {
                    log(session, surroundings);
                    ended.accept(session);
                },
                accounts(lines, surroundings));
        if (lines != null) {
            proxy.machinery()
                    .telemetry()
                    .counters(
                            "access_log_dropped_total",
                            "Lines of the proxy's own access log that whoever reads them was too slow for.",
                            List.of(),
                            () -> Map.of(List.of(), lines.dropped()));
        }
        count(options.origin());
        try {
            this.admin = new AdminServer(
                    guide.admin(),
                    new AdminServer.Visits(
                            options.overrides().adminToken(),
                            options.overrides().probes()),
                    proxy,
                    guide::guidance,
                    () -> Thread.ofVirtual().start(this::stop));
        } catch (CannotListenException e) {
            guide.close();
            proxy.close();
            throw e;
        }
    }

    /** Starts, or throws {@link ConfigException} with everything that is wrong. The access log goes to {@code log}. */
    public static ProxyProgram start(Options options, Surroundings surroundings, PrintStream log) {
        return start(options, surroundings, log, _ -> {});
    }

    /** Tells {@code ended} of each connection that is over, too, on its event loop. */
    public static ProxyProgram start(
            Options options, Surroundings surroundings, PrintStream log, Consumer<? super Session> ended) {
        ProxyProgram program = new ProxyProgram(options, surroundings, log, ended);
        try {
            program.guide.lead(program.proxy);
        } catch (RuntimeException e) {
            program.close();
            throw e;
        }
        return program;
    }

    /** Starts, and returns when the process is asked to end and the connections are drained. */
    public static void run(Options options, Surroundings surroundings, PrintStream log) throws InterruptedException {
        ProxyProgram program = start(options, surroundings, log);
        SecondSignal.goesTo(program::toldAgain);
        Runtime.getRuntime().addShutdownHook(new Thread(program::stop, "drain"));
        program.stopped.await();
    }

    public Proxy proxy() {
        return proxy;
    }

    public InetSocketAddress adminAddress() {
        return admin.address();
    }

    /**
     * Serves on for the delay, lets open connections finish, then stops. Only the first call does so; the others have it not wait for the
     * delay, and wait for its end.
     */
    public void stop() {
        boolean first = stopping.compareAndSet(false, true);
        try {
            if (first) {
                leave();
            } else {
                hurry.countDown();
                stopped.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (first) {
                close();
            }
        }
    }

    private void leave() throws InterruptedException {
        if (!drainDelay.isZero()) {
            proxy.leave();
            LOG.info(
                    "told to end: not ready from now on, connections are still accepted, draining in {}, or at once if"
                            + " told again",
                    drainDelay.toString().substring("PT".length()).toLowerCase(Locale.ROOT));
            var _ = hurry.await(drainDelay.toNanos(), TimeUnit.NANOSECONDS);
            if (closing) {
                return;
            }
        }
        draining = true;
        proxy.drain();
    }

    /** Whoever tells it again waits for nothing more: not for the delay, and in a drain not for anybody. */
    private void toldAgain(int signal) {
        if (draining) {
            LOG.warn(
                    "told to end again: ends at once, {} connections are cut",
                    proxy.machinery().sessions().count());
            Runtime.getRuntime().halt(KILLED + signal);
        }
        hurry.countDown();
    }

    /** Stops at once. */
    @Override
    public void close() {
        closing = true;
        hurry.countDown();
        end();
    }

    private synchronized void end() {
        if (stopped.getCount() == 0) {
            return;
        }
        // There is nothing left to drain.
        stopping.set(true);
        try {
            guide.close();
            proxy.close();
            admin.close();
            if (accessLog != null) {
                accessLog.close();
            }
        } finally {
            stopped.countDown();
        }
    }

    private void count(Origin origin) {
        Telemetry telemetry = proxy.machinery().telemetry();
        telemetry.gauge(
                "proxy_configuration_refused", () -> guide.guidance().refused().isEmpty() ? 0 : 1);
        if (origin instanceof Origin.ControlPlane) {
            telemetry.gauge("control_plane_connected", () -> guide.guidance().lost() == null ? 1 : 0);
        }
    }

    private static @Nullable AccessLog accessLog(AccessLogFormat format, PrintStream log) {
        return switch (format) {
            case NONE -> null;
            case TEXT -> new AccessLog(AccessLog.Format.TEXT, log);
            case JSON -> new AccessLog(AccessLog.Format.JSON, log);
        };
    }

    private static Account.Keeper accounts(@Nullable AccessLog log, Surroundings surroundings) {
        return log == null ? (_, _, _) -> Account.NONE : new RequestLog(surroundings.clock(), log::log);
    }

    private void log(Session session, Surroundings surroundings) {
        if (accessLog != null) {
            long now = surroundings.ticker().getAsLong();
            Instant time = surroundings.clock().instant();
            accessLog.log(() -> {
                var fields = SessionFields.of(session, now);
                fields.remove("phase");
                fields.put("time", time.toString());
                return fields;
            });
        }
    }
}
