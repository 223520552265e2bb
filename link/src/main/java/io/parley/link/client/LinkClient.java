package io.parley.link.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.parley.agreement.version.NegotiationRequest;
import io.parley.agreement.version.NodeDescription;
import io.parley.agreement.version.ServiceOffer;
import io.parley.link.Backoff;
import io.parley.link.LinkLimits;
import io.parley.link.negotiation.AnswerCheck;
import io.parley.link.peer.WrpcPeer;
import io.parley.wire.wrpc.CloseReason;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Keeps a node linked to its control plane. Each connection begins with a negotiation of its own; nothing that an earlier one agreed
 * is remembered. Between attempts it waits, longer after each failure, and never as long as the node next to it.
 */
public final class LinkClient implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LinkClient.class);

    private final Settings settings;
    private final List<ClientService> services;
    private final LinkClientListener listener;
    private final EventLoop loop;
    private final ChannelFactory<? extends Channel> channels;
    private final InstantSource time;
    private final RandomGenerator random;
    private @Nullable Channel channel;
    private @Nullable WrpcPeer peer;
    private long agreedNanos;
    private int failures;

    /** Why the attempt before failed: the same again is no news. */
    private String lastReason = "";

    private boolean closed;

    /**
     * Where to connect, and as whom.
     *
     * @param controlPlane {@code https://host:port}
     * @param tls asked before each attempt, since certificates are renewed; see {@link ClientTls}
     * @param token asked before each attempt; nothing if the node shows a certificate instead
     * @param metadata whatever else the control plane may show to people
     * @param backoff asked after each failure, since a node may come to need the control plane more
     */
    public record Settings(
            URI controlPlane,
            Supplier<SslContext> tls,
            Supplier<Optional<String>> token,
            NodeDescription node,
            Map<String, String> metadata,
            LinkLimits limits,
            Supplier<Backoff> backoff) {
        public Settings {
            if (!isAddress(controlPlane)) {
                throw new IllegalArgumentException("control plane: " + controlPlane + " (expected: https://host:port)");
            }
            metadata = Map.copyOf(metadata);
        }
    }

    /** Whether a control plane can be joined there: by TLS, at a host. */
    public static boolean isAddress(URI uri) {
        boolean secure = "https".equals(uri.getScheme()) || "wss".equals(uri.getScheme());
        return secure && uri.getHost() != null;
    }

    /**
     * The loop owns everything that this node's link does, its channels included. Names are resolved on it, which can block: it should
     * be one that carries no traffic.
     */
    public LinkClient(
            Settings settings,
            List<ClientService> services,
            LinkClientListener listener,
            EventLoop loop,
            ChannelFactory<? extends Channel> channels,
            InstantSource time,
            RandomGenerator random) {
        this.settings = settings;
        this.services = List.copyOf(services);
        this.listener = listener;
        this.loop = loop;
        this.channels = channels;
        this.time = time;
        this.random = random;
    }

    public void start() {
        loop.execute(this::connect);
    }

    /** Tells the control plane and stays away. */
    @Override
    public void close() {
        loop.execute(() -> {
            closed = true;
            if (peer != null) {
                peer.close(new CloseReason(CloseReason.NORMAL, "node is shutting down"));
            } else if (channel != null) {
                var _ = channel.close();
            }
        });
    }

    private void connect() {
        if (closed) {
            return;
        }
        var connection = new LinkConnection(services, request(), settings.limits(), time, new ThisConnection());
        ChannelFuture connecting = new Bootstrap()
                .group(loop)
                .channelFactory(channels)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.limits().handshake().toMillis())
                .handler(new LinkPipeline(settings, connection))
                .connect(settings.controlPlane().getHost(), LinkPipeline.port(settings.controlPlane()));
        channel = connecting.channel();
        var _ = connecting.addListener(done -> {
            if (!done.isSuccess()) {
                retry("cannot connect to " + settings.controlPlane() + ": "
                        + done.cause().getMessage());
            }
        });
    }

    private NegotiationRequest request() {
        Map<String, List<String>> versions = new LinkedHashMap<>();
        for (ClientService service : services) {
            versions.computeIfAbsent(service.name(), _ -> new ArrayList<>()).add(service.version());
        }
        List<ServiceOffer> offers = versions.entrySet().stream()
                .map(entry -> new ServiceOffer(entry.getKey(), entry.getValue()))
                .toList();
        return new NegotiationRequest(settings.node(), offers, settings.metadata());
    }

    private void retry(String reason) {
        channel = null;
        peer = null;
        if (closed) {
            return;
        }
        failures++;
        Duration delay = settings.backoff().get().after(failures, random);
        log.atLevel(reason.equals(lastReason) ? Level.INFO : Level.WARN)
                .log("link to {}: {}; next attempt in {} ms", settings.controlPlane(), reason, delay.toMillis());
        lastReason = reason;
        listener.disconnected(reason, delay);
        var _ = loop.schedule(this::connect, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private final class ThisConnection implements LinkConnection.Outcome {
        @Override
        public void agreed(AnswerCheck.Agreed agreed, WrpcPeer opened) {
            peer = opened;
            agreedNanos = loop.ticker().nanoTime();
            agreed.notes().forEach((service, note) -> log.info("control plane on {}: {}", service, note));
            agreed.rejected().forEach((service, why) -> log.warn("control plane rejects {}: {}", service, why));
            listener.connected(agreed);
        }

        @Override
        public void ended(String reason) {
            // Only a connection that lasted ends a row of failures: one that is agreed and dropped at once is another
            // failure.
            long upNanos = loop.ticker().nanoTime() - agreedNanos;
            if (peer != null && upNanos >= settings.limits().handshake().toNanos()) {
                failures = 0;
                lastReason = "";
            }
            retry(reason);
        }
    }
}
