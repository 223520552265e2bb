package io.parley.xds.client.resource;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.parley.xds.client.resource.Decoded.Versioned;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the resources of answers with one parser. It has no state and knows no stream. */
public final class ResourceDecoder<T> {
    private final ResourceParser<T> parser;

    public ResourceDecoder(ResourceParser<T> parser) {
        this.parser = parser;
    }

    /** Reads an answer with the state of the world. */
    public Decoded<T> decode(List<Any> resources, String answerVersion) {
        Reading reading = new Reading();
        for (int i = 0; i < resources.size(); i++) {
            try {
                reading.add(RawResource.of(resources.get(i), answerVersion), i);
            } catch (InvalidProtocolBufferException e) {
                reading.nameless.add("resources[" + i + "]: not a wrapped resource: " + e.getMessage());
            }
        }
        return reading.result();
    }

    /** Reads an answer with changes. */
    public Decoded<T> decode(List<Resource> resources) {
        Reading reading = new Reading();
        for (int i = 0; i < resources.size(); i++) {
            reading.add(RawResource.of(resources.get(i)), i);
        }
        return reading.result();
    }

    private Parsed<T> parse(RawResource raw) {
        Optional<ResourceType> type = ResourceType.find(raw.body().getTypeUrl());
        if (type.isEmpty() || type.get() != parser.type()) {
            return new Parsed.Invalid<>(
                    "", List.of("type " + raw.body().getTypeUrl() + " (expected: " + parser.type() + ")"));
        }
        try {
            return parser.parse(raw.body().getValue());
        } catch (RuntimeException e) {
            // A parser stumbles over what nobody thought of: that must cost the resource, not the stream.
            return new Parsed.Invalid<>("", List.of("cannot be read: " + e));
        }
    }

    /** One answer while it is being read. */
    private final class Reading {
        private final Map<String, Versioned<T>> valid = new LinkedHashMap<>();
        private final Map<String, String> invalid = new LinkedHashMap<>();
        private final List<String> nameless = new ArrayList<>();
        private final Map<String, Optional<Duration>> heartbeats = new LinkedHashMap<>();

        void add(RawResource raw, int index) {
            if (raw.isHeartbeat()) {
                heartbeats.put(ResourceName.canonical(raw.name()), raw.timeToLive());
                return;
            }
            switch (parse(raw)) {
                case Parsed.Valid<T>(String name, T value) ->
                    addNamed(name(raw, name), index, new Versioned<>(value, raw.version(), raw.timeToLive()));
                case Parsed.Invalid<T>(String name, List<String> violations) ->
                    addInvalid(name(raw, name), index, String.join("; ", violations));
            }
        }

        private void addNamed(String name, int index, Versioned<T> found) {
            if (name.isEmpty()) {
                nameless.add("resources[" + index + "]: no name");
            } else if (invalid.containsKey(name) || valid.containsKey(name)) {
                addInvalid(name, index, "");
            } else {
                valid.put(name, found);
            }
        }

        /** Of two with one name, neither is used: nobody can say which one was meant. */
        private void addInvalid(String name, int index, String problem) {
            if (name.isEmpty()) {
                nameless.add("resources[" + index + "]: " + problem);
                return;
            }
            boolean again = valid.remove(name) != null || invalid.containsKey(name);
            invalid.merge(name, problem, (before, now) -> before);
            if (again) {
                invalid.put(name, "given twice in one answer");
            }
        }

        private String name(RawResource raw, String parsed) {
            return ResourceName.canonical(raw.name().isEmpty() ? parsed : raw.name());
        }

        Decoded<T> result() {
            return new Decoded<>(valid, invalid, nameless, heartbeats);
        }
    }
}
