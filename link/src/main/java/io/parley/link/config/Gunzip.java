package io.parley.link.config;

import com.google.protobuf.ByteString;
import io.parley.link.CallRefusal;
import io.parley.wire.wrpc.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/** Unpacks what a peer packed, and stops as soon as it becomes too much. */
final class Gunzip {
    static final int MAX_BYTES = 32 << 20;
    static final int MAX_RATIO = 100;

    /** Below this the ratio does not matter: a short document of one word repeated is no attack. */
    private static final int HARMLESS_BYTES = 64 << 10;

    private static final int CHUNK = 8 << 10;

    private Gunzip() {}

    /** Refuses the call if the bytes cannot be unpacked within the limits. */
    static byte[] unpack(ByteString packed) {
        long limit = Math.clamp((long) packed.size() * MAX_RATIO, HARMLESS_BYTES, MAX_BYTES);
        var unpacked = new ByteArrayOutputStream(CHUNK);
        try (var gzip = new GZIPInputStream(packed.newInput(), CHUNK)) {
            byte[] chunk = new byte[CHUNK];
            for (int read = gzip.read(chunk); read >= 0; read = gzip.read(chunk)) {
                if (unpacked.size() + read > limit) {
                    throw new CallRefusal(
                            ErrorCode.INVALID_PAYLOAD,
                            "config: " + packed.size() + " bytes of gzip hold more than " + limit + " bytes (limits: "
                                    + MAX_RATIO + " to 1, " + MAX_BYTES + " bytes)");
                }
                unpacked.write(chunk, 0, read);
            }
        } catch (IOException e) {
            throw new CallRefusal(ErrorCode.INVALID_PAYLOAD, "config: no gzip: " + e.getMessage());
        }
        return unpacked.toByteArray();
    }
}
