package io.parley.proxy.log;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Whoever listens on a port. While nobody does, one attempt a second is made to reach it. */
final class TcpLines implements LineWriter {
    private static final int CONNECT_MILLIS = 5_000;
    private static final long AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

    private final LogConfig.Place.Tcp place;
    private final LongSupplier ticker;
    private volatile @Nullable Socket socket;
    private boolean tried;
    private long triedAt;

    TcpLines(LogConfig.Place.Tcp place, LongSupplier ticker) {
        this.place = place;
        this.ticker = ticker;
    }

    @Override
    public void write(byte[] lines) throws IOException {
        Socket open = socket;
        if (open == null) {
            open = connect();
        }
        open.getOutputStream().write(lines);
    }

    private Socket connect() throws IOException {
        long now = ticker.getAsLong();
        if (tried && now - triedAt < AGAIN_NANOS) {
            throw new IOException("no connection to " + place);
        }
        tried = true;
        triedAt = now;
        Socket fresh = new Socket();
        socket = fresh;
        fresh.connect(new InetSocketAddress(place.host(), place.port()), CONNECT_MILLIS);
        return fresh;
    }

    @Override
    public void close() {
        Socket open = socket;
        socket = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // It is gone either way.
            }
        }
    }
}
