package io.parley.sync.zone;

import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.parley.identity.certificate.Pem;
import io.parley.sync.global.GlobalSync;
import io.parley.xds.client.grpc.TokenFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How to reach the global control plane.
 *
 * @param url {@code grpcs://host:port}, or {@code grpc://host:port} without encryption
 * @param ca the authority that signed its certificate, or null for those that Java trusts
 * @param token a file with the zone's token, read for each stream; or null
 */
public record Channels(URI url, @Nullable Path ca, @Nullable Path token) {
    private static final String TLS = "grpcs";
    private static final String PLAIN = "grpc";
    private static final int DEFAULT_PORT = 5678;
    private static final int KEEP_ALIVE_SECONDS = 15;

    public Channels {
        String scheme = url.getScheme();
        if (url.getHost() == null || !(TLS.equals(scheme) || PLAIN.equals(scheme))) {
            throw new IllegalArgumentException(
                    "global control plane: " + url + " (expected: grpcs://HOST:PORT, or grpc://HOST:PORT without TLS)");
        }
        if (PLAIN.equals(scheme) && token != null) {
            throw new IllegalArgumentException(
                    "global control plane: " + url + " (expected: grpcs://, as a token is not sent in plain text)");
        }
    }

    /** A connection of its own. */
    ManagedChannel connect() throws IOException {
        int port = url.getPort() < 0 ? DEFAULT_PORT : url.getPort();
        String host = url.getHost();
        return Grpc.newChannelBuilderForAddress(host, port, credentials())
                .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .maxInboundMessageSize(GlobalSync.MAX_MESSAGE_BYTES)
                .userAgent("parley")
                .build();
    }

    Optional<CallCredentials> callCredentials() {
        return Optional.ofNullable(token).map(TokenFile::new);
    }

    private ChannelCredentials credentials() throws IOException {
        if (PLAIN.equals(url.getScheme())) {
            return InsecureChannelCredentials.create();
        }
        TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
        return (ca == null ? tls : tls.trustManager(new ByteArrayInputStream(authorities(ca)))).build();
    }

    private static byte[] authorities(Path ca) throws IOException {
        try {
            byte[] text = Files.readAllBytes(ca);
            Pem.certificates(new String(text, StandardCharsets.US_ASCII));
            return text;
        } catch (NoSuchFileException e) {
            throw new IOException("--global-ca: " + ca + ": no such file", e);
        } catch (IllegalArgumentException e) {
            throw new IOException("--global-ca: " + ca + ": " + e.getMessage(), e);
        }
    }
}
