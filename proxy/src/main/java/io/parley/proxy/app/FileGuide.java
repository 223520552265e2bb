package io.parley.proxy.app;

import io.parley.proxy.SmallFile;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.config.file.StaticConfig;
import io.parley.proxy.config.file.StaticConfig.AccessLogFormat;
import io.parley.proxy.config.file.StaticConfig.IdentityFiles;
import io.parley.proxy.config.file.StaticFile;
import io.parley.proxy.listen.CannotListenException;
import io.parley.proxy.listen.Guidance;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.CertificateSource;
import io.parley.proxy.tls.FileCertificates;
import io.parley.proxy.tls.TlsLibrary;
import io.parley.resource.Result;
import io.parley.resource.text.Limits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
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
    private volatile String complaint = "";

    /** What was taken over, or could not be; null once the file was not there, or while it is to be tried again. */
    private byte @Nullable [] tried;

    FileGuide(Path file, Overrides overrides) {
        this.file = file;
        this.overrides = overrides;
        byte[] now = bytes();
        this.tried = now;
        this.first = require(now);
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
        boolean _ = certificates.refresh();
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
    public Guidance guidance() {
        return new Guidance(file.toString(), null, complaint);
    }

    @Override
    public void lead(Proxy proxy) {
        if (certificates != null) {
            // They may not be there yet.
            TlsLibrary.load();
        }
        apply(proxy, first);
        ScheduledFuture<?> _ = follower.scheduleWithFixedDelay(
                () -> follow(proxy), FOLLOW_MILLIS, FOLLOW_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Takes over a changed file or certificate. What cannot be used is reported, and what was before stays. */
    void follow(Proxy proxy) {
        if (certificates != null && certificates.refresh()) {
            proxy.machinery().tls().prepare();
        }
        try {
            byte[] before = tried;
            tried = null;
            byte[] now = bytes();
            tried = now;
            if (!Arrays.equals(now, before)) {
                StaticConfig changed = require(now);
                apply(proxy, changed);
                settle();
                remarkOnWhatStays(changed);
            }
        } catch (CannotListenException e) {
            // Who has the port may let it go.
            tried = null;
            complain(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private void remarkOnWhatStays(StaticConfig changed) {
        if (!changed.admin().equals(first.admin())
                || changed.accessLog() != first.accessLog()
                || !Objects.equals(changed.identity(), first.identity())) {
            LOG.warn("admin, accessLog and identity of {} are as they were at the start (expected: a restart)", file);
        }
    }

    private static void apply(Proxy proxy, StaticConfig config) {
        try {
            proxy.apply(config.proxy());
        } catch (CannotListenException e) {
            throw e.askedForBy(name -> config.places().getOrDefault(name, name));
        }
    }

    /** It is looked every second, and said once. */
    private void complain(String reason) {
        if (!reason.equals(complaint)) {
            complaint = reason;
            LOG.error("configuration not changed: {}", reason);
        }
    }

    /** If the file is again what it was, nothing else would say so. */
    private void settle() {
        if (!complaint.isEmpty()) {
            complaint = "";
            LOG.info("{} can be used again, and is in force", file);
        }
    }

    private byte[] bytes() {
        try {
            return SmallFile.read(file, Limits.BYTES);
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
