package io.parley.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Calls the REST API. Refusals become {@link CommandFailure}s that say what happened and what to do. */
public final class ApiClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Not what only begins like an address: 127.0.0.1.example.com is somebody else's. */
    private static final Pattern LOOPBACK = Pattern.compile("127(\\.[0-9]{1,3}){3}");

    private final URI base;
    private final @Nullable String token;
    private final String tenant;
    private final HttpClient http;

    public ApiClient(URI base, @Nullable String token, @Nullable Path caFile) {
        this(base, token, caFile, "");
    }

    /**
     * @param tenant in whose realm to act, for those who operate a control plane of several; empty for one's own
     */
    public ApiClient(URI base, @Nullable String token, @Nullable Path caFile, String tenant) {
        this.base = base;
        this.token = token;
        this.tenant = tenant;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_TIMEOUT);
        if ("https".equals(base.getScheme()) && caFile != null) {
            builder.sslContext(trusting(caFile));
        } else if (!"https".equals(base.getScheme()) && !"http".equals(base.getScheme())) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--url: " + base + " (expected: http://HOST:PORT or https://HOST:PORT)");
        }
        if (token != null && "http".equals(base.getScheme()) && !isLoopback(base)) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--url: " + base + " would carry the token in clear over the network"
                            + " (expected: https://HOST:PORT, or http:// to this machine only)");
        }
        this.http = builder.build();
    }

    static boolean isLoopback(URI uri) {
        String host = uri.getHost();
        return host != null
                && (host.equals("localhost")
                        || host.equals("[::1]")
                        || LOOPBACK.matcher(host).matches());
    }

    public Answer get(String path) {
        return send("GET", path, BodyPublishers.noBody(), Map.of());
    }

    public Answer delete(String path) {
        return send("DELETE", path, BodyPublishers.noBody(), Map.of());
    }

    public Answer put(String path, String json) {
        return send("PUT", path, BodyPublishers.ofString(json), Map.of("content-type", "application/json"));
    }

    public Answer post(String path, JsonNode body) {
        return send("POST", path, BodyPublishers.ofString(body.toString()), Map.of("content-type", "application/json"));
    }

    /** Sends manifests, each a document of its own. */
    public Answer postManifests(String path, String yaml) {
        return send("POST", path, BodyPublishers.ofString(yaml), Map.of("content-type", "application/yaml"));
    }

    private Answer send(String method, String path, BodyPublisher body, Map<String, String> headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(base.resolve(path)).method(method, body).timeout(ANSWER_TIMEOUT);
        headers.forEach(request::header);
        if (token != null) {
            request.header("authorization", "Bearer " + token);
        }
        if (!tenant.isEmpty()) {
            request.header("tenant", tenant);
        }
        try {
            HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
            JsonNode answer = parse(response.body());
            if (response.statusCode() >= 400) {
                throw Refusals.failure(response.statusCode(), answer, base);
            }
            return new Answer(response.headers().firstValue("parley-outcome").orElse(""), answer);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.UNREACHABLE, unreachable(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted");
        }
    }

    private String unreachable(IOException cause) {
        return switch (cause) {
            case SSLHandshakeException e ->
                "the control plane at " + base + " is not trusted: " + e.getMessage()
                        + "\n"
                        + "Give its certificate authority with --ca FILE (the control plane writes it to"
                        + " DIR/ca.pem).";
            case ConnectException _ -> notThere();
            case HttpConnectTimeoutException _ -> notThere();
            case HttpTimeoutException _ ->
                "no answer from the control plane at " + base + " within " + ANSWER_TIMEOUT.toSeconds() + " s";
            default -> {
                String other = "https".equals(base.getScheme()) ? "http://" : "https://";
                yield "no answer from the control plane at " + base + ": " + cause.getMessage()
                        + "\nIs that where its --api listens, or does it want " + other + "?";
            }
        };
    }

    private String notThere() {
        return "cannot reach the control plane at " + base
                + "\nStart one with 'parley control-plane', or name another with --url.";
    }

    private static JsonNode parse(byte[] body) throws IOException {
        try {
            JsonNode node = JSON.readTree(body);
            return node == null ? JSON.nullNode() : node;
        } catch (JsonProcessingException e) {
            return JSON.nullNode();
        }
    }

    private static SSLContext trusting(Path caFile) {
        try (InputStream in = Files.newInputStream(caFile)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int index = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca-" + index++, certificate);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new CommandFailure(ExitCode.USAGE, "--ca: cannot read " + caFile + ": " + e.getMessage());
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
