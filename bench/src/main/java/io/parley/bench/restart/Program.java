package io.parley.bench.restart;

import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Origin.StaticFile;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.config.file.Overrides;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Our proxy as a process, which says when it listens. */
final class Program {
    static final String READY = "ready";

    private Program() {}

    public static void main(String[] arguments) throws InterruptedException {
        var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ProxyProgram program = ProxyProgram.start(
                new ProxyProgram.Options(
                        new StaticFile(Path.of(arguments[0])), new Overrides(null, null, anyPort, null), 1),
                Surroundings.real(),
                System.out);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            program.stop();
            stopped.countDown();
        }));
        System.out.println(READY);
        stopped.await();
    }
}
