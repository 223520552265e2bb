package io.parley.bench.proxy;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Each client sends, waits for the same bytes to come back, and sends again. */
enum EchoLoad implements Load {
    SMALL(16, 100, Integer.MAX_VALUE),
    BULK(4, 64 << 10, Integer.MAX_VALUE),
    NEW_CONNECTION(8, 100, 1);

    private static final int PATIENCE_MILLIS = 30_000;

    private final int clients;
    private final int bytes;
    private final int perConnection;

    EchoLoad(int clients, int bytes, int perConnection) {
        this.clients = clients;
        this.bytes = bytes;
        this.perConnection = perConnection;
    }

    @Override
    public void run(InetSocketAddress address, int requests) throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                running.add(threads.submit(() -> client(address, requests / clients)));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a request failed", e.getCause());
        }
    }

    private void client(InetSocketAddress address, int requests) {
        byte[] message = new byte[bytes];
        byte[] answer = new byte[bytes];
        try {
            for (int done = 0; done < requests; ) {
                try (Socket socket = new Socket()) {
                    socket.setTcpNoDelay(true);
                    socket.setSoTimeout(PATIENCE_MILLIS);
                    socket.connect(address, PATIENCE_MILLIS);
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    for (int i = 0; i < perConnection && done < requests; i++, done++) {
                        socket.getOutputStream().write(message);
                        in.readFully(answer);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
