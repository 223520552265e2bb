package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.AsciiString;
import io.parley.proxy.Surroundings;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.Clusters;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.Account;
import io.parley.proxy.exchange.HttpLoop;
import io.parley.proxy.exchange.Overload;
import io.parley.proxy.pool.Answer;
import io.parley.proxy.pool.Answers;
import io.parley.proxy.pool.ClientStream;
import io.parley.proxy.pool.Dialling;
import io.parley.proxy.pool.Pool;
import io.parley.proxy.pool.Pools;
import io.parley.proxy.pool.Upstream;
import io.parley.proxy.pool.Waiter;
import io.parley.proxy.pool.WaitingTimes;
import io.parley.proxy.telemetry.Telemetry;
import io.parley.wire.http.Fields;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which connections to servers of HTTP/2 are used for how many requests, by what the servers say. */
class Http2PoolTest {
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final Surroundings surroundings = new Surroundings(() -> 0, Clock.systemUTC(), () -> new Random(1));
    private final EmbeddedChannel first = new EmbeddedChannel();
    private final ArrayDeque<Dialling.Outcome> dials = new ArrayDeque<>();
    private final List<Asking> asking = new ArrayList<>();
    private final Clusters clusters = new Clusters(surroundings);
    private final Pools pools = new Pools(
            first.eventLoop(),
            (_, _, _, _, outcome) -> dials.add(outcome),
            (pool, channel, _) -> {
                Http2Client client = new Http2Client(loop(), pool, channel);
                client.start();
                return client;
            },
            new WaitingTimes(() -> 0, (_, _) -> {}));
    private final HttpLoop loop = new HttpLoop(
            first.eventLoop(),
            surroundings,
            clusters,
            new Telemetry(surroundings.ticker()).http(),
            pools,
            (_, _, _) -> Account.NONE,
            new Overload(() -> 0, () -> {}, 0));

    @AfterEach
    void close() {
        if (first.pipeline().get(Lingering.class) != null) {
            first.pipeline().remove(Lingering.class);
        }
        first.finishAndReleaseAll();
    }

    private HttpLoop loop() {
        return loop;
    }

    private Pool pool() {
        clusters.update(List.of(HttpProxy.cluster("app", Version.HTTP2, 1)));
        Cluster cluster = clusters.find("app").orElseThrow();
        return pools.of(cluster, cluster.endpoints().getFirst(), Version.HTTP2);
    }

    /** Wants to send one request, and does as soon as it can. */
    private static final class Asking implements Waiter, Answers {
        private final Fields head = new Fields();
        private final List<String> told = new ArrayList<>();

        Asking(String... fields) {
            for (int i = 0; i < fields.length; i += 2) {
                head.add(new AsciiString(fields[i]), new AsciiString(fields[i + 1]));
            }
        }

        @Override
        public void ready(Upstream upstream) {
            ClientStream stream = upstream.begin(this);
            stream.head(head, !head.contains(Fields.PROTOCOL));
            told.add("sent");
        }

        @Override
        public void unavailable(String because) {
            told.add("unavailable");
        }

        @Override
        public void mismatched(String found) {
            told.add("mismatched");
        }

        @Override
        public boolean isHeadRequest() {
            return false;
        }

        @Override
        public void informed(Answer answer) {}

        @Override
        public Form answered(Answer answer, boolean last) {
            told.add("answered");
            return Form.CONTENT;
        }

        @Override
        public void wire(ByteBuf bytes, boolean last) {
            bytes.release();
        }

        @Override
        public void data(ByteBuf content, boolean last) {
            content.release();
        }

        @Override
        public void trailers(Fields trailers) {}

        @Override
        public void flush() {}

        @Override
        public void failed(Failure failure, String detail) {
            told.add(failure.name());
        }

        @Override
        public void writable() {}
    }

    private Asking ask(Pool pool, String... fields) {
        Asking one = new Asking(fields);
        asking.add(one);
        Upstream upstream = pool.take();
        if (upstream == null) {
            pool.await(one);
        } else {
            one.ready(upstream);
        }
        return one;
    }

    private Asking get(Pool pool) {
        return ask(pool, ":method", "GET", ":scheme", "http", ":authority", "x", ":path", "/");
    }

    private Asking webSocket(Pool pool) {
        return ask(
                pool,
                ":method",
                "CONNECT",
                ":protocol",
                "websocket",
                ":scheme",
                "http",
                ":authority",
                "x",
                ":path",
                "/");
    }

    private long sent() {
        return asking.stream().filter(one -> one.told.contains("sent")).count();
    }

    private void connect(EmbeddedChannel channel) {
        dials.remove().connected(channel);
    }

    private static void settings(EmbeddedChannel channel, int... namesAndValues) {
        ByteBuffer payload = ByteBuffer.allocate(namesAndValues.length * 3);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            payload.putShort((short) namesAndValues[i]).putInt(namesAndValues[i + 1]);
        }
        receive(channel, frame(Wire.SETTINGS, 0, 0, payload.array()));
    }

    private static void receive(EmbeddedChannel channel, byte[] bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
        channel.runPendingTasks();
    }

    /** {@code :status 200} of HPACK's static table. */
    private static void answer(EmbeddedChannel channel, int stream) {
        receive(channel, frame(Wire.HEADERS, Wire.END_HEADERS | Wire.END_STREAM, stream, (byte) 0x88));
    }

    @Test
    void aServerIsExpectedToTakeAsManyRequestsAsOnItsLastConnection() {
        Pool pool = pool();
        get(pool);
        connect(first);
        settings(first, Wire.MAX_CONCURRENT_STREAMS, 8);
        for (int i = 0; i < 19; i++) {
            get(pool);
        }
        assertThat(sent()).isEqualTo(8);
        EmbeddedChannel second = new EmbeddedChannel();
        connect(second);
        assertThat(sent()).isEqualTo(16);
        assertThat(dials).hasSize(1);
        second.finishAndReleaseAll();
    }

    @Test
    void aServerThatTakesNoRequestsForAWhileIsUsedAgain() {
        Pool pool = pool();
        get(pool);
        connect(first);
        settings(first, Wire.MAX_CONCURRENT_STREAMS, 0);
        answer(first, 1);
        Asking later = get(pool);
        assertThat(later.told).isEmpty();
        settings(first, Wire.MAX_CONCURRENT_STREAMS, 100);
        assertThat(later.told).containsExactly("sent");
    }

    @Test
    void aConnectionWithoutRoomIsClosedWhenItIsIdle() {
        Pool pool = pool();
        get(pool);
        connect(first);
        settings(first, Wire.MAX_CONCURRENT_STREAMS, 0);
        answer(first, 1);
        assertThat(pool.take()).isNull();
        pools.sweep(IDLE.toNanos() + 1, IDLE);
        assertThat(first.isOpen()).isFalse();
    }

    /** As TLS has it, which waits for its last words to leave. */
    private static final class Lingering extends ChannelOutboundHandlerAdapter {
        @Override
        public void close(ChannelHandlerContext ctx, ChannelPromise promise) {}
    }

    @Test
    void aConnectionThatIsBeingEndedIsNotUsedAndItsRequestsHearOfIt() {
        Pool pool = pool();
        Asking under = get(pool);
        first.pipeline().addFirst(new Lingering());
        connect(first);
        settings(first);
        receive(first, frame(Wire.WINDOW_UPDATE, 0, 0, new byte[4]));
        assertThat(first.isOpen()).isTrue();
        assertThat(pool.take()).isNull();
        assertThat(under.told).containsExactly("sent", "RESET");
    }

    @Test
    void aRequestThatALostConnectionMayNotHaveTakenAnywhereIsStale() {
        Pool pool = pool();
        Asking served = get(pool);
        connect(first);
        settings(first);
        Asking beside = get(pool);
        answer(first, 1);
        Asking later = get(pool);
        first.close();
        assertThat(served.told).containsExactly("sent", "answered");
        assertThat(later.told).containsExactly("sent", "STALE");
        assertThat(beside.told).as("nobody had been served yet").containsExactly("sent", "RESET");
    }

    @Test
    void aWebSocketThatALostConnectionNeverAskedForWasRefusedByNobody() {
        Pool pool = pool();
        Asking asked = webSocket(pool);
        connect(first);
        first.close();
        first.runPendingTasks();
        assertThat(asked.told).containsExactly("sent", "REFUSED");
    }

    @Test
    void aServerCannotTakeBackThatItTakesWebSockets() {
        Pool pool = pool();
        get(pool);
        connect(first);
        settings(first, Wire.ENABLE_CONNECT_PROTOCOL, 1);
        settings(first, Wire.ENABLE_CONNECT_PROTOCOL, 0);
        assertThat(first.isOpen()).isFalse();
    }

    /** What a server may not send at all, or not on this stream. */
    static List<byte[]> framesThatAreNotAServersToSendEndTheConnection() {
        return List.of(
                frame(Wire.PUSH_PROMISE, Wire.END_HEADERS, 1, new byte[] {0, 0, 0, 2, (byte) 0x88}),
                frame(Wire.HEADERS, Wire.END_HEADERS, 5, (byte) 0x88),
                frame(Wire.HEADERS, Wire.END_HEADERS, 2, (byte) 0x88),
                frame(Wire.DATA, 0, 5, (byte) 'x'),
                frame(Wire.RST_STREAM, 0, 5, new byte[4]),
                frame(Wire.WINDOW_UPDATE, 0, 5, new byte[] {0, 0, 0, 1}),
                frame(Wire.SETTINGS, 0, 0, new byte[] {0, Wire.ENABLE_PUSH, 0, 0, 0, 1}));
    }

    @ParameterizedTest
    @MethodSource
    void framesThatAreNotAServersToSendEndTheConnection(byte[] frame) {
        Pool pool = pool();
        Asking under = get(pool);
        connect(first);
        settings(first);
        receive(first, frame);
        assertThat(first.isOpen()).isFalse();
        assertThat(under.told).containsExactly("sent", "RESET");
    }

    @Test
    void aSecondFarewellMayNameAnEarlierStream() {
        Pool pool = pool();
        Asking one = get(pool);
        connect(first);
        settings(first);
        Asking two = get(pool);
        receive(first, frame(Wire.GOAWAY, 0, 0, new byte[] {0, 0, 0, 3, 0, 0, 0, 0}));
        assertThat(two.told).containsExactly("sent");
        receive(first, frame(Wire.GOAWAY, 0, 0, new byte[] {0, 0, 0, 1, 0, 0, 0, 0}));
        assertThat(two.told).containsExactly("sent", "REFUSED");
        answer(first, 1);
        assertThat(one.told).containsExactly("sent", "answered");
        assertThat(first.isOpen()).isFalse();
    }

    @Test
    void aHeadOnAStreamThatNobodyHasBegunEndsTheConnection() {
        Pool pool = pool();
        get(pool);
        connect(first);
        settings(first);
        // It depends on itself, which is a mistake of its own.
        receive(first, frame(Wire.HEADERS, 0x24, 5, new byte[] {0, 0, 0, 5, 0, (byte) 0x88}));
        assertThat(first.isOpen()).isFalse();
    }
}
