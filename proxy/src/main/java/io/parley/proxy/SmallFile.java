package io.parley.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that are read while the proxy runs: one that is much too large must not take the memory of those who are connected. */
public final class SmallFile {
    private SmallFile() {}

    /** All of it; throws if that is more than so many bytes, and has read no more than them. */
    public static byte[] read(Path file, int most) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(most + 1);
            if (bytes.length > most) {
                throw new IOException(file + " is too large (expected: at most " + most + " bytes)");
            }
            return bytes;
        }
    }
}
