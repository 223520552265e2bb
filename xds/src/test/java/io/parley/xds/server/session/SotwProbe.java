package io.parley.xds.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A state-of-the-world client of a session, on a clock that it turns itself. */
final class SotwProbe {
    final RecordedEvents events = new RecordedEvents();
    final SotwSession session;
    private final Map<ResourceType, DiscoveryResponse> last = new HashMap<>();
    private final Map<ResourceType, String[]> names = new HashMap<>();
    ApiVersion api = ApiVersion.V3;
    Snapshot snapshot = Snapshot.EMPTY;
    private long now = 1;

    SotwProbe() {
        this(ClientTraits.PLAIN, SessionLimits.DEFAULT);
    }

    SotwProbe(ClientTraits traits, SessionLimits limits) {
        session = new SotwSession(
                null, new SessionContext(TypePolicy.xds(), traits, limits, events, new NameSets(), "test"));
    }

    SotwProbe ask(ResourceType type, String... wanted) {
        names.put(type, wanted);
        DiscoveryResponse seen = last.get(type);
        String version = seen == null ? "" : seen.getVersionInfo();
        assertThat(send(type, version, seen == null ? "" : seen.getNonce(), null))
                .isEmpty();
        return this;
    }

    Optional<Refusal> send(ResourceType type, String version, String nonce, @Nullable ErrorDetail error) {
        NameList list = NameList.of(names.getOrDefault(type, new String[0]));
        return session.accept(new SotwRequest(type.url(api), version, nonce, list, error), now);
    }

    void reconnect(ResourceType type, String version, String... wanted) {
        names.put(type, wanted);
        assertThat(send(type, version, "", null)).isEmpty();
    }

    List<SubscriptionState> describe() {
        return session.describe(now);
    }

    void ack(ResourceType type) {
        DiscoveryResponse seen = lastOf(type);
        assertThat(send(type, seen.getVersionInfo(), seen.getNonce(), null)).isEmpty();
    }

    void nack(ResourceType type, String lastGood) {
        ErrorDetail error = new ErrorDetail(3, "bad " + type);
        assertThat(send(type, lastGood, lastOf(type).getNonce(), error)).isEmpty();
    }

    private DiscoveryResponse lastOf(ResourceType type) {
        return Objects.requireNonNull(last.get(type), "nothing received yet");
    }

    void advance(Duration time) {
        now += time.toNanos();
    }

    /** The next response, not acknowledged. */
    DiscoveryResponse next() {
        EncodedResponse encoded = session.next(snapshot, now).orElseThrow(() -> new AssertionError("nothing to send"));
        try {
            DiscoveryResponse response = DiscoveryResponse.parseFrom(encoded.toByteArray());
            last.put(ResourceType.find(response.getTypeUrl()).orElseThrow(), response);
            return response;
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    /** The next response, acknowledged. */
    DiscoveryResponse take() {
        DiscoveryResponse response = next();
        ack(ResourceType.find(response.getTypeUrl()).orElseThrow());
        return response;
    }

    SotwProbe quiet() {
        assertThat(session.next(snapshot, now)).isEmpty();
        return this;
    }

    static List<String> names(DiscoveryResponse response) throws InvalidProtocolBufferException {
        ResourceType type = ResourceType.find(response.getTypeUrl()).orElseThrow();
        java.util.ArrayList<String> names = new java.util.ArrayList<>();
        for (com.google.protobuf.Any any : response.getResourcesList()) {
            com.google.protobuf.Message message = type.parser().parseFrom(any.getValue());
            String field = type == ResourceType.ENDPOINT ? "cluster_name" : "name";
            names.add((String) message.getField(message.getDescriptorForType().findFieldByName(field)));
        }
        return names;
    }
}
