package io.parley.proxy.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.parley.proxy.app.Server;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A naive server of HTTP/1 that notes every request it believes to have got: what it sees, a proxy let through. */
public final class RecordingServer implements AutoCloseable {
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Server server;

    private RecordingServer(UnaryOperator<String> answer) throws IOException {
        server = Server.that(socket -> talk(socket, answer));
    }

    /** One that answers each request with what this says: a whole message, as it goes on the wire. */
    public static RecordingServer answering(UnaryOperator<String> answer) throws IOException {
        return new RecordingServer(answer);
    }

    public static RecordingServer ok() throws IOException {
        return answering(_ -> "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }

    public int port() {
        return server.port();
    }

    public int connections() {
        return server.accepted();
    }

    /** The requests, heads and bodies as they came. */
    public List<String> requests() {
        return requests;
    }

    private void talk(Socket socket, UnaryOperator<String> answer) throws IOException {
        InputStream in = socket.getInputStream();
        while (true) {
            String head = head(in);
            if (head.isEmpty()) {
                return;
            }
            String request = head + body(head, in);
            requests.add(request);
            String response = answer.apply(request);
            socket.getOutputStream().write(response.getBytes(ISO_8859_1));
            socket.getOutputStream().flush();
            if (response.contains("onnection: close")) {
                return;
            }
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            out.write(b);
            String text = out.toString(ISO_8859_1);
            if (text.endsWith("\n\r\n") || text.endsWith("\n\n")) {
                return text;
            }
        }
        return out.toString(ISO_8859_1);
    }

    private static String body(String head, InputStream in) throws IOException {
        String lower = head.toLowerCase(java.util.Locale.ROOT);
        if (lower.contains("chunked")) {
            return chunks(in);
        }
        int at = lower.indexOf("content-length:");
        if (at < 0) {
            return "";
        }
        String value = lower.substring(at + 15, lower.indexOf('\n', at)).strip();
        return new String(in.readNBytes(Integer.parseInt(value)), ISO_8859_1);
    }

    private static String chunks(InputStream in) throws IOException {
        StringBuilder all = new StringBuilder();
        while (true) {
            String line = line(in);
            all.append(line);
            int size = Integer.parseInt(line.strip().split(";", -1)[0], 16);
            if (size == 0) {
                String trailer = line(in);
                while (!trailer.strip().isEmpty()) {
                    all.append(trailer);
                    trailer = line(in);
                }
                return all.append(trailer).toString();
            }
            all.append(new String(in.readNBytes(size + 2), ISO_8859_1));
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder out = new StringBuilder();
        for (int b = in.read(); b >= 0; b = in.read()) {
            out.append((char) b);
            if (b == '\n') {
                return out.toString();
            }
        }
        throw new EOFException();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
