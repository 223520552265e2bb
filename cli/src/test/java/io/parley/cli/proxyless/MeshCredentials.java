package io.parley.cli.proxyless;

import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.grpc.CompositeChannelCredentials;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.xds.XdsCredentialsProvider;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * What a program adds to grpc-java, whose own {@code tls} neither heeds the authority in the bootstrap file nor sends a token: docs/xds.md
 * tells of it. Runs with old releases of gRPC, so it keeps to what they have.
 */
public final class MeshCredentials extends XdsCredentialsProvider {
    /** Names the file with the data plane's token. */
    static final String TOKEN_FILE = "parley.token.file";

    @Override
    protected ChannelCredentials newChannelCredentials(Map<String, ?> config) {
        try {
            ChannelCredentials tls = TlsChannelCredentials.newBuilder()
                    .trustManager(new File((String) Objects.requireNonNull(config.get("ca_certificate_file"))))
                    .build();
            String token = Files.readString(Path.of(Objects.requireNonNull(System.getProperty(TOKEN_FILE))));
            return CompositeChannelCredentials.create(tls, new Bearer(token.strip()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected String getName() {
        return "tls";
    }

    @Override
    public boolean isAvailable() {
        return System.getProperty(TOKEN_FILE) != null;
    }

    /** Before gRPC's own of that name, which has 5. */
    @Override
    public int priority() {
        return 9;
    }

    private static final class Bearer extends CallCredentials {
        private static final Metadata.Key<String> AUTHORIZATION =
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

        private final String token;

        Bearer(String token) {
            this.token = token;
        }

        @Override
        public void applyRequestMetadata(RequestInfo request, Executor executor, MetadataApplier applier) {
            Metadata headers = new Metadata();
            headers.put(AUTHORIZATION, "Bearer " + token);
            applier.apply(headers);
        }

        /** Abstract in old releases. */
        @SuppressWarnings({"MissingOverride", "deprecation"})
        public void thisUsesUnstableApi() {}
    }
}
