package io.parley.xds.client.transport;

/**
 * How a stream ended.
 *
 * @param code name of the gRPC status code
 * @param message what the server or the transport said, may be empty
 */
public record StreamEnd(String code, String message) {
    public boolean isUnimplemented() {
        return code.equals("UNIMPLEMENTED");
    }

    @Override
    public String toString() {
        return message.isEmpty() ? code : code + ": " + message;
    }
}
