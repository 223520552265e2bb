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

    /** Something was too much for one side, such as an answer for this one. It will be again if nothing changes. */
    public boolean isExhausted() {
        return code.equals("RESOURCE_EXHAUSTED");
    }

    @Override
    public String toString() {
        return message.isEmpty() ? code : code + ": " + message;
    }
}
