package io.parley.xds.client;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import io.parley.xds.client.resource.Decoded;
import io.parley.xds.client.resource.ResourceDecoder;
import io.parley.xds.type.ResourceType;
import java.util.List;

/** An answer of a server about one type, in either variant. */
sealed interface Answer {
    ResourceType type();

    <T> Decoded<T> decode(ResourceDecoder<T> decoder);

    /** Names of resources that are gone. */
    List<String> removed();

    /** Whether what it does not mention does not exist. */
    boolean isComplete();

    /** What the server has to say about resources that it does not send (xDS TP3). */
    List<ResourceError> errors();

    /** State of the world. */
    record Sotw(ResourceType type, DiscoveryResponse message) implements Answer {
        @Override
        public <T> Decoded<T> decode(ResourceDecoder<T> decoder) {
            return decoder.decode(message.getResourcesList(), message.getVersionInfo());
        }

        @Override
        public List<String> removed() {
            return List.of();
        }

        /** Only of listeners and clusters all are sent each time; routes and endpoints go with what points to them. */
        @Override
        public boolean isComplete() {
            return type == ResourceType.LISTENER || type == ResourceType.CLUSTER;
        }

        @Override
        public List<ResourceError> errors() {
            return message.getResourceErrorsList();
        }
    }

    /** Changes. */
    record Delta(ResourceType type, DeltaDiscoveryResponse message) implements Answer {
        @Override
        public <T> Decoded<T> decode(ResourceDecoder<T> decoder) {
            return decoder.decode(message.getResourcesList());
        }

        @Override
        public List<String> removed() {
            return message.getRemovedResourcesList();
        }

        @Override
        public boolean isComplete() {
            return false;
        }

        @Override
        public List<ResourceError> errors() {
            return message.getResourceErrorsList();
        }
    }
}
