package io.parley.xds.client.resource;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A resource as an answer brings it, out of its wrapper if it had one.
 *
 * @param name as the wrapper says; empty if it does not
 * @param version the resource's own if it has one, else that of the answer
 * @param timeToLive if it is to be forgotten after some time
 * @param body empty in a heartbeat, which only says that the resource is still there
 */
public record RawResource(String name, String version, Optional<Duration> timeToLive, Any body) {
    /** A hundred years, which fits the clock's nanoseconds. */
    private static final long LONGEST_SECONDS = Duration.ofDays(36_500).toSeconds();

    private static final Set<String> WRAPPERS = Set.of(
            "type.googleapis.com/envoy.api.v2.Resource", "type.googleapis.com/envoy.service.discovery.v3.Resource");

    /** A resource of an answer with the state of the world, wrapped or not. */
    static RawResource of(Any any, String answerVersion) throws InvalidProtocolBufferException {
        if (!WRAPPERS.contains(any.getTypeUrl())) {
            return new RawResource("", answerVersion, Optional.empty(), any);
        }
        Resource wrapper = Resource.parseFrom(any.getValue());
        String version = wrapper.getVersion().isEmpty() ? answerVersion : wrapper.getVersion();
        return new RawResource(wrapper.getName(), version, timeToLive(wrapper), wrapper.getResource());
    }

    /** A resource of an answer with changes. */
    static RawResource of(Resource resource) {
        return new RawResource(resource.getName(), resource.getVersion(), timeToLive(resource), resource.getResource());
    }

    /** A time that makes no sense is none: it must not make a resource go as soon as it came. */
    private static Optional<Duration> timeToLive(Resource resource) {
        if (!resource.hasTtl()) {
            return Optional.empty();
        }
        long seconds = Math.min(resource.getTtl().getSeconds(), LONGEST_SECONDS);
        Duration time = Duration.ofSeconds(seconds, resource.getTtl().getNanos());
        return Optional.of(time).filter(Duration::isPositive);
    }

    boolean isHeartbeat() {
        return !name.isEmpty() && body.getTypeUrl().isEmpty() && body.getValue().isEmpty();
    }
}
