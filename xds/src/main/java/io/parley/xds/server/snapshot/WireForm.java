package io.parley.xds.server.snapshot;

import java.util.function.Consumer;

/**
 * The bytes of one resource in one version of the API, with what goes before them in a response: as a bare {@code Any}
 * (state of the world) or as a {@code Resource} (delta). The body is never copied until it reaches the socket.
 */
final class WireForm {
    /** {@code DiscoveryResponse.resources} and {@code DeltaDiscoveryResponse.resources} have the same number. */
    private static final int RESOURCES = 2;

    private static final int ANY_TYPE_URL = 1;
    private static final int ANY_VALUE = 2;
    private static final int RESOURCE_VERSION = 1;
    private static final int RESOURCE_BODY = 2;
    private static final int RESOURCE_NAME = 3;
    private static final int RESOURCE_TTL = 6;

    private final byte[] body;
    private final byte[] anyHead;
    private final byte[] bareHead;
    private final byte[] deltaHead;

    WireForm(String anyUrl, byte[] body, String name, String version) {
        this.body = body;
        anyHead = new WireFields()
                .string(ANY_TYPE_URL, anyUrl)
                .open(ANY_VALUE, body.length)
                .toBytes();
        bareHead = new WireFields()
                .open(RESOURCES, anyHead.length + body.length)
                .raw(anyHead)
                .toBytes();
        byte[] head = resourceHead(name, version, new byte[0]);
        deltaHead = new WireFields()
                .open(RESOURCES, head.length + body.length)
                .raw(head)
                .toBytes();
    }

    int bareSize() {
        return bareHead.length + body.length;
    }

    int deltaSize() {
        return deltaHead.length + body.length;
    }

    byte[] body() {
        return body;
    }

    void bare(Consumer<byte[]> out) {
        out.accept(bareHead);
        out.accept(body);
    }

    void delta(Consumer<byte[]> out) {
        out.accept(deltaHead);
        out.accept(body);
    }

    void delta(String name, String version, byte[] ttl, Consumer<byte[]> out) {
        byte[] head = resourceHead(name, version, ttl);
        out.accept(new WireFields()
                .open(RESOURCES, head.length + body.length)
                .raw(head)
                .toBytes());
        out.accept(body);
    }

    /** A {@code Resource} inside an {@code Any}: how a state-of-the-world answer carries a time to live. */
    void wrapped(String wrapperUrl, String name, String version, byte[] ttl, Consumer<byte[]> out) {
        byte[] inner = resourceHead(name, version, ttl);
        byte[] outer = new WireFields()
                .string(ANY_TYPE_URL, wrapperUrl)
                .open(ANY_VALUE, inner.length + body.length)
                .raw(inner)
                .toBytes();
        out.accept(new WireFields()
                .open(RESOURCES, outer.length + body.length)
                .raw(outer)
                .toBytes());
        out.accept(body);
    }

    /** A {@code Resource} without a body tells a client that what it has lives on. */
    static byte[] heartbeat(String name, String version, byte[] ttl) {
        return nameAndVersion(name, version, ttl).toBytes();
    }

    private byte[] resourceHead(String name, String version, byte[] ttl) {
        return nameAndVersion(name, version, ttl)
                .open(RESOURCE_BODY, anyHead.length + body.length)
                .raw(anyHead)
                .toBytes();
    }

    private static WireFields nameAndVersion(String name, String version, byte[] ttl) {
        WireFields fields = new WireFields().string(RESOURCE_VERSION, version).string(RESOURCE_NAME, name);
        return ttl.length == 0 ? fields : fields.message(RESOURCE_TTL, ttl);
    }
}
