package io.parley.bench.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** How long our proxy takes from its launch, by the script that users call and on all processors, until a port is open and until a request is answered. */
final class Launch {
    private static final int LAUNCHES = 7;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Launch() {}

    static String measure(InetSocketAddress web, Path folder) throws IOException {
        double[] open = new double[LAUNCHES];
        double[] answered = new double[LAUNCHES];
        for (int i = 0; i < LAUNCHES; i++) {
            try (Processes proxy = Processes.onAllProcessors()) {
                long from = System.nanoTime();
                Parley.launch(proxy, folder, Parley.outbound(proxy.address(), web, "", "http1"));
                try (Socket client = dial(proxy.address(), from + PATIENCE_NANOS)) {
                    open[i] = millisSince(from);
                    ask(client);
                    answered[i] = millisSince(from);
                }
            }
        }
        return "port open after " + text(open) + ", first answer after " + text(answered);
    }

    private static Socket dial(InetSocketAddress address, long end) throws IOException {
        while (System.nanoTime() < end) {
            Socket socket = new Socket();
            try {
                socket.connect(address);
                return socket;
            } catch (IOException e) {
                // It does not listen yet.
                socket.close();
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        throw new IOException("nobody listens at " + address);
    }

    private static void ask(Socket client) throws IOException {
        String request = "GET %s HTTP/1.1\r\nHost: bench\r\n\r\n".formatted(WebOrigin.SMALL);
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        byte[] status = client.getInputStream().readNBytes("HTTP/1.1 200".length());
        if (!new String(status, StandardCharsets.US_ASCII).equals("HTTP/1.1 200")) {
            throw new IOException("no answer of the server: " + new String(status, StandardCharsets.US_ASCII));
        }
    }

    private static double millisSince(long from) {
        return (System.nanoTime() - from) / 1e6;
    }

    private static String text(double[] millis) {
        Arrays.sort(millis);
        return "%.0f ms (%.0f to %.0f)".formatted(millis[LAUNCHES / 2], millis[0], millis[LAUNCHES - 1]);
    }
}
