package io.parley.control.app;

import io.parley.control.keys.PrivateFile;
import io.parley.identity.seal.MasterKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The folder in which one control plane keeps what must outlive it.
 *
 * <p>{@code store.db} the embedded store; {@code master.key} opens sealed secrets; {@code ca.pem} what clients need to trust its
 * port; {@code admin.token} and {@code api.url} what the command line needs to reach it;
 * {@code instance.id} its name; {@code tenants} a folder for each, with its store.
 */
public record DataFolder(Path path) {
    /** Makes the folder if there is none; only its owner may look inside. */
    public static DataFolder open(Path path) {
        try {
            if (!Files.isDirectory(path)) {
                Files.createDirectories(
                        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            return new DataFolder(path.toRealPath());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use the data folder " + path + ": " + reason(path, e), e);
        }
    }

    private static String reason(Path path, IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        return Files.exists(path) ? "it is a file (expected: a folder, or nothing yet)" : e.toString();
    }

    /** Where the embedded store of a tenant is. */
    Path ofTenant(String tenant) {
        return path.resolve("tenants").resolve(tenant);
    }

    public Path caFile() {
        return path.resolve("ca.pem");
    }

    public Path adminTokenFile() {
        return path.resolve("admin.token");
    }

    public Path apiUrlFile() {
        return path.resolve("api.url");
    }

    /** What this control plane is called among those of its store: it keeps its name when it starts again. */
    String instanceId() {
        Path file = path.resolve("instance.id");
        if (!Files.exists(file)) {
            PrivateFile.writePublic(file, (UUID.randomUUID() + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** The key that opens sealed secrets: from the folder, where the first start puts a new one. */
    MasterKey masterKey(SecureRandom random) {
        Path file = path.resolve("master.key");
        if (!Files.exists(file)) {
            String hex = HexFormat.of().formatHex(MasterKey.generate(random));
            PrivateFile.write(file, (hex + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        return readMasterKey(file, random);
    }

    static MasterKey readMasterKey(Path file, SecureRandom random) {
        String hex = new String(PrivateFile.read(file), StandardCharsets.US_ASCII).strip();
        try {
            return new MasterKey(HexFormat.of().parseHex(hex), random);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(file + ": not a master key (expected: 64 hexadecimal digits)", e);
        }
    }
}
