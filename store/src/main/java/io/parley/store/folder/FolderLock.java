package io.parley.store.folder;

import io.parley.store.Failure;
import io.parley.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps a second process, and a second user within this one, out of a data folder. The kernel drops it when the process dies. */
public final class FolderLock implements AutoCloseable {
    // POSIX drops a process's lock as soon as it closes any descriptor of the file, so within the process a set must
    // keep order.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel channel;

    private FolderLock(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /** Throws {@link StoreException} if somebody has it, or if it cannot be written to. */
    public static FolderLock take(Path folder) {
        try {
            Path real = folder.toRealPath();
            if (!HELD.add(real)) {
                throw inUse(folder, "this process");
            }
            try {
                return new FolderLock(real, lock(real));
            } catch (IOException | RuntimeException e) {
                HELD.remove(real);
                throw e;
            }
        } catch (IOException e) {
            throw new StoreException(new Failure.Unusable("data folder " + folder + " cannot be locked: " + e), e);
        }
    }

    private static FileChannel lock(Path folder) throws IOException {
        Path file = folder.resolve("store.lock");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                String holder = Files.readString(file, StandardCharsets.US_ASCII);
                // One that is about to stop has taken its number back.
                throw inUse(folder, holder.isEmpty() ? "another process" : "process " + holder);
            }
            String pid = Long.toString(ProcessHandle.current().pid());
            channel.truncate(0).write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)));
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static StoreException inUse(Path folder, String holder) {
        return new StoreException(new Failure.Unusable(
                "data folder " + folder + " is in use by " + holder + "; stop that, or give another folder"));
    }

    /** The number goes first: soon another process may have it, and people send signals to what they read there. */
    @Override
    public void close() {
        try (channel) {
            channel.truncate(0);
        } catch (IOException e) {
            throw new StoreException(new Failure.Unavailable("the lock on the data folder: " + e.getMessage()), e);
        } finally {
            HELD.remove(folder);
        }
    }
}
