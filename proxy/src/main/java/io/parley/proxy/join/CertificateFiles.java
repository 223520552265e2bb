package io.parley.proxy.join;

import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A workload's certificate in files, for a program that speaks mutual TLS itself. Each file is replaced whole, the key before its
 * certificate: who reads them in between sees two that do not fit and looks again, as gRPC does.
 */
public final class CertificateFiles {
    public static final String CERTIFICATE = "certificate.pem";
    public static final String KEY = "key.pem";
    public static final String AUTHORITIES = "authorities.pem";

    private final Path folder;

    /** Makes the folder, for its owner only, if it is not there. */
    public CertificateFiles(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        this.folder = folder;
    }

    /** Replaces what is there. */
    public void write(Credentials shown, List<X509Certificate> trusted) {
        try {
            put(AUTHORITIES, Pem.encode(trusted), "rw-r--r--");
            put(KEY, Pem.encode(shown.key()), "rw-------");
            put(CERTIFICATE, Pem.encode(shown.chain()), "rw-r--r--");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    private void put(String name, String text, String permissions) throws IOException {
        Path fresh = folder.resolve("." + name + ".new");
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
        Files.writeString(fresh, text, StandardCharsets.US_ASCII, StandardOpenOption.TRUNCATE_EXISTING);
        Files.move(fresh, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
