package io.parley.bench.sync;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Passes bytes between zones and global, and counts them. */
final class CountingWire implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicLong bytes = new AtomicLong();
    private final int target;

    CountingWire(int target) throws IOException {
        this.target = target;
        threads.execute(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** In both directions, so far. */
    long bytes() {
        return bytes.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket zone = listener.accept();
                Socket global = new Socket(InetAddress.getLoopbackAddress(), target);
                zone.setTcpNoDelay(true);
                global.setTcpNoDelay(true);
                threads.execute(() -> pump(zone, global));
                threads.execute(() -> pump(global, zone));
            } catch (IOException _) {
                // The listener is closed.
            }
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[64 * 1024];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                bytes.addAndGet(read);
                out.write(buffer, 0, read);
            }
        } catch (IOException _) {
            // One side has closed.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }
}
