package io.parley.control.connection;

import com.linecorp.armeria.server.ServerBuilder;
import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** The limits of a port's connections, before anybody has said who they are. */
public final class ConnectionLimits {
    private static final Duration HEAD = Duration.ofSeconds(10);

    /** File descriptors that are kept free for the store, files, and connections to elsewhere. */
    private static final int RESERVED = 256;

    private static final int PORTS = 2;

    private ConnectionLimits() {}

    /**
     * Puts a port's connections under these limits.
     *
     * @param connections at most so many, and no more than there are file descriptors for
     */
    public static void addTo(ServerBuilder server, int connections) {
        server.maxNumConnections(connections(connections, descriptors()));
        addTo(server, HEAD);
    }

    static void addTo(ServerBuilder server, Duration head) {
        server.childChannelPipelineCustomizer(pipeline -> {
            // Behind TLS, and before what waits for the end of its handshake.
            pipeline.addBefore(pipeline.lastContext().name(), null, new HandshakeLog());
            pipeline.addFirst(new Http2Entry());
            pipeline.addFirst(HeadDeadline.NAME, new HeadDeadline(head));
        });
        server.decorator(HeadDeadline::serve);
    }

    /** Where the process may have so many descriptors, each port gets its share of them. */
    static int connections(int wanted, long descriptors) {
        return Math.clamp((descriptors - RESERVED) / PORTS, 1, wanted);
    }

    private static long descriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }
}
