package io.parley.proxy.telemetry;

import java.util.function.Function;

/**
 * The numbers of one listener for datagrams.
 *
 * @param open clients that are remembered
 * @param received from clients
 * @param sent to clients
 */
public record UdpSeries(Count open, Count received, Count sent, Function<String, Count> byCause) {
    /** Datagrams that went nowhere. */
    public Count dropped(String cause) {
        return byCause.apply(cause);
    }
}
