package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server that sends back what it gets, and may speak first. */
final class Origin implements AutoCloseable {
    private final ServerSocket socket;
    private final byte[] greeting;

    Origin(byte[] greeting) throws IOException {
        this.greeting = greeting;
        this.socket = new ServerSocket();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4_096);
        Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            client.getOutputStream().write(greeting);
            byte[] buffer = new byte[64 << 10];
            for (int n = client.getInputStream().read(buffer);
                    n > 0;
                    n = client.getInputStream().read(buffer)) {
                client.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException e) {
            // The client is gone.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
