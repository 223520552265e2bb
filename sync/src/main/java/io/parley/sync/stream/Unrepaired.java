package io.parley.sync.stream;

import io.parley.xds.server.session.Rejection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
    private final Map<String, List<String>> onItsWay = new HashMap<>();
    private final Map<String, Set<String>> names = new HashMap<>();

    Unrepaired(Answers answers) {
        this.answers = answers;
    }

    /** An answer goes out that tells of these. */
    void sent(String kind, List<String> told) {
        onItsWay.put(kind, told);
    }

    /** The last answer of the kind was taken; returns whether nothing of the kind is rejected any more. */
    boolean taken(String kind) {
        List<String> told = onItsWay.remove(kind);
        Set<String> left = names.getOrDefault(kind, Set.of());
        if (!left.isEmpty() && told != null) {
            told.forEach(left::remove);
        }
        return left.isEmpty();
    }

    /** The last answer of the kind was not, or not all of it. */
    void rejected(String kind, String message) {
        List<String> told = onItsWay.remove(kind);
        if (told != null && answers == Answers.CHANGES) {
            Set<String> left = names.computeIfAbsent(kind, _ -> new HashSet<>());
            told.forEach(left::remove);
            left.addAll(meant(Set.copyOf(told), message));
        }
    }

    /** Those that the message names; all, where it names none or not all of them: it says so, or was cut. */
    private static Set<String> meant(Set<String> sent, String message) {
        Set<String> named = new HashSet<>(sent);
        named.removeIf(name -> !isNamed(name, message));
        boolean whole = !message.endsWith(" more") && message.length() < Rejection.MAX_MESSAGE;
        return named.isEmpty() || !whole ? sent : named;
    }

    private static boolean isNamed(String name, String message) {
        return Pattern.compile("(?<![\\w.-])" + Pattern.quote(name) + "(?![\\w-])")
                .matcher(message)
                .find();
    }
}
