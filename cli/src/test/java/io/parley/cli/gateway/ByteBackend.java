package io.parley.cli.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A backend that says its name and sends back what comes: by TCP and by UDP, on one port number. */
final class ByteBackend implements AutoCloseable {
    private final String name;
    private final ServerSocket streams;
    private final DatagramSocket datagrams;

    ByteBackend(String name) {
        this.name = name;
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try {
            // Ports of UDP are rarely taken, those of TCP often: the rarer one is asked for by number.
            this.streams = new ServerSocket(0, 50, loopback);
            this.datagrams = new DatagramSocket(new InetSocketAddress(loopback, streams.getLocalPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
        Thread.ofVirtual().start(this::answer);
    }

    int port() {
        return streams.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = streams.accept();
                Thread.ofVirtual().start(() -> echo(client));
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    private void echo(Socket client) {
        try (client) {
            client.getOutputStream().write((name + "\n").getBytes(StandardCharsets.UTF_8));
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException _) {
            // The client went away.
        }
    }

    private void answer() {
        byte[] bytes = new byte[2_048];
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                datagrams.receive(packet);
                String text = name + " " + new String(bytes, 0, packet.getLength(), StandardCharsets.UTF_8);
                byte[] answer = text.getBytes(StandardCharsets.UTF_8);
                datagrams.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    @Override
    public void close() {
        datagrams.close();
        try {
            streams.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
