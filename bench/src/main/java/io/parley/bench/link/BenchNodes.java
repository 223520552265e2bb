package io.parley.bench.link;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.parley.agreement.version.NodeDescription;
import io.parley.identity.certificate.Pem;
import io.parley.link.Backoff;
import io.parley.link.Link;
import io.parley.link.LinkLimits;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.client.ClientService;
import io.parley.link.client.ClientTls;
import io.parley.link.client.LinkClient;
import io.parley.link.client.LinkClientListener;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Nodes of a benchmark. As a program: opens as many as told, says so, and holds them until its input ends. */
final class BenchNodes implements AutoCloseable {
    private static final Backoff IMMEDIATELY = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1));

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final SslContext tls;
    private final URI target;

    BenchNodes(int port, Path authority) throws IOException {
        this.tls = ClientTls.trusting(Pem.certificates(Files.readString(authority)));
        this.target = URI.create("https://localhost:" + port);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int count = Integer.parseInt(args[2]);
        var connected = new CountDownLatch(count);
        try (var nodes = new BenchNodes(Integer.parseInt(args[0]), Path.of(args[1]))) {
            for (int node = 0; node < count; node++) {
                nodes.start("node-" + node, _ -> connected.countDown());
                if (node % 50 == 49) {
                    // In small waves: this measures what connections weigh, not how fast they come.
                    long open = node + 1L;
                    while (count - connected.getCount() < open) {
                        TimeUnit.MILLISECONDS.sleep(5);
                    }
                }
            }
            connected.await();
            System.out.println("ready");
            while (System.in.read() >= 0) {
                // Held until the other side is done.
            }
        }
    }

    void start(String id, Consumer<Link> opened) {
        var settings = new LinkClient.Settings(
                target,
                () -> tls,
                () -> Optional.of("bench"),
                new NodeDescription(id, "PARLEY", "0.1.0", "bench"),
                Map.of(),
                LinkLimits.DEFAULT,
                () -> IMMEDIATELY);
        var service = new ClientService(
                Services.CONFIG_NAME, Services.V1, Services.CONFIG, ClientService.Need.REQUIRED, link -> {
                    opened.accept(link);
                    return new ServiceHandler(() -> {});
                });
        new LinkClient(
                        settings,
                        List.of(service),
                        LinkClientListener.NONE,
                        loops.next(),
                        NioSocketChannel::new,
                        Clock.systemUTC(),
                        new SplittableRandom(1))
                .start();
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
