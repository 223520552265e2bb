package io.parley.proxy.tls;

import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import io.parley.proxy.SmallFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The proxy's certificate out of PEM files, which whoever renews it may replace at any time. */
public final class FileCertificates implements CertificateSource {
    private static final Logger LOG = LoggerFactory.getLogger(FileCertificates.class);

    /** More than any bundle of authorities that is in use. */
    private static final int MAX_BYTES = 4 << 20;

    private final Path certificate;
    private final Path key;
    private final Path trust;
    private volatile @Nullable MeshCredentials held;
    private List<String> read = List.of();
    private volatile String complaint = "";

    /** Nothing is read until {@link #refresh}. */
    public FileCertificates(Path certificate, Path key, Path trust) {
        this.certificate = certificate;
        this.key = key;
        this.trust = trust;
    }

    @Override
    public Optional<MeshCredentials> current() {
        return Optional.ofNullable(held);
    }

    @Override
    public Optional<String> whyNone() {
        return held == null ? Optional.of(complaint) : Optional.empty();
    }

    /**
     * Reads the files again if they have changed. While they do not fit each other, as in the middle of a renewal, what was held
     * before is kept.
     *
     * @return whether another certificate is held than before
     */
    public synchronized boolean refresh() {
        try {
            List<String> texts = List.of(text(certificate), text(key), text(trust));
            if (!texts.equals(read)) {
                MeshCredentials fresh = new MeshCredentials(
                        new Credentials(Pem.certificates(texts.get(0)), Pem.privateKey(texts.get(1))),
                        Pem.certificates(texts.get(2)));
                held = fresh;
                read = texts;
                complaint = "";
                LOG.info("certificate of {} read, valid until {}", fresh.identity(), fresh.expires());
                return true;
            }
        } catch (IOException | IllegalArgumentException e) {
            complain(
                    switch (e) {
                        case NoSuchFileException missing -> missing.getFile() + " is not there";
                        case AccessDeniedException denied -> denied.getFile() + " may not be read by this process";
                        default -> String.valueOf(e.getMessage());
                    });
        }
        return false;
    }

    /** It is looked every second, and said once. */
    private void complain(String reason) {
        if (!reason.equals(complaint)) {
            complaint = reason;
            LOG.warn("certificate not read from {}: {}; {}", certificate, reason, keeping());
        }
    }

    private String keeping() {
        return held == null ? "there is none to go on with" : "going on with the one before";
    }

    private static String text(Path file) throws IOException {
        return new String(SmallFile.read(file, MAX_BYTES), StandardCharsets.US_ASCII);
    }
}
