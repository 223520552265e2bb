package io.parley.xds.server.session;

import java.util.List;

/**
 * An answer but for its nonce. All streams that are brought from one state to the next and want all that changed get the same, so it is
 * made once for them.
 */
final class SharedAnswer {
    private final Reader reader;
    private final EncodedResponse response;
    private final byte[] bytes;

    /** For whom it is: whatever else answers depend on. */
    record Reader(String typeUrl, ClientTraits.Expiry expiry, String controlPlane) {}

    /**
     * @param response without a nonce
     */
    SharedAnswer(Reader reader, EncodedResponse response) {
        this.reader = reader;
        this.response = response;
        bytes = response.toByteArray();
    }

    boolean isFor(Reader other) {
        return reader.equals(other);
    }

    EncodedResponse with(String nonce) {
        return new EncodedResponse(
                response.typeUrl(),
                response.version(),
                nonce,
                response.resourceCount(),
                response.names(),
                List.of(bytes, ResponseWriter.nonce(nonce)));
    }
}
