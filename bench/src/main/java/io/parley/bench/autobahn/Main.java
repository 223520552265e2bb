package io.parley.bench.autobahn;

import io.parley.proxy.Surroundings;
import io.parley.proxy.config.Balancing;
import io.parley.proxy.config.ClusterConfig;
import io.parley.proxy.Direction;
import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tcp.Transport;
import io.parley.proxy.tls.CertificateSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs the cases against an echo server, directly, through our proxy and through two of them, and fails if a case fails or is missing. */
final class Main {
    private static final Path SUITE = Path.of("bench", "src", "autobahn", "Suite.java");
    private static final Path CLASS_PATH = Path.of("bench", "target", "autobahn-classpath");
    private static final Pattern RESULT =
            Pattern.compile("result \\[(.+?)\\] behavior: ([A-Z_]+), behaviorClose: ([A-Z_]+),.*");
    private static final String FAILED = "FAILED";
    private static final String LISTENER = "outbound";
    private static final List<String> ALL = List.of("1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*");

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        List<String> cases = arguments.length == 0 ? ALL : List.of(arguments);
        boolean passed;
        try (Echo echo = new Echo();
                Proxy one = proxy(echo.address(), Version.HTTP1);
                Proxy second = proxy(echo.address(), Version.HTTP1);
                Proxy first = proxy(second.address(LISTENER), Version.HTTP2)) {
            System.out.println("directly");
            Map<String, String> direct = run(echo.address(), cases);
            System.out.println("through a proxy, HTTP/1");
            passed = isPassed(direct, run(one.address(LISTENER), cases));
            System.out.println("through two proxies, HTTP/2 between them (RFC 8441)");
            passed &= isPassed(direct, run(first.address(LISTENER), cases));
        }
        System.exit(passed ? 0 : 1);
    }

    /** The suite runs in a process of its own, because Jython would take our packages for Python's. */
    private static Map<String, String> run(InetSocketAddress address, List<String> cases) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-cp",
                Files.readString(CLASS_PATH),
                SUITE.toString(),
                "ws://127.0.0.1:" + address.getPort() + '/'));
        command.addAll(cases);
        Process suite = new ProcessBuilder(command).redirectErrorStream(true).start();
        Map<String, String> results = new LinkedHashMap<>();
        List<String> said = suite.inputReader().lines().toList();
        for (String line : said) {
            Matcher result = RESULT.matcher(line);
            if (result.matches()) {
                results.put(result.group(1), result.group(2) + ", closing " + result.group(3));
            }
        }
        if (results.isEmpty()) {
            throw new IOException("the suite gave no results:\n" + String.join("\n", said));
        }
        return results;
    }

    /** Shows where results differ from those without a proxy, and tells whether no case failed and none is missing. */
    private static boolean isPassed(Map<String, String> direct, Map<String, String> proxied) {
        Map<String, Integer> counts = new TreeMap<>();
        proxied.forEach((name, result) -> {
            counts.merge(result, 1, Integer::sum);
            if (!result.equals(direct.get(name)) || result.contains(FAILED)) {
                System.out.printf("%s: %s through the proxy, %s without%n", name, result, direct.get(name));
            }
        });
        System.out.printf("%d cases of %d: %s%n", proxied.size(), direct.size(), counts);
        return proxied.keySet().equals(direct.keySet())
                && proxied.values().stream().noneMatch(result -> result.contains(FAILED));
    }

    private static Proxy proxy(InetSocketAddress origin, Version version) {
        ClusterConfig cluster = new ClusterConfig(
                "origin",
                List.of(Endpoint.plain(origin)),
                ClusterConfig.Breaker.DEFAULT,
                new HttpUpstream(version, 10_000, null, List.of()),
                new Balancing.LeastLoaded(),
                null,
                null);
        ListenerConfig listener = new ListenerConfig(
                LISTENER,
                Direction.OUTBOUND,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ListenerConfig.Destinations.LISTENER,
                new Routing.Fixed(new OutboundTarget("origin", Routing.undeclared(), cluster.name(), null)),
                ListenerConfig.Limits.DEFAULT);
        Proxy proxy = new Proxy(Transport.best(1), CertificateSource.none(), Surroundings.real(), _ -> {});
        proxy.apply(new ProxyConfig("1", List.of(listener), Map.of(cluster.name(), cluster), Timeouts.DEFAULT));
        return proxy;
    }
}
