package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Arrays;

/** How long a client waits for the first byte: directly, through a proxy that is told what it carries, and through one that finds out. */
final class FirstByte {
    private static final int CONNECTIONS = 300;

    private FirstByte() {}

    /** One line for a protocol in which the client speaks first, or the server. */
    static String measure(String title, byte[] greeting, byte[] request, Path folder) throws IOException {
        try (Origin origin = new Origin(greeting)) {
            StringBuilder line =
                    new StringBuilder("%-24s direct %6.0f µs".formatted(title, micros(origin.address(), request)));
            for (String protocol : new String[] {"opaque", "detect"}) {
                try (Processes proxy = Processes.onFirstProcessor()) {
                    Parley.start(proxy, folder, Parley.outbound(proxy.address(), origin.address(), "", protocol));
                    double first = micros(proxy.address(), request, 1);
                    line.append("   %s %6.0f µs (first connection %.0f µs)"
                            .formatted(protocol, micros(proxy.address(), request), first));
                }
            }
            return line.toString();
        }
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
