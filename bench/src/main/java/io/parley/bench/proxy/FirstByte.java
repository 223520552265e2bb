package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How long a client waits for the first byte: directly, through a proxy or two that are told what they carry, and through those that
 * find out.
 */
final class FirstByte {
    private static final int CONNECTIONS = 300;

    private FirstByte() {}

    /** A line for one proxy and a line for two, for a protocol in which the client speaks first, or the server. */
    static String measure(String title, byte[] greeting, byte[] request, Certificates tls, Path folder)
            throws IOException {
        try (Origin origin = new Origin(greeting)) {
            double direct = micros(origin.address(), request);
            return line(title, direct, origin, request, null, folder)
                    + "\n"
                    + line(title + ", two hops", direct, origin, request, tls, folder);
        }
    }

    /** Through two proxies with mutual TLS between them if there are certificates, else through one. */
    private static String line(
            String title, double direct, Origin origin, byte[] request, @Nullable Certificates tls, Path folder)
            throws IOException {
        StringBuilder line = new StringBuilder("%-34s direct %6.0f µs".formatted(title, direct));
        for (String protocol : new String[] {"opaque", "detect"}) {
            try (Processes far = Processes.onFirstProcessor();
                    Processes near = Processes.onFirstProcessor()) {
                String mesh = tls == null ? "" : inbound(far, origin, protocol, tls, folder);
                String identity = tls == null ? "" : tls.identity("client");
                Parley.start(
                        near, folder, identity + Parley.outbound(near.address(), origin.address(), mesh, protocol));
                double first = micros(near.address(), request, 1);
                line.append("   %s %6.0f µs (first connection %.0f µs)"
                        .formatted(protocol, micros(near.address(), request), first));
            }
        }
        return line.toString();
    }

    /** Starts the proxy before the origin; returns how the other one knows it. */
    private static String inbound(Processes far, Origin origin, String protocol, Certificates tls, Path folder)
            throws IOException {
        Path own = Files.createDirectories(folder.resolve("inbound"));
        Parley.start(
                far,
                own,
                tls.identity("server")
                        + """
                        inbound:
                          address: %s
                          destinations: listener
                          ports: [{port: %d, protocol: %s}]
                        """.formatted(
                                Subject.text(far.address()), origin.address().getPort(), protocol));
        return ", proxy: \"%s\", identity: %s".formatted(Subject.text(far.address()), tls.name("server"));
    }

    private static double micros(InetSocketAddress address, byte[] request) throws IOException {
        double _ = micros(address, request, CONNECTIONS);
        return micros(address, request, CONNECTIONS);
    }

    /** The median. */
    private static double micros(InetSocketAddress address, byte[] request, int connections) throws IOException {
        long[] nanos = new long[connections];
        for (int i = 0; i < connections; i++) {
            long from = System.nanoTime();
            try (Socket socket = new Socket()) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(30_000);
                socket.connect(address);
                socket.getOutputStream().write(request);
                if (socket.getInputStream().read() < 0) {
                    throw new IOException("cut off");
                }
                nanos[i] = System.nanoTime() - from;
            }
        }
        Arrays.sort(nanos);
        return nanos[connections / 2] / 1_000.0;
    }
}
