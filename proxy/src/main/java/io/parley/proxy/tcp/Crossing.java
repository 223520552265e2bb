package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.parley.agreement.reason.Decision;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.Failures;
import io.parley.proxy.balance.Attempt;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.balance.Pick;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.config.Raw;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.tcp.HttpHandover.Admission;
import io.parley.proxy.telemetry.TcpSeries;
import io.parley.proxy.telemetry.Telemetry;
import io.parley.proxy.tls.MeshTls;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeader.Stage;
import io.parley.wire.header.SessionProtocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes one connection across: dials an endpoint and joins the two ends. Two things must be known before bytes flow from the
 * client: what they are, and where they go. Either may come first. A client that stays silent is dialled for before it has spoken,
 * and if the server speaks then, that decides what the connection is.
 *
 * <p>An endpoint that cannot be reached is replaced by another as long as nothing was sent. Nothing is dialled twice at a time.
 */
final class Crossing {
    private static final int MAX_ATTEMPTS = 3;
    private static final long RETRY_MILLIS = 50;

    private final Session session;
    private final Machinery machinery;
    private final Timeouts timeouts;
    private Client client;
    private final Target target;
    private final DetectHandler first;
    private final List<LiveEndpoint> tried = new ArrayList<>(1);
    private @Nullable Attempt attempt;
    private @Nullable Dial dialling;
    private @Nullable Channel upstream;
    private @Nullable Relays relays;
    private long dialledAt;
    private int attempts;
    private boolean abandoned;

    /**
     * Who sends.
     *
     * @param identity its name in the mesh; null if it showed none
     * @param noTlsReason why the client's side is not mutual TLS; null if it is
     * @param serverName whom it asked for by TLS of its own, which is passed on; null if there is none
     */
    record Client(
            @Nullable SpiffeId identity,
            @Nullable String noTlsReason,
            @Nullable String serverName) {
        Client(@Nullable SpiffeId identity, @Nullable String noTlsReason) {
            this(identity, noTlsReason, null);
        }

        Client askingFor(String name) {
            return new Client(identity, noTlsReason, name);
        }
    }

    /**
     * Where to.
     *
     * @param http what holds for HTTP; null if nothing is said
     * @param raw what holds for anything else
     * @param port that a connection header names; null if there was none, and the port is the one that was dialled
     */
    record Target(
            String name,
            Cluster cluster,
            @Nullable HttpConfig http,
            Raw raw,
            @Nullable Integer port) {
        Target(String name, Cluster cluster, @Nullable HttpConfig http, Raw raw) {
            this(name, cluster, http, raw, null);
        }
    }

    /** The client's first bytes are held by {@code first} until the two ends are joined. */
    Crossing(
            Session session,
            Machinery machinery,
            Timeouts timeouts,
            Client client,
            Target target,
            DetectHandler first) {
        this.session = session;
        this.machinery = machinery;
        this.timeouts = timeouts;
        this.client = client;
        this.target = target;
        this.first = first;
        session.follow(target.raw());
        session.downstream().closeFuture().addListener(_ -> abandon());
    }

    /** Notes whom the client asks for by TLS of its own, before it is counted. */
    void asksFor(String serverName) {
        client = client.askingFor(serverName);
    }

    /** Says what the connection carries. Bytes flow as soon as the other end is there. */
    void decide(Decision<Protocol> decision) {
        Agreed agreed = new Agreed(decision, client.identity());
        session.agreed(agreed);
        count(agreed);
        if (machinery.http().serves(agreed.protocol())) {
            serveHttp(agreed, Admission.GRANTED);
        } else if (Rules.isFound(decision) && isForRequestsOnly()) {
            fail(Rules.NOT_HTTP, target.name() + " is for requests only, and this is none: " + decision.because());
        } else if (attempts == 0) {
            dial();
        } else {
            join();
        }
    }

    /**
     * Whether each request is looked at, for rules or for who it says that it comes from. What a strict reader takes for no request ({@code get / HTTP/1.1}, or two spaces after the method) a lenient server may
     * take for one, and it would pass by that. Who declares the port to be something else knows what they do.
     */
    private boolean isForRequestsOnly() {
        return target.http() != null && target.http().admitsRequestsOnly();
    }

    /** Has requests answered of a client that may not come in. Nothing is dialled. */
    void deny(Decision<Protocol> decision) {
        Agreed agreed = new Agreed(decision, client.identity());
        session.agreed(agreed);
        serveHttp(agreed, Admission.DENIED);
    }

    private void count(Agreed agreed) {
        var accepted = session.accepted();
        String rule = agreed.because().source().rule();
        long took = machinery.surroundings().ticker().getAsLong() - accepted.at();
        Telemetry telemetry = machinery.telemetry();
        telemetry.decided(accepted.direction(), agreed.protocol().toString(), rule, took);
        String result = Rules.result(agreed.protocol(), rule);
        if (result != null) {
            telemetry.detected(accepted.direction(), result, took);
        }
    }

    /** Requests have connections of their own: one that was dialled to hear whether the server speaks first is let go. */
    private void serveHttp(Agreed agreed, Admission admission) {
        cancel();
        machinery
                .http()
                .serve(new HttpHandover(session, machinery.tls(), agreed, target, first, clientSide(), admission));
    }

    /** Dials without knowing what the connection carries, to hear whether the server speaks first. */
    void listenToServer() {
        if (attempts == 0) {
            dial();
        }
    }

    private void dial() {
        attempts++;
        switch (target.cluster().pick(tried)) {
            case Pick.Refused(var because) -> fail("no-endpoint", because);
            case Pick.Chosen(var chosen) -> dial(chosen);
        }
    }

    private void dial(Attempt chosen) {
        Endpoint endpoint = machinery.own().reachable(chosen.endpoint().endpoint());
        if (machinery.own().isOwn(endpoint.dialled())) {
            chosen.closed();
            fail("loop", "a connection to " + endpoint.dialled() + " would come back to this proxy");
            return;
        }
        attempt = chosen;
        session.chose(new Choice(target.name(), target.cluster().name(), endpoint));
        dialledAt = machinery.surroundings().ticker().getAsLong();
        dialling = machinery
                .dialler()
                .dial(
                        session.downstream().eventLoop(),
                        endpoint,
                        timeouts.withConnect(target.cluster().connect()),
                        MeshTls.Offer.NOTHING,
                        () -> header(endpoint),
                        new Dialler.Outcome() {
                            @Override
                            public void connected(Channel channel) {
                                Crossing.this.connected(channel);
                            }

                            @Override
                            public void failed(Throwable cause) {
                                Crossing.this.dialFailed(chosen, cause);
                            }
                        });
    }

    private ConnectionHeader header(Endpoint endpoint) {
        Endpoint.Mesh mesh = Objects.requireNonNull(endpoint.mesh());
        Agreed agreed = session.agreed();
        SessionProtocol protocol = agreed == null
                ? null
                : switch (agreed.protocol()) {
                    case HTTP1 -> SessionProtocol.HTTP1;
                    case HTTP2, GRPC -> SessionProtocol.HTTP2;
                    case DETECT, OPAQUE, TLS -> null;
                };
        boolean opaqueHint = mesh.hint() == Protocol.OPAQUE;
        return new ConnectionHeader(
                Objects.requireNonNull(mesh.magic(), "asked only where a header is read"),
                endpoint.address().getPort(),
                mesh.name(),
                opaqueHint ? null : protocol,
                agreed == null && !opaqueHint ? Stage.UNDECIDED : Stage.SETTLED);
    }

    private void dialFailed(Attempt failed, Throwable cause) {
        dialling = null;
        if (abandoned) {
            return;
        }
        failed.failed(cause);
        tried.add(failed.endpoint());
        if (attempts >= MAX_ATTEMPTS) {
            fail("unreachable", failed.endpoint() + ": " + Failures.text(cause));
        } else if (tried.size() < target.cluster().endpoints().size()) {
            dial();
        } else {
            // The only endpoints there are: one that restarts is back in a moment.
            tried.clear();
            session.downstream().eventLoop().schedule(this::dialAgain, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void dialAgain() {
        if (!abandoned) {
            dial();
        }
    }

    private void connected(Channel channel) {
        dialling = null;
        if (abandoned) {
            channel.close();
            return;
        }
        Objects.requireNonNull(attempt).connected();
        upstream = channel;
        session.ifItLasts(() -> {
            machinery.transport().askWhenSilent(channel);
            machinery.transport().easeIfLocal(channel);
            machinery.transport().easeIfLocal(session.downstream());
        });
        machinery
                .telemetry()
                .connectTime(session.accepted().direction())
                .observe(machinery.surroundings().ticker().getAsLong() - dialledAt);
        join();
    }

    private void join() {
        Channel other = upstream;
        if (other == null) {
            return;
        }
        if (relays == null) {
            relays = new Relays(session, other, clientSide(), serverSide(), this::serverSpoke);
            relays.listenToServer();
        }
        if (session.agreed() != null) {
            session.forwarding();
            relays.forwardClient(first);
        }
    }

    /** The server's first bytes came while the client's were waited for, or proved nothing yet. */
    private void serverSpoke() {
        if (session.agreed() == null) {
            first.stop();
            machinery.silence().serverSpokeFirst(target.name());
            machinery
                    .telemetry()
                    .serverFirst(session.accepted().direction(), target.name())
                    .increment();
            decide(Rules.serverSpokeFirst());
        }
    }

    private TcpSeries clientSide() {
        SpiffeId identity = client.identity();
        return machinery
                .telemetry()
                .side(new Telemetry.Side(
                        session.accepted().direction(),
                        "src",
                        client.noTlsReason(),
                        identity == null ? null : identity.toString(),
                        target.name(),
                        client.serverName()));
    }

    private TcpSeries serverSide() {
        Choice choice = Objects.requireNonNull(session.choice());
        Endpoint.Mesh mesh = choice.endpoint().mesh();
        String noTlsReason = choice.endpoint().isLoopback() ? "loopback" : "not_provided_by_service_discovery";
        return machinery
                .telemetry()
                .side(new Telemetry.Side(
                        session.accepted().direction(),
                        "dst",
                        mesh == null ? noTlsReason : null,
                        mesh == null ? null : mesh.identity().toString(),
                        target.name()));
    }

    private void fail(String cause, String detail) {
        Refusal.refuse(session, machinery, cause, detail);
    }

    /** Gives up a dial that turned out to be made for nobody. */
    void cancel() {
        abandon();
        if (relays != null) {
            relays.letServerGo();
        }
    }

    /** Nobody waits for a server here any more: nothing is dialled again, and no endpoint is blamed for that. */
    private void abandon() {
        abandoned = true;
        if (attempt != null) {
            attempt.closed();
        }
        if (dialling != null) {
            dialling.close();
        }
        if (relays == null && upstream != null) {
            upstream.close();
        }
    }
}
