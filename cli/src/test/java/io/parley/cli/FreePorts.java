package io.parley.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports that no other test has. Proxies share their ports with their successors (SO_REUSEPORT): two tests that were given the same one
 * would get each other's connections, and no error. So each process of tests has a range of its own, below those that the kernel
 * gives to whoever asks for any.
 */
public final class FreePorts {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int FIRST = 12_000;
    private static final int RANGE = 1_000;
    private static final int RANGES = 20;

    /** Open as long as the process is: its port is the first of the range, and tells others that the range is taken. */
    private static final ServerSocket CLAIM = claim();

    private static final AtomicInteger GIVEN = new AtomicInteger();

    private FreePorts() {}

    /** One that nobody listens on; each only once, until all of the range had their turn. */
    public static int next() {
        for (int tries = 0; tries < RANGE; tries++) {
            int port = CLAIM.getLocalPort() + 1 + GIVEN.getAndIncrement() % (RANGE - 1);
            try (ServerSocket free = new ServerSocket(port, 1, LOOPBACK)) {
                return free.getLocalPort();
            } catch (IOException _) {
                // Somebody listens there: the next one, then.
            }
        }
        throw new IllegalStateException("no free port after " + CLAIM.getLocalPort());
    }

    /** The first of so many, one after the other, that nobody listens on. */
    public static int inARow(int count) {
        int first = next();
        for (int last = first; last < first + count - 1; ) {
            int port = next();
            first = port == last + 1 ? first : port;
            last = port;
        }
        return first;
    }

    private static ServerSocket claim() {
        IOException last = null;
        for (int range = 0; range < RANGES; range++) {
            try {
                return new ServerSocket(FIRST + range * RANGE, 1, LOOPBACK);
            } catch (IOException e) {
                last = e;
            }
        }
        throw new UncheckedIOException("all ranges of ports are taken", last == null ? new IOException() : last);
    }
}
