package io.parley.proxy.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.Clusters;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.exchange.Account;
import io.parley.proxy.exchange.Connection;
import io.parley.proxy.exchange.HttpLoop;
import io.parley.proxy.exchange.Overload;
import io.parley.proxy.exchange.Way;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http1.Http1Scratch;
import io.parley.proxy.http1.Http1Server;
import io.parley.proxy.http2.Http2Server;
import io.parley.proxy.pool.Pools;
import io.parley.proxy.pool.WaitingTimes;
import io.parley.proxy.telemetry.Telemetry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Whatever bytes a client sends, through the servers and the exchanges behind them: answers or an end, no exception, nothing left. */
class ServersFuzzTest {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";

    /** A loop without a network: what goes to the cluster fails, and the rest is answered by the proxy itself. */
    private static final class Bench {
        private final EmbeddedChannel channel = new EmbeddedChannel();
        private final Telemetry telemetry = new Telemetry(Surroundings.real().ticker());
        private final List<String> ends = new ArrayList<>();
        private final Surroundings surroundings =
                new Surroundings(() -> 0, Clock.systemUTC(), () -> new Random(20261117));
        private final HttpConfig config = HttpProxy.routed(List.of(
                new Route(
                        "own",
                        new RequestMatch(new PathMatch.Prefix("/own"), null, List.of(), List.of(), RequestMatch.ALL),
                        new RouteAction.Respond(200, "yes"),
                        FieldEdits.NONE,
                        FieldEdits.NONE,
                        Policies.NONE),
                Route.to("app")));
        private final Way way = new Way(config, Direction.OUTBOUND, "app", telemetry.http(), 0);
        private final HttpLoop loop;
        private final Connection connection;

        Bench(Protocol protocol) {
            Clusters clusters = new Clusters(surroundings);
            clusters.update(List.of(HttpProxy.cluster("app", Version.HTTP1, 1)));
            Pools pools = new Pools(
                    channel.eventLoop(),
                    (_, _, _, _, outcome) -> outcome.failed(new IOException("no network")),
                    (_, _, _) -> {
                        throw new IllegalStateException("nothing was dialled");
                    },
                    new WaitingTimes(() -> 0, (_, _) -> {}));
            loop = new HttpLoop(
                    channel.eventLoop(),
                    surroundings,
                    clusters,
                    telemetry.http(),
                    pools,
                    (_, _, _) -> Account.NONE,
                    new Overload(() -> 0, () -> {}, 0));
            connection = new Line(channel, protocol, clusters.find("app").orElseThrow(), ends);
        }

        void feed(byte[] input, int cut) {
            int at = Math.min(input.length, cut);
            channel.writeInbound(Unpooled.copiedBuffer(input, 0, at));
            if (channel.isOpen()) {
                channel.writeInbound(Unpooled.copiedBuffer(input, at, input.length - at));
            }
            for (int i = 0; i < 5; i++) {
                channel.advanceTimeBy(1, TimeUnit.SECONDS);
                channel.runScheduledPendingTasks();
            }
            channel.checkException();
            assertThat(ends).doesNotContain("http2-internal-error");
            channel.finishAndReleaseAll();
            assertThat(telemetry.render()).doesNotContain("internal-error");
        }
    }

    /** A client's connection. */
    private record Line(EmbeddedChannel channel, Protocol protocol, Cluster cluster, List<String> ended)
            implements Connection {
        @Override
        public Direction direction() {
            return Direction.OUTBOUND;
        }

        @Override
        public @Nullable SpiffeId peer() {
            return null;
        }

        @Override
        public List<SpiffeId> names() {
            return List.of();
        }

        @Override
        public InetSocketAddress client() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }

        @Override
        public String scheme() {
            return "http";
        }

        @Override
        public InetSocketAddress destination() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);
        }

        @Override
        public String target() {
            return "app";
        }

        @Override
        public @Nullable HttpConfig config() {
            return null;
        }

        @Override
        public void handTo(ChannelHandler handler) {
            channel.pipeline().addLast(handler);
        }

        @Override
        public void received(long bytes) {}

        @Override
        public void sent(long bytes) {}

        @Override
        public void chose(Endpoint endpoint) {}

        @Override
        public void ends(String cause, String detail) {
            ended.add(cause);
        }
    }

    private static int cut(byte[] input) {
        return input.length == 0 ? 0 : (input[input.length - 1] & 0xff) % (input.length + 1);
    }

    @FuzzTest
    void http2(byte[] input) {
        Bench bench = new Bench(Protocol.HTTP2);
        new Http2Server(bench.loop, bench.connection, bench.way).start();
        bench.channel.writeInbound(Unpooled.copiedBuffer(PREFACE, US_ASCII));
        bench.feed(input, cut(input));
    }

    @FuzzTest
    void http1(byte[] input) {
        Bench bench = new Bench(Protocol.HTTP1);
        new Http1Server(bench.loop, bench.connection, bench.way, new Http1Scratch(HttpLimits.DEFAULT)).start();
        bench.feed(input, cut(input));
    }
}
