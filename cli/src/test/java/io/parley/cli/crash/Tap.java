package io.parley.cli.crash;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Stands between a zone and global and counts what passes, so that a kill can fall where it is to fall. */
final class Tap implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong passed = new AtomicLong();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final int target;
    private final long mark;

    /**
     * @param mark how many bytes, both ways together, are waited for
     */
    Tap(int target, long mark) throws IOException {
        this.target = target;
        this.mark = mark;
        threads.execute(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    long passed() {
        return passed.get();
    }

    /** False if so much did not pass in time. */
    boolean awaitMark(Duration longest) throws InterruptedException {
        return reached.await(longest.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket zone = listener.accept();
                Socket global = new Socket();
                global.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
                sockets.add(zone);
                sockets.add(global);
                threads.execute(() -> pump(zone, global));
                threads.execute(() -> pump(global, zone));
            } catch (IOException _) {
                // Closed, or global is gone: the zone tries again.
            }
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[16 * 1024];
        try (from;
                to) {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                to.getOutputStream().write(buffer, 0, read);
                if (passed.addAndGet(read) >= mark) {
                    reached.countDown();
                }
            }
        } catch (IOException _) {
            // One of them was killed.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        threads.shutdownNow();
    }
}
