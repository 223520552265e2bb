package io.parley.xds.server.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A version made from content: the first 64 bits of SHA-256, each part preceded by its length. */
final class ContentHash {
    private ContentHash() {}

    static long of(String name, String url, byte[]... parts) {
        MessageDigest sha = sha256();
        add(sha, name.getBytes(UTF_8));
        add(sha, url.getBytes(UTF_8));
        for (byte[] part : parts) {
            add(sha, part);
        }
        return ByteBuffer.wrap(sha.digest()).getLong();
    }

    static String print(long digest) {
        return HexFormat.of().toHexDigits(digest);
    }

    private static void add(MessageDigest sha, byte[] part) {
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
        sha.update(part);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
