package io.parley.proxy.http1;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The handshake by which a server shows that it understood a request for a WebSocket (RFC 6455 section 4.2.2). */
public final class WebSocketKey {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int KEY_BYTES = 16;

    private WebSocketKey() {}

    /** Whether a client's key is one: 16 bytes in base64. */
    public static boolean isValid(@Nullable String key) {
        if (key == null || key.length() != 24) {
            return false;
        }
        try {
            return Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** A key as a client makes one. */
    public static String draw(RandomGenerator chance) {
        byte[] bytes = new byte[KEY_BYTES];
        chance.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** What a server answers to a key. */
    public static String answer(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    static boolean accepts(String key, @Nullable String answer) {
        return answer(key).equals(answer);
    }
}
