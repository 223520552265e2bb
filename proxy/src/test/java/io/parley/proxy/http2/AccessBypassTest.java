package io.parley.proxy.http2;

import static io.parley.proxy.http2.FramePeer.LAST;
import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.Client;
import io.parley.proxy.app.HttpProxy;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.config.Protocol;
import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.AccessRules.AccessPolicy;
import io.parley.proxy.http.AccessRules.Condition;
import io.parley.proxy.http.FieldEdits;
import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.FieldMatch.Sense;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RequestMatch;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.TextMatch;
import io.parley.proxy.http1.RecordingServer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways around a rule that forbids something, in either version of HTTP: none of them leads there. */
class AccessBypassTest {
    private int stream = -1;

    private static HttpProxy denying(Protocol protocol, int port, Condition what) {
        return judging(AccessRules.Effect.DENY, protocol, port, what);
    }

    private static HttpProxy judging(AccessRules.Effect effect, Protocol protocol, int port, Condition what) {
        AccessRules rules = new AccessRules(
                effect,
                List.of(new AccessPolicy("p", List.of(new Condition.Any()), List.of(what))),
                AccessRules.Mode.ENFORCED);
        Route route = new Route(
                "r",
                RequestMatch.ANY,
                RouteAction.Forward.to("app"),
                FieldEdits.NONE,
                FieldEdits.NONE,
                new Policies(null, null, Map.of("rbac", List.of(rules)), null));
        return HttpProxy.declaring(
                protocol, HttpProxy.routed(List.of(route)), HttpProxy.cluster("app", Version.HTTP1, port));
    }

    private int get(FramePeer client, String path, String... fields) throws IOException {
        stream += 2;
        client.open(stream, LAST, "GET", path, fields);
        FramePeer.Message answer = client.message(stream);
        return answer.heads().isEmpty() ? 400 : Integer.parseInt(answer.status());
    }

    private static int get(HttpProxy proxy, String path, String host, String... fields) throws IOException {
        try (Client client = Client.to(proxy.address())) {
            String more = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
            String answer = client.send(
                            "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "Connection: close\r\n\r\n")
                    .readAll();
            return Integer.parseInt(answer.substring(9, 12));
        }
    }

    /** Istio's CVE-2021-39155: names of hosts are the same in capitals. */
    @Test
    void a17_aHostInCapitalsIsTheSameHost() throws IOException {
        FieldMatch host = new FieldMatch(":authority", new TextMatch.Exact("admin.example"), Sense.IS);
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = denying(Protocol.DETECT, server.port(), new Condition.Field(host))) {
            for (String name : List.of("admin.example", "ADMIN.example", "aDmIn.ExAmPlE", "Admin.Example:80")) {
                assertThat(get(proxy, "/", name)).as(name).isEqualTo(403);
            }
            assertThat(get(proxy, "/", "app.example")).isEqualTo(200);
            assertThat(server.requests()).hasSize(1);
        }
    }

    /** DNS and servers take the dot off. */
    @ParameterizedTest
    @ValueSource(strings = {"admin.example", "admin.example.", "ADMIN.example.:80", "admin.example.:8080"})
    void aHostWithATrailingDotIsTheSameHost(String name) throws IOException {
        FieldMatch host = new FieldMatch(":authority", new TextMatch.Exact("admin.example"), Sense.IS);
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = denying(Protocol.DETECT, server.port(), new Condition.Field(host));
                FramePeer client = FramePeer.client(proxy.address())) {
            assertThat(get(proxy, "/", name)).isEqualTo(403);
            client.headers(1, LAST, ":method", "GET", ":scheme", "http", ":authority", name, ":path", "/");
            assertThat(client.message(1).status()).isEqualTo("403");
            assertThat(server.requests()).isEmpty();
            assertThat(get(proxy, "/", "app.example.")).isEqualTo(200);
        }
    }

    /** CVE-2020-25017: what is forbidden stays so beside something that is not. */
    @Test
    void a17_aFieldThatComesTwiceHasBothValues() throws IOException {
        FieldMatch guest = FieldMatch.header("x-role", new TextMatch.Exact("guest"), Sense.IS);
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = denying(Protocol.DETECT, server.port(), new Condition.Field(guest));
                FramePeer client = FramePeer.client(proxy.address())) {
            assertThat(get(proxy, "/", "x", "X-Role: guest")).isEqualTo(403);
            assertThat(get(proxy, "/", "x", "X-Role: member", "x-role: guest")).isEqualTo(403);
            assertThat(get(proxy, "/", "x", "X-Role: member,guest")).isEqualTo(403);
            assertThat(get(client, "/", "x-role", "guest", "x-role", "member")).isEqualTo(403);
            assertThat(get(client, "/", "x-role", "member , guest")).isEqualTo(403);
            assertThat(server.requests()).isEmpty();
            assertThat(get(client, "/", "x-role", "member", "x-role", "guests")).isEqualTo(200);
        }
    }

    @Test
    void a17_aCookieAmongOthersIsThatCookie() throws IOException {
        FieldMatch guest = FieldMatch.header("cookie", new TextMatch.Exact("role=guest"), Sense.IS);
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = denying(Protocol.DETECT, server.port(), new Condition.Field(guest));
                FramePeer client = FramePeer.client(proxy.address())) {
            assertThat(get(proxy, "/", "x", "Cookie: role=guest")).isEqualTo(403);
            assertThat(get(proxy, "/", "x", "Cookie: a=b; role=guest")).isEqualTo(403);
            assertThat(get(proxy, "/", "x", "Cookie: role=guest", "Cookie: a=b"))
                    .isEqualTo(403);
            assertThat(get(client, "/", "cookie", "a=b", "cookie", "role=guest"))
                    .isEqualTo(403);
            assertThat(server.requests()).isEmpty();
            assertThat(get(client, "/", "cookie", "a=b,role=guest")).isEqualTo(200);
        }
    }

    /** They name the client by its certificate, and are removed: a rule that believed them would believe anybody. */
    @ParameterizedTest
    @ValueSource(strings = {"x-forwarded-client-cert", "l5d-client-id"})
    void aRuleSeesNothingOfWhatIsRemoved(String name) throws IOException {
        FieldMatch admin = FieldMatch.header(name, new TextMatch.Prefix("admin"), Sense.IS);
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy =
                        judging(AccessRules.Effect.ALLOW, Protocol.DETECT, server.port(), new Condition.Field(admin));
                FramePeer client = FramePeer.client(proxy.address())) {
            assertThat(get(proxy, "/", "x", name + ": admin")).isEqualTo(403);
            assertThat(get(proxy, "/", "x", name.toUpperCase(Locale.ROOT) + ": admin"))
                    .isEqualTo(403);
            assertThat(get(client, "/", name, "admin")).isEqualTo(403);
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void aRouteSeesNothingOfWhatIsRemoved() throws IOException {
        FieldMatch admin = FieldMatch.header("x-forwarded-client-cert", new TextMatch.Prefix("admin"), Sense.IS);
        RequestMatch match =
                new RequestMatch(RequestMatch.ANY.path(), null, List.of(admin), List.of(), RequestMatch.ALL);
        Route route = new Route(
                "admins", match, RouteAction.Forward.to("app"), FieldEdits.NONE, FieldEdits.NONE, Policies.NONE);
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy =
                        HttpProxy.routing(List.of(route), HttpProxy.cluster("app", Version.HTTP1, server.port()));
                FramePeer client = FramePeer.client(proxy.address())) {
            assertThat(get(proxy, "/", "x", "X-Forwarded-Client-Cert: admin")).isEqualTo(404);
            assertThat(get(client, "/", "x-forwarded-client-cert", "admin")).isEqualTo(404);
            assertThat(server.requests()).isEmpty();
        }
    }

    /** And what must be there must be there alone. */
    @Test
    void a17_aFieldThatMustHaveAValueMayHaveNoOther() throws IOException {
        FieldMatch member = FieldMatch.header("x-role", new TextMatch.Exact("member"), Sense.IS_NOT);
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy proxy = denying(Protocol.DETECT, server.port(), new Condition.Field(member));
                FramePeer client = FramePeer.client(proxy.address())) {
            assertThat(get(client, "/", "x-role", "member")).isEqualTo(200);
            assertThat(get(client, "/", "x-role", "member", "x-role", "guest")).isEqualTo(403);
            assertThat(get(client, "/")).isEqualTo(403);
            assertThat(server.requests()).hasSize(1);
        }
    }

    /** What is not there has no other value: in doubt nobody is let in, and who is to be kept out is. */
    @Test
    void a17_aFieldThatIsMissingIsNoOtherValue() throws IOException {
        FieldMatch other = FieldMatch.header("x-role", new TextMatch.Exact("guest"), Sense.IS_OTHER);
        try (RecordingServer server = RecordingServer.ok();
                HttpProxy allowing =
                        judging(AccessRules.Effect.ALLOW, Protocol.HTTP1, server.port(), new Condition.Field(other));
                HttpProxy denying = denying(Protocol.HTTP1, server.port(), new Condition.Field(other))) {
            assertThat(get(allowing, "/", "x", "X-Role: member")).isEqualTo(200);
            assertThat(get(allowing, "/", "x", "X-Role: guest")).isEqualTo(403);
            assertThat(get(allowing, "/", "x")).isEqualTo(403);
            assertThat(get(denying, "/", "x", "X-Role: member")).isEqualTo(403);
            assertThat(get(denying, "/", "x", "X-Role: guest")).isEqualTo(200);
            assertThat(get(denying, "/", "x")).isEqualTo(403);
        }
    }
}
