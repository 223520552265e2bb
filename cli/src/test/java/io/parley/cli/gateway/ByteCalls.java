package io.parley.cli.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Clients of a {@link ByteBackend}. Each call is a client of its own. */
final class ByteCalls {
    /** Where it is open whether anybody answers. */
    static final int SHORT_MILLIS = 2_000;
    /** Where somebody does, however busy the machine is. */
    static final int LONG_MILLIS = 30_000;

    private ByteCalls() {}

    /** The name of who answered, if it sent back what it was sent; null if nobody was there. */
    static @Nullable String tcp(int port, int patienceMillis) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return greeted(socket, patienceMillis);
        }
    }

    static @Nullable String greeted(Socket socket, int patienceMillis) throws IOException {
        socket.setSoTimeout(patienceMillis);
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        String name = in.readLine();
        if (name == null) {
            return null;
        }
        socket.getOutputStream().write("no HTTP\n".getBytes(StandardCharsets.UTF_8));
        return "no HTTP".equals(in.readLine()) ? name : "a liar";
    }

    /** The name of who answered a datagram. Throws if nobody did for a while. */
    static String udp(int port, int patienceMillis) throws IOException {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            socket.setSoTimeout(patienceMillis);
            byte[] text = "hello".getBytes(StandardCharsets.UTF_8);
            socket.send(new DatagramPacket(
                    text, text.length, new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
            DatagramPacket answer = new DatagramPacket(new byte[2_048], 2_048);
            socket.receive(answer);
            String got = new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
            return got.endsWith(" hello") ? got.substring(0, got.length() - " hello".length()) : "a liar";
        }
    }
}
