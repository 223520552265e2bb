package io.parley.proxy.admin;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Who asks the admin page. What each may is said in docs/agreement-4-proxy.md. */
enum Visitor {
    /** Somebody elsewhere, who is told only whether the proxy is there. */
    STRANGER,

    /** A program on this machine, which may look at everything. Being here makes nobody an administrator. */
    LOCAL,

    /** Whoever has the token. */
    ADMINISTRATOR;

    private static final String SCHEME = "Bearer ";

    /**
     * Finds out.
     *
     * @param from where the request comes from
     * @param authorization the field of the request; null if it has none
     * @param token the file with the token, read each time, as it may be replaced; null if there is none
     */
    static Visitor of(SocketAddress from, @Nullable String authorization, @Nullable Path token) {
        if (authorization != null && token != null && isRight(authorization, token)) {
            return ADMINISTRATOR;
        }
        boolean here = from instanceof InetSocketAddress address
                && address.getAddress().isLoopbackAddress();
        return here ? LOCAL : STRANGER;
    }

    private static boolean isRight(String authorization, Path token) {
        try {
            String expected = Files.readString(token).strip();
            return !expected.isEmpty()
                    && authorization.startsWith(SCHEME)
                    && MessageDigest.isEqual(
                            bytes(expected),
                            bytes(authorization.substring(SCHEME.length()).strip()));
        } catch (IOException e) {
            return false;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
