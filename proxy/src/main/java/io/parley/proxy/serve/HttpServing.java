package io.parley.proxy.serve;

import io.netty.channel.EventLoop;
import io.parley.proxy.Surroundings;
import io.parley.proxy.account.PolicyLogs;
import io.parley.proxy.account.Traces;
import io.parley.proxy.balance.Clusters;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.exchange.Account;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.exchange.HttpEntry;
import io.parley.proxy.exchange.HttpLoop;
import io.parley.proxy.exchange.Overload;
import io.parley.proxy.exchange.Way;
import io.parley.proxy.export.Outlets;
import io.parley.proxy.health.HealthChecks;
import io.parley.proxy.health.Surgery;
import io.parley.proxy.http.HttpDefaults;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http1.Http1Server;
import io.parley.proxy.http2.Http2Server;
import io.parley.proxy.pool.Dialling;
import io.parley.proxy.pool.Pools;
import io.parley.proxy.pool.WaitingTimes;
import io.parley.proxy.telemetry.HttpTelemetry;
import io.parley.proxy.telemetry.Phases;
import io.parley.proxy.telemetry.Telemetry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The HTTP side of a proxy. */
public final class HttpServing implements HttpEntry {
    private record Loop(HttpLoop http, Scratches scratches) {}

    private final Surroundings surroundings;
    private final Clusters clusters;
    private final HttpTelemetry telemetry;
    private final Dialling dialling;
    private final WaitingTimes times;
    private final Account.Keeper accounts;
    private final Ways ways;
    private final HealthChecks health;
    private final Outlets outlets;
    private final Overload overload;
    private final Map<EventLoop, Loop> loops = new ConcurrentHashMap<>();
    private volatile boolean draining;

    public HttpServing(
            Surroundings surroundings,
            Clusters clusters,
            Telemetry telemetry,
            Dialling dialling,
            EventLoop background,
            Account.Keeper accounts) {
        this.surroundings = surroundings;
        this.clusters = clusters;
        this.telemetry = telemetry.http();
        this.dialling = dialling;
        this.times = new WaitingTimes(surroundings.ticker(), (cluster, nanos) -> {
            if (clusters.find(cluster).isPresent()) {
                telemetry.queueTime(cluster).observe(nanos);
            }
        });
        this.outlets = new Outlets(surroundings, telemetry);
        this.accounts =
                accounts.and(new PolicyLogs(surroundings.clock(), outlets)).and(new Traces(surroundings, outlets));
        this.ways = new Ways(surroundings, this.telemetry);
        this.overload = new Overload(
                Memory.here()::used, System::gc, surroundings.ticker().getAsLong());
        telemetry.gauge("http_requests_in_flight", overload::inFlight);
        telemetry.gauge("http_overload_level", () -> overload.level().number());
        HttpLoop http = loop(background).http;
        outlets.start(http);
        this.health = new HealthChecks(new Surgery(background, surroundings, dialling, http.pools()));
    }

    @Override
    public boolean serves(Protocol protocol) {
        return switch (protocol) {
            case HTTP1, HTTP2, GRPC -> true;
            case DETECT, OPAQUE, TLS -> false;
        };
    }

    @Override
    public void serve(Connection connection) {
        Loop loop = loop(connection.channel().eventLoop());
        Way way = ways.of(connection);
        if (connection.protocol() != Protocol.HTTP1) {
            new Http2Server(loop.http, connection, way).start();
            return;
        }
        new Http1Server(
                        loop.http,
                        connection,
                        way,
                        loop.scratches.of(way.config().limits()))
                .start();
    }

    private Loop loop(EventLoop loop) {
        Loop known = loops.get(loop);
        if (known == null) {
            known = create(loop);
            loops.put(loop, known);
            if (draining) {
                known.http.drain();
            }
        }
        return known;
    }

    private Loop create(EventLoop loop) {
        Scratches scratches = new Scratches();
        Upstreams upstreams = new Upstreams(scratches.of(HttpLimits.DEFAULT), surroundings.ticker());
        HttpLoop http = new HttpLoop(
                loop,
                surroundings,
                clusters,
                telemetry,
                new Pools(loop, dialling, upstreams, times),
                accounts,
                overload);
        upstreams.on(http);
        http.start();
        return new Loop(http, scratches);
    }

    /** Takes over changed routes, and asks the endpoints there are now how they are. */
    public void update(Collection<ListenerConfig> listeners, HttpDefaults usual) {
        ways.update(listeners, usual);
        outlets.update(listeners);
        health.update(clusters.all());
    }

    /** Where the time of requests goes, on each event loop that has had any. */
    public List<Phases> phases() {
        return loops.values().stream().map(loop -> loop.http.phases()).toList();
    }

    public Overload overload() {
        return overload;
    }

    /** Where logs and traces go. */
    public Outlets outlets() {
        return outlets;
    }

    /** Lets every connection come to its end: idle ones soon, others after the answer that is under way. */
    public void drain() {
        draining = true;
        loops.forEach((loop, here) -> loop.execute(here.http::drain));
    }
}
