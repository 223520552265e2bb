package io.parley.xds.server.snapshot;

import com.google.protobuf.Any;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.FederatedName;
import io.parley.xds.type.NestedNames;
import io.parley.xds.type.ResourceType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One resource, encoded once however many clients get it. Its version is a hash of its content, so that two control planes, or one
 * before and after a restart, give the same resource the same version.
 */
public final class EncodedResource {
    private static final String RESOURCE_V2 = "type.googleapis.com/envoy.api.v2.Resource";
    private static final String RESOURCE_V3 = "type.googleapis.com/envoy.service.discovery.v3.Resource";
    private static final byte[] NO_TTL = {};

    private final String name;
    private final String anyUrl;
    private final long digest;
    private final String version;
    private final byte[] ttl;
    private final @Nullable Duration timeToLive;
    private final List<ResourceReference> warms;
    private final String origin;
    private final WireForm v3;
    private volatile @Nullable WireForm v2;

    private EncodedResource(
            String name,
            String anyUrl,
            byte[] body,
            @Nullable Duration timeToLive,
            List<ResourceReference> warms,
            String origin) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name: empty (expected: the name of a resource of type " + anyUrl + ")");
        }
        this.name = FederatedName.canonical(name);
        this.anyUrl = anyUrl;
        this.timeToLive = timeToLive;
        this.warms = List.copyOf(warms);
        this.origin = origin;
        ttl = timeToLive == null ? NO_TTL : encode(timeToLive);
        digest = ContentHash.of(this.name, anyUrl, body, ttl);
        version = ContentHash.print(digest);
        v3 = new WireForm(anyUrl, body, this.name, version);
    }

    /** A resource of one of the types that xDS defines, under its own name. */
    public static EncodedResource of(Message message) {
        FieldDescriptor field = message.getDescriptorForType().findFieldByName("name");
        if (field == null) {
            field = message.getDescriptorForType().findFieldByName("cluster_name");
        }
        if (field == null) {
            throw new IllegalArgumentException(
                    "message: " + message.getDescriptorForType().getFullName()
                            + " (expected: a type with a name or cluster_name; give the name otherwise)");
        }
        return of((String) message.getField(field), message);
    }

    public static EncodedResource of(String name, Message message) {
        String url = "type.googleapis.com/" + message.getDescriptorForType().getFullName();
        return new EncodedResource(name, url, deterministic(message), null, warmedBy(message), "");
    }

    /** A resource of any type, its bytes as they are. */
    public static EncodedResource of(String name, Any any) {
        return new EncodedResource(name, any.getTypeUrl(), any.getValue().toByteArray(), null, List.of(), "");
    }

    /** The same resource, which a reader of this name made itself and is not to get back. */
    public EncodedResource comingFrom(String reader) {
        return new EncodedResource(name, anyUrl, v3.body(), timeToLive, warms, reader);
    }

    /** The same resource, to be forgotten by clients that hear nothing of it for this long. */
    public EncodedResource expiringAfter(Duration timeToLive) {
        if (timeToLive.isNegative() || timeToLive.isZero()) {
            throw new IllegalArgumentException("timeToLive: " + timeToLive + " (expected: more than nothing)");
        }
        return new EncodedResource(name, anyUrl, v3.body(), timeToLive, warms, origin);
    }

    public String name() {
        return name;
    }

    public String version() {
        return version;
    }

    /** Whose it is; empty for what comes from no reader. */
    public String origin() {
        return origin;
    }

    public @Nullable Duration timeToLive() {
        return timeToLive;
    }

    /** What a proxy asks for anew when this resource changes: it keeps a changed cluster warming until endpoints come. */
    public List<ResourceReference> warms() {
        return warms;
    }

    /** The message itself, for those who show it to people. */
    public Any toAny() {
        return Any.newBuilder()
                .setTypeUrl(anyUrl)
                .setValue(com.google.protobuf.ByteString.copyFrom(v3.body()))
                .build();
    }

    /** Bytes in a response, without a time to live. */
    public int sizeInResponse() {
        return v3.deltaSize();
    }

    public void writeBare(ApiVersion api, Consumer<byte[]> out) {
        form(api).bare(out);
    }

    public void writeWrapped(ApiVersion api, Consumer<byte[]> out) {
        form(api).wrapped(api == ApiVersion.V2 ? RESOURCE_V2 : RESOURCE_V3, name, version, ttl, out);
    }

    public void writeDelta(ApiVersion api, Consumer<byte[]> out) {
        form(api).delta(out);
    }

    public void writeDeltaWithTtl(ApiVersion api, Consumer<byte[]> out) {
        form(api).delta(name, version, ttl, out);
    }

    public void writeDeltaHeartbeat(Consumer<byte[]> out) {
        out.accept(new WireFields()
                .message(2, WireForm.heartbeat(name, version, ttl))
                .toBytes());
    }

    public void writeWrappedHeartbeat(ApiVersion api, Consumer<byte[]> out) {
        byte[] any = new WireFields()
                .string(1, api == ApiVersion.V2 ? RESOURCE_V2 : RESOURCE_V3)
                .message(2, WireForm.heartbeat(name, version, ttl))
                .toBytes();
        out.accept(new WireFields().message(2, any).toBytes());
    }

    long digest() {
        return digest;
    }

    private WireForm form(ApiVersion api) {
        return switch (api) {
            case V3 -> v3;
            case V2 -> v2Form();
        };
    }

    private WireForm v2Form() {
        WireForm made = v2;
        if (made == null) {
            made = makeV2();
            v2 = made;
        }
        return made;
    }

    private WireForm makeV2() {
        ResourceType type = ResourceType.find(anyUrl).orElse(null);
        if (type == null) {
            return v3;
        }
        try {
            byte[] body = deterministic(NestedNames.inV2(type.parser().parseFrom(v3.body())));
            return new WireForm(type.url(ApiVersion.V2), body, name, version);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("resource " + name + " does not parse as " + anyUrl, e);
        }
    }

    private static List<ResourceReference> warmedBy(Message message) {
        if (!(message instanceof Cluster cluster) || cluster.getType() != Cluster.DiscoveryType.EDS) {
            return List.of();
        }
        String service = cluster.getEdsClusterConfig().getServiceName();
        return List.of(new ResourceReference(
                ResourceType.ENDPOINT.url(ApiVersion.V3), service.isEmpty() ? cluster.getName() : service));
    }

    private static byte[] encode(Duration duration) {
        return deterministic(com.google.protobuf.Duration.newBuilder()
                .setSeconds(duration.getSeconds())
                .setNanos(duration.getNano())
                .build());
    }

    /** Map fields in the order of their keys: the hash of equal messages must be equal in every process. */
    private static byte[] deterministic(Message message) {
        byte[] bytes = new byte[message.getSerializedSize()];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            message.writeTo(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot encode " + message.getDescriptorForType().getFullName(), e);
        }
        return bytes;
    }

    @Override
    public String toString() {
        return name + '@' + version;
    }
}
