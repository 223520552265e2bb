package io.parley.sync.stream;

import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.parley.xds.server.session.EncodedResponse;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the peer of one stream has rejected and not been sent a better one of. That it takes something else of the kind repairs
 * nothing. A stream begins with everything that its peer lacks, so nothing need be remembered from the one before. Confined to its stream.
 */
final class Unrepaired {
    /** What an answer tells of. */
    enum Answers {
        CHANGES,
        EVERYTHING
    }

    private final Answers answers;
    private final Map<String, EncodedResponse> onItsWay = new HashMap<>();
    private final Map<String, Set<String>> names = new HashMap<>();

    Unrepaired(Answers answers) {
        this.answers = answers;
    }

    void sent(EncodedResponse response) {
        onItsWay.put(response.typeUrl(), response);
    }

    /** The last answer of the kind was taken; returns whether nothing of the kind is rejected any more. */
    boolean taken(String kind) {
        EncodedResponse answer = onItsWay.remove(kind);
        Set<String> left = names.getOrDefault(kind, Set.of());
        if (!left.isEmpty() && answer != null) {
            left.removeAll(namesIn(answer));
        }
        return left.isEmpty();
    }

    /** The last answer of the kind was not, or not all of it. */
    void rejected(String kind, String message) {
        EncodedResponse answer = onItsWay.remove(kind);
        if (answer != null && answers == Answers.CHANGES) {
            Set<String> left = names.computeIfAbsent(kind, _ -> new HashSet<>());
            Set<String> sent = namesIn(answer);
            left.removeAll(sent);
            left.addAll(meant(sent, message));
        }
    }

    /** Those that the message names; all, where it names none or not all of them. */
    private static Set<String> meant(Set<String> sent, String message) {
        Set<String> named = new HashSet<>(sent);
        named.removeIf(name -> !isNamed(name, message));
        return named.isEmpty() || message.endsWith(" more") ? sent : named;
    }

    private static boolean isNamed(String name, String message) {
        return Pattern.compile("(?<![\\w.-])" + Pattern.quote(name) + "(?![\\w-])")
                .matcher(message)
                .find();
    }

    private static Set<String> namesIn(EncodedResponse answer) {
        try {
            DeltaDiscoveryResponse response = DeltaDiscoveryResponse.parseFrom(answer.toByteArray());
            Set<String> found = new HashSet<>(response.getRemovedResourcesList());
            response.getResourcesList().forEach(resource -> found.add(resource.getName()));
            return found;
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("we sent what is no response: " + answer, e);
        }
    }
}
