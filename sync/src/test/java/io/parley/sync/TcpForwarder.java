package io.parley.sync;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Stands between a zone and global, and can be cut: both ways, one way, or by refusing connections. */
final class TcpForwarder implements AutoCloseable {
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    final AtomicLong toGlobalBytes = new AtomicLong();
    final AtomicLong toZoneBytes = new AtomicLong();

    /** Connections that somebody tried to make, whatever became of them. */
    final AtomicInteger arrivals = new AtomicInteger();

    private volatile int target;
    private volatile boolean cut;
    private volatile boolean losesToGlobal;
    private volatile boolean losesToZone;

    TcpForwarder(int target) {
        this.target = target;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Where new connections go. */
    void target(int port) {
        target = port;
    }

    /** Breaks all connections and takes no new ones. */
    void cut() {
        cut = true;
        sockets.forEach(TcpForwarder::close);
    }

    /** From now on bytes in one direction vanish while connections stay open. */
    void loseToGlobal() {
        losesToGlobal = true;
    }

    void loseToZone() {
        losesToZone = true;
    }

    /** All is well for new connections; those that lost bytes are broken, since TCP would not have lost them. */
    void mend() {
        if (losesToGlobal || losesToZone) {
            sockets.forEach(TcpForwarder::close);
        }
        losesToGlobal = false;
        losesToZone = false;
        cut = false;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket zone = listener.accept();
                arrivals.incrementAndGet();
                if (cut) {
                    zone.close();
                    continue;
                }
                Socket global = new Socket();
                global.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 1000);
                zone.setTcpNoDelay(true);
                global.setTcpNoDelay(true);
                sockets.add(zone);
                sockets.add(global);
                threads.execute(() -> pump(zone, global, true));
                threads.execute(() -> pump(global, zone, false));
            } catch (IOException _) {
                // The listener is closed, or global does not listen: the zone notices.
            }
        }
    }

    private void pump(Socket from, Socket to, boolean toGlobal) {
        byte[] buffer = new byte[64 * 1024];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                (toGlobal ? toGlobalBytes : toZoneBytes).addAndGet(read);
                if (!(toGlobal ? losesToGlobal : losesToZone)) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException _) {
            // Broken: both sides notice.
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // It is gone, which is what was wanted.
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
        threads.shutdownNow();
    }
}
