package io.parley.proxy.tcp;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many connections the operating system allows for. */
public final class FileDescriptors {
    /** Kept free for the control plane's connection, the admin page, files and libraries. */
    private static final int RESERVED = 512;

    private static final int UNKNOWN_LIMIT = 50_000;

    private FileDescriptors() {}

    /** Each connection has two ends; at most {@code wanted}, at least one. */
    public static int connections(int wanted) {
        long descriptors = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : 2L * UNKNOWN_LIMIT + RESERVED;
        return connections(wanted, descriptors);
    }

    /** The same where a process may have so many descriptors. */
    static int connections(int wanted, long descriptors) {
        return Math.clamp((descriptors - RESERVED) / 2, 1, wanted);
    }
}
