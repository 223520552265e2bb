package io.parley.proxy.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** A plain client that never waits for ever. */
public final class Client implements Closeable {
    private static final int PATIENCE_MILLIS = 15_000;

    private final Socket socket = new Socket();

    private Client(@Nullable InetAddress from, InetSocketAddress address) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        if (from != null) {
            socket.bind(new InetSocketAddress(from, 0));
        }
        socket.connect(address, PATIENCE_MILLIS);
    }

    public static Client to(InetSocketAddress address) throws IOException {
        return new Client(null, address);
    }

    /** One that has this address, of which loopback has many. */
    public static Client of(String address, InetSocketAddress to) throws IOException {
        return new Client(InetAddress.getByName(address), to);
    }

    public Client send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    public Client send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    public String read(int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), ISO_8859_1);
    }

    /** Sends a request and reads the whole answer, which must say how long it is; returns its content. */
    public String ask(String request) throws IOException {
        send(request);
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("the answer ended after: " + head);
            }
            head.append((char) next);
        }
        int at = head.indexOf("content-length: ") + 16;
        return read(Integer.parseInt(head.substring(at, head.indexOf("\r", at))));
    }

    /** Everything up to the end of the server's output. */
    public String readAll() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    public Client finishSending() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
