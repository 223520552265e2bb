package io.parley.xds.server.session;

import com.google.protobuf.CodedOutputStream;
import com.google.rpc.Code;
import com.google.rpc.Status;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import io.envoyproxy.envoy.service.discovery.v3.ResourceName;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.WireFields;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts one response together from shared bytes. The two kinds of response differ in a few field numbers and in how resources stand. */
final class ResponseWriter {
    private static final int VERSION = 1;
    private static final int TYPE_URL = 4;
    private static final int NONCE = 5;
    private static final int REMOVED = 6;
    private static final int RESOURCE_ERRORS = 7;
    private static final int CONTROL_PLANE_IDENTIFIER = 1;

    /** The two responses of xDS and where they differ. */
    enum Kind {
        SOTW(6),
        DELTA(7);

        private final int controlPlane;

        Kind(int controlPlane) {
            this.controlPlane = controlPlane;
        }
    }

    private final Kind kind;
    private final RequestedType type;
    private final SessionContext context;
    private final List<byte[]> parts = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final WireFields own = new WireFields();
    private int resourceCount;
    private int size;

    ResponseWriter(Kind kind, RequestedType type, SessionContext context) {
        this.kind = kind;
        this.type = type;
        this.context = context;
    }

    /**
     * Whether one more stays below the limit; the first always fits, or it would never be sent.
     *
     * @param resource null if there is none of that name, which is to be said
     */
    boolean fits(String name, @Nullable EncodedResource resource) {
        int taken = size + own.size();
        int more = resource == null ? missing(name).length : resource.sizeInResponse();
        return taken == 0 || taken + more <= context.limits().responseBytes();
    }

    void add(EncodedResource resource) {
        boolean expires = resource.timeToLive() != null && context.traits().expiry() == ClientTraits.Expiry.UNDERSTOOD;
        switch (kind) {
            case SOTW -> {
                if (expires && context.traits().wrapping() == ClientTraits.Wrapping.UNDERSTOOD) {
                    resource.writeWrapped(type.api(), this::append);
                } else {
                    resource.writeBare(type.api(), this::append);
                }
            }
            case DELTA -> {
                if (expires) {
                    resource.writeDeltaWithTtl(type.api(), this::append);
                } else {
                    resource.writeDelta(type.api(), this::append);
                }
            }
        }
        names.add(resource.name());
        resourceCount++;
    }

    void addHeartbeat(EncodedResource resource) {
        switch (kind) {
            case SOTW -> resource.writeWrappedHeartbeat(type.api(), this::append);
            case DELTA -> resource.writeDeltaHeartbeat(this::append);
        }
        names.add(resource.name());
        resourceCount++;
    }

    /** Says that there is no resource of that name, or no longer. */
    void addMissing(String name) {
        names.add(name);
        own.raw(missing(name));
    }

    private byte[] missing(String name) {
        return switch (kind) {
            case SOTW ->
                new WireFields().message(RESOURCE_ERRORS, notFound(name)).toBytes();
            case DELTA -> new WireFields().string(REMOVED, name).toBytes();
        };
    }

    /** Clients that do not know this field (xDS TP3) skip it. */
    private static byte[] notFound(String name) {
        return ResourceError.newBuilder()
                .setResourceName(ResourceName.newBuilder().setName(name))
                .setErrorDetail(
                        Status.newBuilder().setCode(Code.NOT_FOUND_VALUE).setMessage("no such resource: " + name))
                .build()
                .toByteArray();
    }

    static byte[] nonce(String nonce) {
        return new WireFields(nonce.length() + 2).string(NONCE, nonce).toBytes();
    }

    /**
     * Finishes an answer.
     *
     * @param nonce empty if it is put in later
     */
    EncodedResponse finish(String version, String nonce) {
        own.string(VERSION, version);
        return finishPiece(version, nonce);
    }

    /** Finishes a delta answer that does not bring its reader up to this version yet, and therefore does not bear it. */
    EncodedResponse finishPiece(String version, String nonce) {
        own.string(TYPE_URL, type.asked());
        if (!nonce.isEmpty()) {
            own.string(NONCE, nonce);
        }
        String controlPlane = context.controlPlane();
        if (!controlPlane.isEmpty()) {
            own.open(kind.controlPlane, CodedOutputStream.computeStringSize(CONTROL_PLANE_IDENTIFIER, controlPlane))
                    .string(CONTROL_PLANE_IDENTIFIER, controlPlane);
        }
        append(own.toBytes());
        return new EncodedResponse(type.asked(), version, nonce, resourceCount, names, parts);
    }

    private void append(byte[] part) {
        parts.add(part);
        size += part.length;
    }
}
