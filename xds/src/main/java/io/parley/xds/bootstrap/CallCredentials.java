package io.parley.xds.bootstrap;

import java.nio.file.Path;

/** What a client adds to each call to prove who it is (gRPC A97). */
public sealed interface CallCredentials {
    /** A bearer token that is read from a file, again and again since it is renewed there. */
    record JwtTokenFile(Path file) implements CallCredentials {}
}
