package io.parley.xds.client.grpc;

import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.SecurityLevel;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/** A bearer token from a file. It is read for each stream, since whoever renews it writes a new file. */
public final class TokenFile extends CallCredentials {
    private static final int MAX_BYTES = 1 << 16;
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Path file;

    public TokenFile(Path file) {
        this.file = file;
    }

    @Override
    public void applyRequestMetadata(RequestInfo info, Executor executor, MetadataApplier applier) {
        if (info.getSecurityLevel() != SecurityLevel.PRIVACY_AND_INTEGRITY) {
            applier.fail(Status.UNAUTHENTICATED.withDescription(
                    "the token of " + file + " is not sent in plain text (expected: channel credentials of type tls)"));
            return;
        }
        executor.execute(() -> read(applier));
    }

    private void read(MetadataApplier applier) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                applier.fail(Status.UNAVAILABLE.withDescription(file + ": more than " + MAX_BYTES + " bytes of token"));
                return;
            }
            String token = Files.readString(file).strip();
            if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
                applier.fail(Status.UNAVAILABLE.withDescription(file + ": not a token (expected: one line of ASCII)"));
                return;
            }
            Metadata headers = new Metadata();
            headers.put(AUTHORIZATION, "Bearer " + token);
            applier.apply(headers);
        } catch (NoSuchFileException e) {
            applier.fail(
                    Status.UNAVAILABLE.withDescription(file + ": no such file").withCause(e));
        } catch (IOException e) {
            applier.fail(Status.UNAVAILABLE
                    .withDescription(file + " cannot be read: " + e.getMessage())
                    .withCause(e));
        }
    }
}
