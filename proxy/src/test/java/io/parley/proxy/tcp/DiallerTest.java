package io.parley.proxy.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.config.UpstreamTls;
import io.parley.proxy.tls.CertificateSource;
import io.parley.proxy.tls.MeshTls;
import io.parley.proxy.tls.PublicTls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever dials is told what came of it, whatever that is. */
class DiallerTest {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Transport transport = Transport.of(Transport.Kind.NIO, 1);
    private final MeshTls tls = new MeshTls(CertificateSource.none(), Clock.systemUTC());

    @AfterEach
    void stop() {
        transport.close();
        tls.close();
    }

    enum Trouble {
        NO_SOCKET,
        NO_OPTION
    }

    private CompletableFuture<Channel> dial(
            Function<InetSocketAddress, Channel> sockets,
            Map<ChannelOption<Integer>, Integer> options,
            InetSocketAddress to,
            Timeouts timeouts) {
        return dial(
                transport,
                new Dialler(sockets, options, tls, new PublicTls(), new OwnAddresses(), Names.SYSTEM),
                Endpoint.plain(to),
                timeouts);
    }

    private static CompletableFuture<Channel> dial(
            Transport transport, Dialler dialler, Endpoint to, Timeouts timeouts) {
        CompletableFuture<Channel> told = new CompletableFuture<>();
        Dial _ = begin(transport, dialler, to, timeouts, told);
        return told;
    }

    private static Dial begin(
            Transport transport, Dialler dialler, Endpoint to, Timeouts timeouts, CompletableFuture<Channel> told) {
        return dialler.dial(
                transport.loops().next(),
                to,
                timeouts,
                MeshTls.Offer.NOTHING,
                () -> {
                    throw new IllegalStateException("no header is asked for");
                },
                telling(told));
    }

    @ParameterizedTest
    @EnumSource
    void aSocketThatCannotBeHadIsADialThatFailed(Trouble trouble) {
        ChannelException exhausted = new ChannelException("too many open files");
        NioSocketChannel socket = new NioSocketChannel();
        CompletableFuture<Channel> told = dial(
                _ -> {
                    if (trouble == Trouble.NO_SOCKET) {
                        throw exhausted;
                    }
                    return socket;
                },
                trouble == Trouble.NO_OPTION ? Map.of(new Refused(exhausted), 1) : Map.of(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                Timeouts.DEFAULT);

        assertThat(told).failsWithin(PATIENCE).withThrowableThat().withCause(exhausted);
        assertThat(socket.isOpen()).isEqualTo(trouble == Trouble.NO_SOCKET);
        socket.unsafe().closeForcibly();
    }

    /** An option that no socket takes. */
    private static final class Refused extends ChannelOption<Integer> {
        private final ChannelException because;

        @SuppressWarnings("deprecation") // Netty has no other way to make one that checks its values.
        Refused(ChannelException because) {
            super("refused");
            this.because = because;
        }

        @Override
        public void validate(Integer value) {
            throw because;
        }
    }

    @Test
    void aServerMayTakeAsLongToAcceptAsAnyConfigurationSays() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel channel = dial(
                            _ -> new NioSocketChannel(),
                            Map.of(),
                            (InetSocketAddress) server.getLocalSocketAddress(),
                            Timeouts.DEFAULT.withConnect(Duration.ofDays(365)))
                    .get(30, TimeUnit.SECONDS);
            assertThat(((SocketChannel) channel).config().getConnectTimeoutMillis())
                    .isEqualTo(Integer.MAX_VALUE);
            channel.close().sync();
        }
    }

    private static Dialler.Outcome telling(CompletableFuture<Channel> told) {
        return new Dialler.Outcome() {
            @Override
            public void connected(Channel channel) {
                told.complete(channel);
            }

            @Override
            public void failed(Throwable cause) {
                told.completeExceptionally(cause);
            }
        };
    }

    enum End {
        RESET_AT_ONCE,
        RESET_AFTER_THE_HELLO,
        END_AT_ONCE
    }

    /** Also where sockets may be ended in one direction alone, as all of them are. */
    @ParameterizedTest
    @EnumSource
    void aServerThatEndsTheConnectionBeforeTheHandshakeIsADialThatFailedThen(End end) throws Exception {
        try (Transport best = Transport.best(1);
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
            UpstreamTls outside = new UpstreamTls("x.example", List.of(), List.of(), List.of(), null);
            CompletableFuture<Channel> told = dial(
                    best,
                    new Dialler(best, tls, new PublicTls(), new OwnAddresses()),
                    new Endpoint(address, null, outside),
                    Timeouts.DEFAULT);
            Socket accepted = server.accept();
            if (end == End.RESET_AFTER_THE_HELLO) {
                assertThat(accepted.getInputStream().read()).isEqualTo(22);
            }
            if (end == End.END_AT_ONCE) {
                accepted.shutdownOutput();
            } else {
                accepted.setSoLinger(true, 0);
                accepted.close();
            }
            assertThat(told)
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .havingRootCause()
                    .isNotInstanceOf(SslHandshakeTimeoutException.class);
            accepted.close();
        }
    }

    private static InetAddress loopback(String address) {
        return InetAddress.ofLiteral(address);
    }

    private Dialler named(Transport best, OwnAddresses own, InetAddress... addresses) {
        return new Dialler(best::newSocket, Map.of(), tls, new PublicTls(), own, new Names(_ -> addresses));
    }

    private static Endpoint name(ServerSocket server) {
        return Endpoint.plain(InetSocketAddress.createUnresolved("db.test", server.getLocalPort()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.2", "::1"})
    void anAddressOfANameThatCannotBeConnectedToGivesWayToTheNext(String dead) throws Exception {
        try (Transport best = Transport.best(1);
                ServerSocket server = new ServerSocket(0, 1, loopback("127.0.0.1"))) {
            Dialler dialler = named(best, new OwnAddresses(), loopback(dead), loopback("127.0.0.1"));
            Channel channel =
                    dial(best, dialler, name(server), Timeouts.DEFAULT).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(channel.remoteAddress()).isEqualTo(server.getLocalSocketAddress());
            channel.close().sync();
        }
    }

    @Test
    void anAddressOfANameThatLeadsBackGivesWayToTheNext() throws Exception {
        try (Transport best = Transport.best(1);
                ServerSocket server = new ServerSocket(0, 1, loopback("127.0.0.1"))) {
            OwnAddresses own = new OwnAddresses();
            own.add(new InetSocketAddress("127.0.0.2", server.getLocalPort()));
            Dialler dialler = named(best, own, loopback("127.0.0.2"), loopback("127.0.0.1"));
            Channel channel =
                    dial(best, dialler, name(server), Timeouts.DEFAULT).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(channel.remoteAddress()).isEqualTo(server.getLocalSocketAddress());
            channel.close().sync();
        }
    }

    @Test
    void aNameFailsWhenTheLastOfItsAddressesHas() throws Exception {
        try (Transport best = Transport.best(1);
                ServerSocket server = new ServerSocket(0, 1, loopback("127.0.0.1"))) {
            Dialler dialler = named(best, new OwnAddresses(), loopback("127.0.0.2"), loopback("127.0.0.3"));
            assertThat(dial(best, dialler, name(server), Timeouts.DEFAULT))
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .withMessageContaining("127.0.0.3");
        }
    }

    /** It may have taken in what it was told. */
    @Test
    void whoeverHasAcceptedIsNotReplacedByTheNextAddress() throws Exception {
        try (Transport best = Transport.best(1);
                ServerSocketChannel first = ServerSocketChannel.open();
                ServerSocketChannel second = ServerSocketChannel.open()) {
            first.bind(new InetSocketAddress(loopback("127.0.0.1"), 0));
            int port = first.socket().getLocalPort();
            second.bind(new InetSocketAddress(loopback("127.0.0.2"), port)).configureBlocking(false);
            UpstreamTls outside = new UpstreamTls("x.example", List.of(), List.of(), List.of(), null);
            CompletableFuture<Channel> told = dial(
                    best,
                    named(best, new OwnAddresses(), loopback("127.0.0.1"), loopback("127.0.0.2")),
                    new Endpoint(InetSocketAddress.createUnresolved("db.test", port), null, outside),
                    Timeouts.DEFAULT);
            first.accept().close();
            assertThat(told).failsWithin(PATIENCE);
            assertThat(second.accept()).isNull();
        }
    }

    @Test
    void whoGivesUpWhileANameIsLookedUpOpensNothing() {
        CompletableFuture<InetAddress[]> found = new CompletableFuture<>();
        Dialler dialler = new Dialler(
                _ -> {
                    throw new IllegalStateException("no socket is asked for");
                },
                Map.of(),
                tls,
                new PublicTls(),
                new OwnAddresses(),
                new Names(_ -> found.join()));
        CompletableFuture<Channel> told = new CompletableFuture<>();
        Endpoint to = Endpoint.plain(InetSocketAddress.createUnresolved("db.test", 1));
        begin(transport, dialler, to, Timeouts.DEFAULT, told).close();
        found.complete(new InetAddress[] {loopback("127.0.0.1")});
        assertThat(told).failsWithin(PATIENCE).withThrowableThat().withCauseInstanceOf(ClosedChannelException.class);
    }
}
