package io.parley.xds.server.session;

import java.util.List;

/**
 * An answer but for its nonce. All streams that are brought from one state to the next and want all that changed get the same, so it is
 * made once for them.
 */
final class SharedAnswer {
    private final String typeUrl;
    private final ClientTraits.Expiry expiry;
    private final String controlPlane;
    private final EncodedResponse response;
    private final byte[] bytes;

    /**
     * @param response without a nonce
     */
    SharedAnswer(RequestedType type, SessionContext context, EncodedResponse response) {
        typeUrl = type.asked();
        expiry = context.traits().expiry();
        controlPlane = context.controlPlane();
        this.response = response;
        bytes = response.toByteArray();
    }

    /** Whether all else that answers depend on is the same. */
    boolean isFor(RequestedType type, SessionContext context) {
        return typeUrl.equals(type.asked())
                && expiry == context.traits().expiry()
                && controlPlane.equals(context.controlPlane());
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
