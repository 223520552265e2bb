package io.parley.proxy.app;

import io.parley.proxy.Surroundings;
import io.parley.proxy.admin.AdminServer;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.config.file.StaticConfig;
import io.parley.proxy.config.file.StaticConfig.AccessLogFormat;
import io.parley.proxy.config.file.StaticConfig.IdentityFiles;
import io.parley.proxy.config.file.StaticFile;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tcp.Session;
import io.parley.proxy.tcp.SessionFields;
import io.parley.proxy.tcp.Transport;
import io.parley.proxy.telemetry.AccessLog;
import io.parley.proxy.tls.CertificateSource;
import io.parley.proxy.tls.FileCertificates;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A proxy as a program: configured by a file, which it follows, until it is told to stop. */
public final class ProxyProgram implements AutoCloseable {
    /**
     * What the command line says.
     *
     * @param file the static file
     * @param threads event loops; each connection lives on one of them
     */
    public record Options(Path file, Overrides overrides, int threads) {}

    /** The configuration cannot be used; the message lists everything that is wrong with it. */
    public static final class ConfigException extends RuntimeException {
        ConfigException(Path file, List<Violation> violations) {
            super(violations.stream()
                    .map(violation -> "  " + violation)
                    .collect(Collectors.joining("\n", file + " cannot be used:\n", "")));
        }

        ConfigException(Path file, IOException cause) {
            super(file + " cannot be read: " + cause.getMessage(), cause);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(ProxyProgram.class);
    private static final int FOLLOW_MILLIS = 1_000;

    private final Options options;
    private final @Nullable FileCertificates certificates;
    private final @Nullable AccessLog accessLog;
    private final Proxy proxy;
    private final AdminServer admin;
    private final ScheduledExecutorService follower = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("config").factory());
    private final CountDownLatch stopped = new CountDownLatch(1);
    private byte[] applied;

    private ProxyProgram(Options options, Surroundings surroundings, PrintStream log) {
        this.options = options;
        this.applied = bytes(options.file());
        StaticConfig config = require(options, applied);
        this.certificates = certificates(config.identity());
        this.accessLog = accessLog(config.accessLog(), log);
        CertificateSource source = certificates == null ? CertificateSource.none() : certificates;
        this.proxy = new Proxy(
                Transport.best(options.threads()), source, surroundings, session -> log(session, surroundings));
        this.admin =
                new AdminServer(config.admin(), proxy, () -> Thread.ofVirtual().start(this::stop));
    }

    /** Starts, or throws {@link ConfigException} with everything that is wrong. The access log goes to {@code log}. */
    public static ProxyProgram start(Options options, Surroundings surroundings, PrintStream log) {
        ProxyProgram program = new ProxyProgram(options, surroundings, log);
        try {
            program.proxy.apply(require(options, program.applied).proxy());
        } catch (RuntimeException e) {
            program.close();
            throw e;
        }
        ScheduledFuture<?> _ = program.follower.scheduleWithFixedDelay(
                program::follow, FOLLOW_MILLIS, FOLLOW_MILLIS, TimeUnit.MILLISECONDS);
        return program;
    }

    /** Starts, and returns when the process is asked to end and the connections are drained. */
    public static void run(Options options, Surroundings surroundings, PrintStream log) throws InterruptedException {
        ProxyProgram program = start(options, surroundings, log);
        Runtime.getRuntime().addShutdownHook(new Thread(program::stop, "drain"));
        program.stopped.await();
    }

    public Proxy proxy() {
        return proxy;
    }

    public InetSocketAddress adminAddress() {
        return admin.address();
    }

    /** Lets open connections finish, then stops. Only the first call does so; the others wait for it. */
    public void stop() {
        try {
            proxy.drain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    /** Stops at once. */
    @Override
    public synchronized void close() {
        if (stopped.getCount() == 0) {
            return;
        }
        follower.shutdownNow();
        proxy.close();
        admin.close();
        if (accessLog != null) {
            accessLog.close();
        }
        stopped.countDown();
    }

    /** Takes over a changed file or certificate. What cannot be used is reported, and what was before stays. */
    private void follow() {
        if (certificates != null) {
            certificates.refresh();
        }
        try {
            byte[] now = bytes(options.file());
            if (!Arrays.equals(now, applied)) {
                applied = now;
                proxy.apply(require(options, now).proxy());
            }
        } catch (RuntimeException e) {
            LOG.error("configuration not changed: {}", e.getMessage());
        }
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new ConfigException(file, e);
        }
    }

    private static StaticConfig require(Options options, byte[] bytes) {
        return switch (StaticFile.read(bytes, options.overrides())) {
            case Result.Accepted<StaticConfig>(var config) -> config;
            case Result.Rejected<StaticConfig>(var violations) -> throw new ConfigException(options.file(), violations);
        };
    }

    private static @Nullable FileCertificates certificates(@Nullable IdentityFiles files) {
        if (files == null) {
            return null;
        }
        FileCertificates certificates = new FileCertificates(files.certificate(), files.key(), files.trust());
        certificates.refresh();
        return certificates;
    }

    private static @Nullable AccessLog accessLog(AccessLogFormat format, PrintStream log) {
        return switch (format) {
            case NONE -> null;
            case TEXT -> new AccessLog(AccessLog.Format.TEXT, log);
            case JSON -> new AccessLog(AccessLog.Format.JSON, log);
        };
    }

    private void log(Session session, Surroundings surroundings) {
        if (accessLog != null) {
            var fields = SessionFields.of(session, surroundings.ticker().getAsLong());
            fields.remove("phase");
            fields.put("time", surroundings.clock().instant().toString());
            accessLog.log(fields);
        }
    }
}
