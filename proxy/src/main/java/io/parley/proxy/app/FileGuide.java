package io.parley.proxy.app;

import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.config.file.StaticConfig;
import io.parley.proxy.config.file.StaticConfig.AccessLogFormat;
import io.parley.proxy.config.file.StaticConfig.IdentityFiles;
import io.parley.proxy.config.file.StaticFile;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.CertificateSource;
import io.parley.proxy.tls.FileCertificates;
import io.parley.proxy.tls.TlsLibrary;
import io.parley.resource.Result;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A static file, which is looked at every second, as are the certificates that it names. */
final class FileGuide implements Guide {
    private static final Logger LOG = LoggerFactory.getLogger(FileGuide.class);
    private static final int FOLLOW_MILLIS = 1_000;

    private final Path file;
    private final Overrides overrides;
    private final StaticConfig first;
    private final @Nullable FileCertificates certificates;
    private final ScheduledExecutorService follower = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("config").factory());
    private byte[] applied;

    FileGuide(Path file, Overrides overrides) {
        this.file = file;
        this.overrides = overrides;
        this.applied = bytes();
        this.first = require(applied);
        this.certificates = certificates(first.identity());
        if (certificates == null && first.proxy().needsIdentity()) {
            LOG.warn(
                    "{} has no identity: nobody can connect where strangers are refused, and no endpoint's proxy can be"
                            + " dialled (expected: identity, or strangers: allowed)",
                    file);
        }
    }

    private static @Nullable FileCertificates certificates(@Nullable IdentityFiles files) {
        if (files == null) {
            return null;
        }
        FileCertificates certificates = new FileCertificates(files.certificate(), files.key(), files.trust());
        certificates.refresh();
        return certificates;
    }

    @Override
    public CertificateSource certificates() {
        return certificates == null ? CertificateSource.none() : certificates;
    }

    @Override
    public InetSocketAddress admin() {
        return first.admin();
    }

    @Override
    public AccessLogFormat accessLog() {
        return first.accessLog();
    }

    @Override
    public void lead(Proxy proxy) {
        if (certificates != null) {
            // They may not be there yet.
            TlsLibrary.load();
        }
        proxy.apply(first.proxy());
        ScheduledFuture<?> _ = follower.scheduleWithFixedDelay(
                () -> follow(proxy), FOLLOW_MILLIS, FOLLOW_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Takes over a changed file or certificate. What cannot be used is reported, and what was before stays. */
    private void follow(Proxy proxy) {
        if (certificates != null) {
            certificates.refresh();
        }
        try {
            byte[] now = bytes();
            if (!Arrays.equals(now, applied)) {
                applied = now;
                proxy.apply(require(now).proxy());
            }
        } catch (RuntimeException e) {
            LOG.error("configuration not changed: {}", e.getMessage());
        }
    }

    private byte[] bytes() {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new ProxyProgram.ConfigException(file + ": no such file", e);
        } catch (IOException e) {
            throw new ProxyProgram.ConfigException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private StaticConfig require(byte[] bytes) {
        return switch (StaticFile.read(bytes, overrides)) {
            case Result.Accepted<StaticConfig>(var config) -> config;
            case Result.Rejected<StaticConfig>(var violations) ->
                throw new ProxyProgram.ConfigException(file + " cannot be used:\n  "
                        + String.join(
                                "\n  ",
                                violations.stream().map(Object::toString).toList()));
        };
    }

    @Override
    public void close() {
        follower.shutdownNow();
    }
}
