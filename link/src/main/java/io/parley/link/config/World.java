package io.parley.link.config;

import com.google.protobuf.ByteString;
import io.parley.wire.wrpc.proto.GranularHashes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/**
 * A whole configuration, packed once however many nodes get it.
 *
 * @param gzip the JSON document, packed
 * @param hash 32 hexadecimal characters; equal hashes mean equal configurations
 * @param hashes of its parts
 */
public record World(ByteString gzip, String hash, GranularHashes hashes) {
    /** What a node reports that has no configuration. */
    public static final String NO_HASH = "0".repeat(32);

    public World {
        if (!isHash(hash)) {
            throw new IllegalArgumentException("hash: " + hash + " (expected: 32 hexadecimal characters)");
        }
    }

    public static World pack(byte[] json, String hash, GranularHashes hashes) {
        var packed = new ByteArrayOutputStream(json.length / 4 + 64);
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new World(ByteString.copyFrom(packed.toByteArray()), hash, hashes);
    }

    static boolean isHash(String text) {
        return text.length() == 32 && text.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128);
    }
}
