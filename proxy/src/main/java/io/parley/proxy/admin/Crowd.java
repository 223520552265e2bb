package io.parley.proxy.admin;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.parley.proxy.AddressText;
import io.parley.proxy.telemetry.Count;
import io.parley.proxy.telemetry.FailureLog;
import io.parley.proxy.telemetry.Telemetry;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.LongSupplier;

/**
 * Keeps connections from becoming too many. The newest is let in, and the oldest leaves of the address that has the most: who asks whether
 * the proxy is alive must get an answer, however many others hold on to theirs, and nobody elsewhere can have that answer cut off by
 * opening more. All connections are of one event loop.
 */
@Sharable
final class Crowd extends ChannelInboundHandlerAdapter {
    static final int MAX_CONNECTIONS = 100;

    /** The oldest first, each with where it comes from. */
    private final SequencedMap<Channel, String> open = new LinkedHashMap<>();

    private final Count letGo = new Count();
    private final FailureLog complaints = new FailureLog("connections to", "are closed");
    private final LongSupplier ticker;

    Crowd(Telemetry telemetry, LongSupplier ticker) {
        this.ticker = ticker;
        telemetry.counters(
                "admin_connections_let_go_total",
                "Connections to the admin page that were closed because there were too many.",
                List.of(),
                () -> Map.of(List.of(), letGo.value()));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        open.putLast(ctx.channel(), whose(ctx.channel()));
        if (open.size() > MAX_CONNECTIONS) {
            letOneGo(busiest());
        }
    }

    /** Who is gone already has no address. */
    private static String whose(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress from ? AddressText.host(from) : "";
    }

    /** Of several, the one that has been here longest. */
    private String busiest() {
        Map<String, Integer> each = new LinkedHashMap<>();
        open.values().forEach(address -> each.merge(address, 1, Integer::sum));
        return Collections.max(each.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    private void letOneGo(String address) {
        Channel oldest = open.entrySet().stream()
                .filter(one -> one.getValue().equals(address))
                .findFirst()
                .orElseThrow()
                .getKey();
        open.remove(oldest);
        oldest.close();
        letGo.increment();
        complaints.note(
                "the admin page",
                "crowd",
                "more than " + MAX_CONNECTIONS + " are open, most of them from " + address,
                ticker.getAsLong());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        open.remove(ctx.channel());
    }
}
