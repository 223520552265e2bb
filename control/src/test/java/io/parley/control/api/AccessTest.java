package io.parley.control.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jwt.SignedJWT;
import io.parley.control.api.ApiFixture.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path data;

    @SuppressWarnings("NullAway.Init")
    private static ApiFixture api;

    @BeforeAll
    static void start() throws Exception {
        api = new ApiFixture(data);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/meshes", "/meshes/default", "/api", "/who-am-i", "/global-secrets", "/nothing", "/tokens/user"
            })
    void beingLocalIsNoIdentity(String path) throws Exception {
        String method = path.startsWith("/tokens") ? "POST" : "GET";

        Answer answer = api.send(
                api.anonymous(method, path, method.equals("POST") ? "{}" : null).build());

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("www-authenticate")).startsWith("Bearer");
        assertThat(answer.type()).contains("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/healthy", "/ready", "/metrics", "/openapi.json"})
    void toolsReachTheseWithoutAToken(String path) throws Exception {
        assertThat(api.send(api.anonymous("GET", path, null).build()).status()).isEqualTo(200);
    }

    @Test
    void aReaderReadsButNeitherSecretsNorWrites() throws Exception {
        String token = api.post("/tokens/user", "{\"name\":\"eve\",\"groups\":[\"reader\"]}")
                .body()
                .path("token")
                .asText();

        assertThat(as(token, "GET", "/meshes", null).status()).isEqualTo(200);
        assertThat(as(token, "GET", "/who-am-i", null).body().path("name").asText())
                .isEqualTo("eve");
        assertThat(as(token, "GET", "/global-secrets", null).status()).isEqualTo(403);
        assertThat(as(token, "GET", "/meshes/default/secrets", null).status()).isEqualTo(403);
        assertThat(as(token, "PUT", "/meshes/x", "{\"type\":\"Mesh\",\"name\":\"x\"}")
                        .status())
                .isEqualTo(403);
        assertThat(as(token, "DELETE", "/meshes/default", null).status()).isEqualTo(403);
        assertThat(as(token, "POST", "/tokens/user", "{\"name\":\"eve\",\"groups\":[\"admin\"]}")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aReaderDoesNotSeeTheKeyOfAnAuthority() throws Exception {
        String mesh =
                "{\"type\":\"Mesh\",\"name\":\"own-ca\",\"mtls\":{\"backends\":[{\"name\":\"ca\",\"type\":\"provided\","
                        + "\"conf\":{\"cert\":{\"inlineString\":\"c\"},\"key\":{\"inlineString\":\"topsecret\"}}}]}}";
        assertThat(api.put("/meshes/own-ca", mesh).status()).isEqualTo(201);
        String token = api.post("/tokens/user", "{\"name\":\"eve\",\"groups\":[\"reader\"]}")
                .body()
                .path("token")
                .asText();

        for (String path : List.of("/meshes/own-ca", "/meshes")) {
            assertThat(as(token, "GET", path, null).body().toString())
                    .contains("own-ca")
                    .doesNotContain("topsecret");
            assertThat(api.get(path).body().toString()).contains("topsecret");
        }
    }

    @Test
    void theControlPlanesOwnStateIsNotForPeople() throws Exception {
        api.post("/tokens/revocations", "{\"id\":\"" + UUID.randomUUID() + "\"}");

        assertThat(api.delete("/configs/token-revocations").status()).isEqualTo(403);
        assertThat(api.put(
                                "/configs/token-revocations",
                                "{\"type\":\"Config\",\"name\":\"token-revocations\",\"config\":\"\"}")
                        .status())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dataplane", "zone"})
    void aTokenForAnotherDoorIsNotForThisOne(String subject) throws Exception {
        String token = api.post("/tokens/" + subject, "{\"name\":\"a\",\"mesh\":\"default\",\"zone\":\"zone-1\"}")
                .body()
                .path("token")
                .asText();

        assertThat(as(token, "GET", "/meshes", null).status()).isEqualTo(401);
    }

    @Test
    void aRevokedTokenIsRefusedAtOnce() throws Exception {
        String token = api.post("/tokens/user", "{\"name\":\"eve\",\"groups\":[\"reader\"]}")
                .body()
                .path("token")
                .asText();
        String id = SignedJWT.parse(token).getJWTClaimsSet().getJWTID();
        assertThat(as(token, "GET", "/meshes", null).status()).isEqualTo(200);

        assertThat(api.post("/tokens/revocations", "{\"id\":\"" + id + "\"}").status())
                .isEqualTo(200);

        assertThat(as(token, "GET", "/meshes", null).status()).isEqualTo(401);
    }

    @Test
    void aTokenIsRevokedByItselfToo() throws Exception {
        String token = api.post("/tokens/user", "{\"name\":\"eve\",\"groups\":[\"reader\"]}")
                .body()
                .path("token")
                .asText();

        Answer revoked = api.post("/tokens/revocations", "{\"id\":\"" + token + "\"}");

        assertThat(revoked.body().path("revoked").asText())
                .isEqualTo(SignedJWT.parse(token).getJWTClaimsSet().getJWTID());
        assertThat(as(token, "GET", "/meshes", null).status()).isEqualTo(401);
    }

    @Test
    void aKeyThatSignsIsReplacedWhileOldTokensCountUntilItIsRetired() throws Exception {
        String old = user("eve");
        String before = signingKey();

        String made = api.post("/tokens/keys", "{}").body().path("id").asText();
        String renewed = user("eve");

        assertThat(signingKey()).isEqualTo(made).isNotEqualTo(before);
        assertThat(SignedJWT.parse(renewed).getHeader().getKeyID()).isEqualTo(made);
        assertThat(as(old, "GET", "/meshes", null).status()).isEqualTo(200);
        assertThat(as(renewed, "GET", "/meshes", null).status()).isEqualTo(200);
        await().alias("the administrator's own token is of the new key")
                .until(() ->
                        SignedJWT.parse(api.adminToken()).getHeader().getKeyID().equals(made));

        assertThat(api.delete("/tokens/keys/" + before).status()).isEqualTo(200);

        assertThat(as(old, "GET", "/meshes", null).status()).isEqualTo(401);
        assertThat(as(renewed, "GET", "/meshes", null).status()).isEqualTo(200);
        assertThat(api.get("/tokens/keys").body().path("items").findValuesAsText("id"))
                .containsExactly(made);
    }

    @Test
    void theKeyThatSignsIsNotRetired() throws Exception {
        assertThat(api.delete("/tokens/keys/" + signingKey()).status()).isEqualTo(409);
        assertThat(api.delete("/tokens/keys/token-signing-key-777").status()).isEqualTo(404);
        assertThat(api.delete("/tokens/keys/control-plane-ca").status()).isEqualTo(404);
        assertThat(as(user("eve"), "POST", "/tokens/keys", "{}").status()).isEqualTo(403);
        assertThat(api.get("/meshes").status()).isEqualTo(200);
    }

    private static String signingKey() throws Exception {
        for (JsonNode key : api.get("/tokens/keys").body().path("items")) {
            if (key.path("signs").asBoolean()) {
                return key.path("id").asText();
            }
        }
        throw new AssertionError("no key signs");
    }

    private String user(String name) throws Exception {
        return api.post("/tokens/user", "{\"name\":\"" + name + "\",\"groups\":[\"reader\"]}")
                .body()
                .path("token")
                .asText();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x@y,z", "a,b", "", "eve", "a.b.c"})
    void whatIsNoTokenIsNotRevokedAndLocksNobodyOut(String id) throws Exception {
        Answer answer = api.post("/tokens/revocations", "{\"id\":\"" + id + "\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.violationPaths()).containsExactly("id");
        assertThat(api.get("/meshes").status()).isEqualTo(200);
    }

    @Test
    void aRequestForATokenIsCheckedWhole() throws Exception {
        Answer answer = api.post("/tokens/user", "{\"name\":\"\",\"groups\":[\"root\"],\"validFor\":\"1000000h\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.violationPaths()).containsExactly("name", "groups", "validFor");
        assertThat(api.post("/tokens/user", "[").status()).isEqualTo(400);
    }

    @Test
    void answersOnlyUnderItsOwnNames() throws Exception {
        assertThat(statusUnderHost("127.0.0.1", "/openapi.json")).contains(" 200 ");
        assertThat(statusUnderHost("LocalHost", "/openapi.json")).contains(" 200 ");
        assertThat(statusUnderHost("evil.example", "/openapi.json")).contains(" 421 ");
        assertThat(statusUnderHost("10.1.2.3", "/meshes")).contains(" 421 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/healthy", "/ready", "/metrics"})
    void probesAreAnsweredUnderWhateverAddressTheyUse(String path) throws Exception {
        assertThat(statusUnderHost("10.1.2.3:5681", path)).contains(" 200 ");
    }

    @Test
    void letsNoForeignPageRead() throws Exception {
        Answer answer = api.send(api.request("GET", "/meshes", null)
                .header("origin", "http://evil.example")
                .build());

        assertThat(answer.header("access-control-allow-origin")).isEmpty();
    }

    private Answer as(String token, String method, String path, @org.jspecify.annotations.Nullable String body)
            throws Exception {
        return api.send(api.anonymous(method, path, body)
                .header("authorization", "Bearer " + token)
                .build());
    }

    private String statusUnderHost(String host, String path) throws IOException {
        URI uri = api.uri(path);
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            var answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            return String.valueOf(answer.readLine());
        }
    }
}
