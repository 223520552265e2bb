package io.parley.proxy.exchange;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.Direction;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.route.Provenance;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection from a client that was found to carry HTTP, as it is handed over. */
public interface Connection {
    Channel channel();

    Protocol protocol();

    Direction direction();

    /** The client's name in the mesh, if it has several the one by which it was let in; null if it showed none. */
    @Nullable
    SpiffeId peer();

    /** This proxy's own name in the mesh; null if it has none. */
    default @Nullable SpiffeId self() {
        return null;
    }

    /** All names in the mesh that the client showed. */
    List<SpiffeId> names();

    /** Whether the client may not come in: all that it is for is to tell it so. */
    default boolean isDenied() {
        return false;
    }

    /** Whether what the client says about where a request came from counts. */
    default boolean isBelieved(Forwarding forwarding) {
        return switch (forwarding) {
            case KEPT -> true;
            case EDGE -> false;
            case FROM_MEMBERS, FROM_NAMED_MEMBERS -> peer() != null;
        };
    }

    /** The other end of the connection, which may be a proxy that others send their requests to. */
    InetSocketAddress client();

    /** {@code https} if the client speaks TLS to this proxy of its own accord, else {@code http}: the mesh's TLS is no client's. */
    String scheme();

    /** Where requests come from as long as nobody before the client is known. */
    default Provenance provenance() {
        return Provenance.of(client(), scheme());
    }

    /** What the client dialled. */
    InetSocketAddress destination();

    /** The port that the client means: the one it dialled, unless a proxy before this one says that it dialled another. */
    default int port() {
        return destination().getPort();
    }

    /** The service or port that is meant, for people and metrics. */
    String target();

    /** Where requests go that no route sends elsewhere. */
    Cluster cluster();

    /** Null if every request goes to the cluster as it came. */
    @Nullable
    HttpConfig config();

    /** Puts the handler at the end of the pipeline, and hands it the bytes that have come already. */
    void handTo(ChannelHandler handler);

    void received(long bytes);

    void sent(long bytes);

    /** A request goes to this endpoint. */
    void chose(Endpoint endpoint);

    /** Why the connection ends; the first word counts. */
    void ends(String cause, String detail);
}
