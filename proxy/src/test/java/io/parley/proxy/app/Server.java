package io.parley.proxy.app;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An application: a real TCP server on loopback, one virtual thread for each connection. */
public final class Server implements AutoCloseable {
    /** What to do with a connection. */
    public interface Talk {
        void with(Socket socket) throws IOException;
    }

    private final ServerSocket socket;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();

    private Server(Talk talk) throws IOException {
        socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(TestMesh.loopback(), 0), 1_000);
        Thread.ofVirtual().start(() -> accept(talk));
    }

    public static Server that(Talk talk) throws IOException {
        return new Server(talk);
    }

    /** Sends back what it gets, and ends when the client ends; a GET's head is sent back as the body of an answer. */
    public static Server echo() throws IOException {
        return that(socket -> {
            String start = "";
            while (!start.equals("GET ")) {
                int next = socket.getInputStream().read();
                if (next < 0) {
                    return;
                }
                start += (char) next;
                if (!"GET ".startsWith(start)) {
                    socket.getOutputStream().write(start.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
                    socket.getInputStream().transferTo(socket.getOutputStream());
                    return;
                }
                if (start.equals("GET ")) {
                    answer(socket, start);
                    start = "";
                }
            }
        });
    }

    private static void answer(Socket socket, String start) throws IOException {
        StringBuilder head = new StringBuilder(start);
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                socket.getOutputStream().write(head.toString().getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
                return;
            }
            head.append((char) next);
        }
        String answer = "HTTP/1.1 200 OK\r\ncontent-length: " + head.length() + "\r\n\r\n" + head;
        socket.getOutputStream().write(answer.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    }

    /** Greets first, as SMTP, MySQL and FTP servers do; then sends back what it gets. */
    public static Server greeting(String banner) throws IOException {
        return that(socket -> {
            socket.getOutputStream().write(banner.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            socket.getInputStream().transferTo(socket.getOutputStream());
        });
    }

    public int port() {
        return socket.getLocalPort();
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    public int accepted() {
        return accepted.get();
    }

    private void accept(Talk talk) {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                accepted.incrementAndGet();
                open.add(connection);
                Thread.ofVirtual().start(() -> serve(talk, connection));
            } catch (IOException _) {
                return;
            }
        }
    }

    private void serve(Talk talk, Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            talk.with(connection);
        } catch (IOException _) {
            // The client's business.
        } finally {
            open.remove(connection);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket connection : open) {
            connection.close();
        }
    }
}
