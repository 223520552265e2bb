package io.parley.proxy.telemetry;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The numbers of connections by who is at either side of them. */
final class TcpSides {
    /** With so many names that clients asked for by TLS of their own. */
    static final int MAX_WITH_SERVER_NAME = 100;

    private static final List<String> LABELS =
            List.of("direction", "peer", "tls", "no_tls_reason", "client_id", "server_id", "target", "sni");

    private final Map<Telemetry.Side, TcpSeries> known = new ConcurrentHashMap<>();
    private final Family<Count> opened;
    private final Family<Count> open;
    private final Family<Count> read;
    private final Family<Count> written;

    TcpSides(Registry registry) {
        opened = registry.counter("tcp_open_total", "Connections opened.", LABELS);
        open = registry.gauge("tcp_open_connections", "Connections open now.", LABELS);
        read = registry.counter("tcp_read_bytes_total", "Bytes read from the peer.", LABELS);
        written = registry.counter("tcp_write_bytes_total", "Bytes written to the peer.", LABELS);
        registry.dropIdle(opened, open, read, written);
        registry.afterTidying(() ->
                known.keySet().removeIf(side -> !opened.labels().contains(Labels.of(labels(side)))));
    }

    TcpSeries of(Telemetry.Side side) {
        TcpSeries series = known.get(side);
        if (series != null) {
            return series;
        }
        Telemetry.Side counted = hasRoomFor(side.serverName()) ? side : side.askingFor(Family.OVERFLOW);
        TcpSeries made = series(counted); // whoever else makes one gets the same numbers
        if (known.size() < Family.MAX_SERIES) {
            known.put(counted, made);
        }
        return made;
    }

    /** Strangers choose these names, on any port: they shall not be able to use up the series of members. */
    private boolean hasRoomFor(@Nullable String serverName) {
        return !isAskedFor(serverName)
                || known.keySet().stream()
                                .filter(side -> isAskedFor(side.serverName()))
                                .count()
                        < MAX_WITH_SERVER_NAME;
    }

    private static boolean isAskedFor(@Nullable String serverName) {
        return serverName != null && !serverName.isEmpty() && !serverName.equals(Family.OVERFLOW);
    }

    private TcpSeries series(Telemetry.Side side) {
        String[] labels = labels(side);
        return new TcpSeries(opened.with(labels), open.with(labels), read.with(labels), written.with(labels));
    }

    private static String[] labels(Telemetry.Side side) {
        boolean client = side.side().equals("src");
        String identity = side.identity() == null ? "" : side.identity();
        return new String[] {
            side.direction().toString(),
            side.side(),
            side.tls(),
            side.noTlsReason() == null || side.serverName() != null ? "" : side.noTlsReason(),
            client ? identity : "",
            client ? "" : identity,
            side.target(),
            side.serverName() == null ? "" : side.serverName()
        };
    }
}
