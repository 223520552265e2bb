package io.parley.control.keys;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A file that only its owner reads. It is whole or not there: written beside its place, synced, then moved. */
public final class PrivateFile {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private PrivateFile() {}

    public static void write(Path file, byte[] content) {
        write(file, content, OWNER_ONLY);
    }

    /** Writes a file that everybody may read, with the same care. */
    public static void writePublic(Path file, byte[] content) {
        write(file, content, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private static void write(Path file, byte[] content, Set<PosixFilePermission> permissions) {
        Path beside = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.deleteIfExists(beside);
            try (FileChannel channel = FileChannel.open(
                    beside,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(permissions))) {
                ByteBuffer buffer = ByteBuffer.wrap(content);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                channel.force(true);
            }
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    /** Reads the file, unless others could have read or changed it too. */
    public static byte[] read(Path file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!OWNER_ONLY.containsAll(permissions)) {
                throw new IllegalStateException(file + " has mode " + PosixFilePermissions.toString(permissions)
                        + " (expected: rw-------); whoever could read it may have: replace what it protects,"
                        + " then chmod 600 it");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
