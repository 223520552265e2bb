package io.parley.proxy.log;

import io.parley.proxy.log.LineFormat.Member;
import io.parley.proxy.log.Template.Head;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Something that requests or connections are told to. */
public sealed interface LogConfig {
    /** A line for each. */
    record Lines(Place place, LineFormat format) implements LogConfig {}

    /**
     * A record of OpenTelemetry for each.
     *
     * @param origin of all of them
     */
    record Records(Origin origin, @Nullable RecordBody body, List<Member> attributes) implements LogConfig {
        public Records {
            attributes = List.copyOf(attributes);
        }
    }

    /**
     * Whose records a collector is told.
     *
     * @param cluster of the collector
     * @param resource what is said of the one who tells
     */
    record Origin(String cluster, Map<String, String> resource) {
        public Origin {
            resource = Map.copyOf(resource);
        }
    }

    /** Where lines go. */
    sealed interface Place {
        /** To the end of a file. */
        record File(String path) implements Place {
            @Override
            public String toString() {
                return path;
            }
        }

        /** To whoever listens there. */
        record Tcp(String host, int port) implements Place {
            @Override
            public String toString() {
                return "tcp://" + host + ":" + port;
            }
        }
    }

    /** Names of the fields of requests that must be kept for it. */
    default Set<String> requestFields() {
        return fields(Head.REQUEST);
    }

    /** Names of the fields of answers that must be kept for it. */
    default Set<String> answerFields() {
        return fields(Head.ANSWER);
    }

    private Set<String> fields(Head head) {
        Stream<Template> templates = switch (this) {
            case Lines(var _, var format) -> format.templates();
            case Records(var _, var body, var attributes) ->
                Stream.concat(
                        Stream.ofNullable(body).flatMap(RecordBody::templates),
                        attributes.stream().map(Member::value));
        };
        return templates.flatMap(template -> template.fields(head)).collect(Collectors.toUnmodifiableSet());
    }
}
