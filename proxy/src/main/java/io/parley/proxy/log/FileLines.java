package io.parley.proxy.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The end of a file. One that was moved away or removed is noticed within a second, and a new one begun in its place. */
final class FileLines implements LineWriter {
    private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

    private final Path path;
    private final LongSupplier ticker;
    private volatile @Nullable FileChannel file;
    private @Nullable Object key;
    private long lookedAt;

    FileLines(Path path, LongSupplier ticker) {
        this.path = path;
        this.ticker = ticker;
    }

    @Override
    public void write(byte[] lines) throws IOException {
        FileChannel open = current();
        ByteBuffer bytes = ByteBuffer.wrap(lines);
        while (bytes.hasRemaining()) {
            open.write(bytes);
        }
    }

    private FileChannel current() throws IOException {
        FileChannel open = file;
        long now = ticker.getAsLong();
        if (open != null && now - lookedAt > LOOK_NANOS) {
            lookedAt = now;
            if (!Files.exists(path) || !Objects.equals(key(), key)) {
                close();
                open = null;
            }
        }
        if (open == null) {
            open = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            file = open;
            key = key();
            lookedAt = now;
        }
        return open;
    }

    private @Nullable Object key() throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    @Override
    public void close() {
        FileChannel open = file;
        file = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // What was written before is written; there is nothing more to do with it.
            }
        }
    }
}
