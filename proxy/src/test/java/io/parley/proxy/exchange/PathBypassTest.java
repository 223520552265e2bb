package io.parley.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.http.PathMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction.Respond;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Ways to write {@code /secret}, which is denied, so that a proxy takes it for something else and a server does not. Each is denied or
 * refused; none reaches the server.
 */
class PathBypassTest {
    private static final List<String> SAME = List.of(
            // As it is, and below.
            "/secret",
            "/secret/",
            "/secret/a",
            "/secret?a=/public",
            "/secret?/../public",
            "/secret/?",
            // Slashes.
            "//secret",
            "///secret",
            "//secret//",
            "/secret//",
            "/./secret",
            "/././secret",
            "/.//secret",
            "//./secret",
            "/secret/.",
            "/secret/./a",
            // Dot segments.
            "/public/../secret",
            "/public/./../secret",
            "/public//../secret",
            "/a/b/../../secret",
            "/a/../b/../secret",
            "/secret/../secret",
            "/secret/..//secret",
            "/secret/a/..",
            "/secret/a/../b",
            // The same in escapes.
            "/%73ecret",
            "/%73%65%63%72%65%74",
            "/secre%74",
            "/secre%74/",
            "/public/%2e%2e/secret",
            "/public/%2E%2E/secret",
            "/public/.%2e/secret",
            "/public/%2e./secret",
            "/%2e/secret",
            "/%2e/%73ecret",
            // Backslashes, which some servers take for slashes.
            "/\\secret",
            "/public\\..\\secret",
            "/public/..\\secret",
            "\\secret",
            // The absolute form, with one host and another.
            "http://a/secret",
            "http://a//secret",
            "http://a/public/../secret",
            "http://a/%73ecret");

    private static final List<String> UNCLEAR = List.of(
            // Slashes and backslashes in escapes: what they are differs from server to server.
            "/%2fsecret",
            "/%2Fsecret",
            "/public%2f..%2fsecret",
            "/public/..%2fsecret",
            "/%5csecret",
            "/public/..%5Csecret",
            "/secret%2f",
            // NUL and other controls, where some servers stop reading.
            "/secret%00",
            "/secret%00/public",
            "/%00secret",
            "/secret%0a",
            "/secret%0d%0a",
            "/secret%7f",
            "/secret%09",
            // Escapes that are none.
            "/secret%",
            "/secret%7",
            "/%zzsecret",
            "/%u0073ecret",
            // Above the root.
            "/../secret",
            "/public/../../secret",
            "/%2e%2e/secret",
            // Parameters on dot segments, which some servers take off first.
            "/public/..;/secret",
            "/public/..;a=b/secret",
            "/.;/secret",
            "/public/%2e%2e;/secret",
            // What has no place in a request line.
            "/secret#a",
            "/public#/../secret");

    private RecordingServer server;
    private HttpProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = RecordingServer.ok();
        // Declared: where nothing is, what does not begin like a request is opaque, and no rule about requests is for
        // it.
        proxy = HttpProxy.declaring(
                Protocol.HTTP1,
                HttpProxy.routed(List.of(
                        Routes.route(Routes.path(new PathMatch.Segments("/secret")), new Respond(403, "no")),
                        Route.to("app"))),
                HttpProxy.cluster("app", Version.HTTP1, server.port()));
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void whatIsTheSamePathIsDenied() throws IOException {
        for (String target : SAME) {
            assertThat(status(target)).as(target).isIn("403", "400");
        }
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void whatServersReadDifferentlyIsRefused() throws IOException {
        for (String target : UNCLEAR) {
            assertThat(status(target)).as(target).isEqualTo("400");
        }
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void thereAreAsManyWaysAsTheFactSheetAsksFor() {
        assertThat(SAME.size() + UNCLEAR.size()).isGreaterThanOrEqualTo(60);
    }

    /** They are other paths, to every server that keeps to RFC 3986: a rule for them has to name them. */
    @Test
    void anotherPathIsAnotherPath() throws IOException {
        List<String> others = List.of("/Secret", "/%53ecret", "/secret;a", "/secret%20", "/%2573ecret", "/secrets");
        for (String target : others) {
            assertThat(status(target)).as(target).isEqualTo("200");
        }
        assertThat(server.requests()).hasSize(others.size());
    }

    private String status(String target) throws IOException {
        try (Client client = Client.to(proxy.address())) {
            return client.send("GET " + target + " HTTP/1.1\r\nhost: a\r\n\r\n")
                    .read(12)
                    .substring(9);
        }
    }
}
