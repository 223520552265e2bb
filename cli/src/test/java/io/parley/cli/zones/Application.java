package io.parley.cli.zones;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.ServerSocketFactory;

/** A server that says its name before anybody asks, and then repeats what it hears. */
final class Application implements AutoCloseable {
    private final String name;
    private final ServerSocket listener;

    Application(String name) throws IOException {
        this(name, ServerSocketFactory.getDefault());
    }

    Application(String name, ServerSocketFactory sockets) throws IOException {
        this.name = name;
        this.listener = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    String greeting() {
        return "220 " + name + "\r\n";
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                // The listener is closed.
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.getOutputStream().write(greeting().getBytes(StandardCharsets.US_ASCII));
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException e) {
            // The client is gone.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
