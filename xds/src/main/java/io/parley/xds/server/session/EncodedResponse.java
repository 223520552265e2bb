package io.parley.xds.server.session;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * A response that is already bytes: a few of its own (version, type, nonce) and, by reference, those of its resources, which all clients
 * share.
 */
public final class EncodedResponse {
    private final String typeUrl;
    private final String version;
    private final String nonce;
    private final int resourceCount;
    private final List<String> names;
    private final List<byte[]> parts;
    private final int size;

    EncodedResponse(
            String typeUrl, String version, String nonce, int resourceCount, List<String> names, List<byte[]> parts) {
        this.typeUrl = typeUrl;
        this.version = version;
        this.nonce = nonce;
        this.resourceCount = resourceCount;
        this.names = names;
        this.parts = parts;
        int sum = 0;
        for (byte[] part : parts) {
            sum += part.length;
        }
        size = sum;
    }

    public String typeUrl() {
        return typeUrl;
    }

    public String version() {
        return version;
    }

    public String nonce() {
        return nonce;
    }

    public int resourceCount() {
        return resourceCount;
    }

    /** What is told of: names of resources, and of those that do not exist. */
    public List<String> names() {
        return names;
    }

    /** Bytes of the encoded message. */
    public int size() {
        return size;
    }

    public void writeTo(OutputStream out) throws IOException {
        for (byte[] part : parts) {
            out.write(part);
        }
    }

    public byte[] toByteArray() {
        byte[] bytes = new byte[size];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, bytes, at, part.length);
            at += part.length;
        }
        return bytes;
    }

    @Override
    public String toString() {
        return typeUrl + '@' + version + " nonce " + nonce + ", " + resourceCount + " resources, " + size + " bytes";
    }
}
