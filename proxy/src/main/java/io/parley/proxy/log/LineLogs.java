package io.parley.proxy.log;

import io.parley.proxy.log.LogConfig.Place;
import io.parley.proxy.telemetry.Outflow;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** All places that lines go to, each opened with its first line. */
public final class LineLogs implements AutoCloseable {
    private final Map<Place, LineQueue> open = new ConcurrentHashMap<>();
    private final LongSupplier ticker;
    private final Function<String, Outflow> outflows;
    private volatile boolean closed;

    /** {@code outflows} counts what goes to a place. */
    public LineLogs(LongSupplier ticker, Function<String, Outflow> outflows) {
        this.ticker = ticker;
        this.outflows = outflows;
    }

    /** Writes an entry, sooner or later. Never blocks. */
    public void write(LogConfig.Lines log, Entry entry) {
        if (!closed) {
            open.computeIfAbsent(log.place(), this::start).offer(log.format(), entry);
        }
    }

    private LineQueue start(Place place) {
        LineWriter writer = switch (place) {
            case Place.File(var path) -> new FileLines(Path.of(path), ticker);
            case Place.Tcp tcp -> new TcpLines(tcp, ticker);
        };
        return new LineQueue(place, writer, outflows.apply(place.toString()));
    }

    /** Closes all places but these, when what is under way to them is written, or nobody takes it. */
    public void retain(Collection<Place> places) {
        open.entrySet().removeIf(entry -> {
            boolean gone = !places.contains(entry.getKey());
            if (gone) {
                entry.getValue().end();
                Thread.ofVirtual().start(entry.getValue()::await);
            }
            return gone;
        });
    }

    @Override
    public void close() {
        closed = true;
        List<LineQueue> all = List.copyOf(open.values());
        open.clear();
        all.forEach(LineQueue::end);
        all.forEach(LineQueue::await);
    }
}
