package io.parley.bench.proxy;

import io.parley.proxy.Surroundings;
import io.parley.proxy.app.Origin.StaticFile;
import io.parley.proxy.app.ProxyProgram;
import io.parley.proxy.config.file.Overrides;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** Our proxy with one event loop, as a process. */
final class ParleyProgram {
    private ParleyProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ProxyProgram.run(
                new ProxyProgram.Options(
                        new StaticFile(Path.of(arguments[0])), new Overrides(null, null, anyPort, null), 1),
                Surroundings.real(),
                System.out);
    }
}
