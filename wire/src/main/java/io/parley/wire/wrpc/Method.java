package io.parley.wire.wrpc;

/** What a call calls: the number of a service and the number of one of its procedures. Both are unsigned on the wire. */
public record Method(int service, int rpc) {
    @Override
    public String toString() {
        return Integer.toUnsignedString(service) + "." + Integer.toUnsignedString(rpc);
    }
}
