package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.config.GatewayChain.Goal;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Raw;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.tcp.DetectHandler.Patience;
import io.parley.wire.detect.Detection;
import io.parley.wire.detect.ProtocolDetector.Layer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection from anybody to a gateway. Unlike beside an application nothing is guessed: a listener says what it takes, and only which
 * version of HTTP, and which name a client asks for, is read from the first bytes.
 */
final class GatewayFlow implements DetectHandler.Verdict {
    private static final Crossing.Client STRANGER = new Crossing.Client(null, "not_in_mesh");
    private static final String HTTP2 = "h2";

    private final Session session;
    private final Machinery machinery;
    private final Timeouts timeouts;
    private final GatewayChains chains;
    private DetectHandler first;

    private GatewayFlow(Session session, Machinery machinery, Timeouts timeouts, GatewayChains chains) {
        this.session = session;
        this.machinery = machinery;
        this.timeouts = timeouts;
        this.chains = chains;
        this.first = DetectHandler.holding();
    }

    /** Sends the connection on its way. */
    static void start(Session session, Machinery machinery, Timeouts timeouts, GatewayChains chains) {
        new GatewayFlow(session, machinery, timeouts, chains).start();
    }

    private void start() {
        GatewayChains.Live clear = chains.clear();
        if (chains.needsHello()) {
            look(this);
        } else if (clear == null) {
            refuse("no-chain", "no chain of the listener takes this connection");
        } else {
            proceed(clear, null);
        }
    }

    private void look(DetectHandler.Verdict verdict) {
        first = new DetectHandler(Layer.CLEAR, patience(), verdict);
        session.downstream().pipeline().addLast(first);
    }

    private void hold() {
        first = DetectHandler.holding();
        session.downstream().pipeline().addLast(first);
    }

    private void refuse(String cause, String detail) {
        Refusal.refuse(session, machinery, cause, detail);
    }

    @Override
    public void silent() {}

    @Override
    public void detected(Detection detection) {
        if (detection instanceof Detection.Tls(var hello)) {
            GatewayChains.Live chain = chains.find(hello);
            if (chain == null) {
                turnAway(hello.serverName().orElse("no name"));
            } else if (chain.chain().tls() == null) {
                pass(
                        chain,
                        "its listener passes TLS on for " + hello.serverName().orElse("no name"));
            } else {
                shakeHands(chain, hello.name());
            }
        } else {
            notTls("its first bytes are no TLS ClientHello");
        }
    }

    @Override
    public void timedOut(int bytes) {
        notTls("no TLS ClientHello came in " + timeouts.detect().toMillis() + " ms");
    }

    @Override
    public void gone(int bytes) {
        refuse("client-gone", "the client closed before it said what it wants");
    }

    /** In clear only where a chain says so. */
    private void notTls(String because) {
        GatewayChains.Live clear = chains.clear();
        if (clear == null) {
            refuse("not-tls", because);
        } else if (clear.chain().goal() instanceof Goal.Requests(var http)) {
            first.again(new Requests(http, clear.chain().name()), Layer.CLEAR, patience(), 0);
        } else {
            pass(clear, because);
        }
    }

    private Patience patience() {
        return new Patience(null, timeouts.detect(), timeouts.partial());
    }

    /** Nobody here has that name. */
    private void turnAway(String name) {
        session.ends(Ending.refused("unknown-name", "no chain is for " + name));
        machinery
                .telemetry()
                .error(session.accepted().direction(), "unknown-name")
                .increment();
        Refusal.turnAway(session.downstream());
    }

    private void shakeHands(GatewayChains.Live chain, @Nullable String name) {
        if (chain.tls() == null) {
            refuse("tls-unavailable", "the certificate of " + chain.chain().name() + " cannot be used");
            return;
        }
        Channel channel = session.downstream();
        SslHandler tls = chain.tls().handler(channel.alloc(), name);
        HandshakeHandler.begin(channel, tls, timeouts.handshake(), new HandshakeHandler.Outcome() {
            @Override
            public void succeeded(SslHandler done) {
                proceed(chain, done.applicationProtocol());
            }

            @Override
            public void failed(Throwable cause) {
                Refusal.refuseHandshake(session, machinery, cause);
            }
        });
        first.letGo();
    }

    /** With bytes that are in clear, or in clear by now. */
    private void proceed(GatewayChains.Live chain, @Nullable String agreed) {
        switch (chain.chain().goal()) {
            case Goal.Bytes _ -> {
                hold();
                pass(chain, "its listener takes bytes");
            }
            case Goal.Requests(var http)
            when HTTP2.equals(agreed) -> {
                hold();
                new Requests(http, chain.chain().name()).serve(Protocol.HTTP2, "h2 was agreed on in the TLS handshake");
            }
            case Goal.Requests(var http) ->
                look(new Requests(http, chain.chain().name()));
        }
    }

    private void pass(GatewayChains.Live chain, String because) {
        Optional<String> name = chain.next();
        Optional<Cluster> cluster = name.flatMap(machinery.clusters()::find);
        if (cluster.isEmpty()) {
            refuse("no-endpoint", name.map(one -> "no cluster " + one).orElse("no cluster has a weight"));
            return;
        }
        Raw raw = chain.chain().goal() instanceof Goal.Bytes(var _, var said) ? said : Raw.NONE;
        cross(new Crossing.Target(chain.chain().name(), cluster.get(), null, raw), decision(Protocol.OPAQUE, because));
    }

    private void cross(Crossing.Target target, Decision<Protocol> decision) {
        new Crossing(session, machinery, timeouts, STRANGER, target, first).decide(decision);
    }

    private static Decision<Protocol> decision(Protocol protocol, String because) {
        return new Decision<>(protocol, because, Source.ofRule("gateway"));
    }

    /** HTTP in either version on the same port. What is neither is told so in HTTP/1. */
    private final class Requests implements DetectHandler.Verdict {
        private final HttpConfig http;
        private final String name;

        Requests(HttpConfig http, String name) {
            this.http = http;
            this.name = name;
        }

        void serve(Protocol protocol, String because) {
            cross(new Crossing.Target(name, machinery.clusters().none(), http, Raw.NONE), decision(protocol, because));
        }

        @Override
        public void silent() {}

        @Override
        public void detected(Detection detection) {
            boolean two = detection instanceof Detection.Http2;
            serve(
                    two ? Protocol.HTTP2 : Protocol.HTTP1,
                    two ? "its first bytes are the HTTP/2 preface" : "its first bytes are not the HTTP/2 preface");
        }

        @Override
        public void timedOut(int bytes) {
            serve(Protocol.HTTP1, "no preface of HTTP/2 came in time");
        }

        @Override
        public void gone(int bytes) {
            refuse("client-gone", "the client closed before it sent a request");
        }
    }
}
