package io.parley.bench.xds;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** How a simulated client asks and acknowledges, state of the world and delta. */
enum Variant {
    SOTW("StreamAggregatedResources") {
        @Override
        byte[] first(String type, List<String> names, int client) {
            return DiscoveryRequest.newBuilder()
                    .setNode(node(client))
                    .setTypeUrl(type)
                    .addAllResourceNames(names)
                    .build()
                    .toByteArray();
        }

        @Override
        byte[] acknowledge(Answer answer, List<String> names) {
            return DiscoveryRequest.newBuilder()
                    .setTypeUrl(answer.type())
                    .setVersionInfo(answer.version())
                    .setResponseNonce(answer.nonce())
                    .addAllResourceNames(names)
                    .build()
                    .toByteArray();
        }
    },
    DELTA("DeltaAggregatedResources") {
        @Override
        byte[] first(String type, List<String> names, int client) {
            return DeltaDiscoveryRequest.newBuilder()
                    .setNode(node(client))
                    .setTypeUrl(type)
                    .addAllResourceNamesSubscribe(names)
                    .build()
                    .toByteArray();
        }

        @Override
        byte[] acknowledge(Answer answer, List<String> names) {
            return DeltaDiscoveryRequest.newBuilder()
                    .setTypeUrl(answer.type())
                    .setResponseNonce(answer.nonce())
                    .build()
                    .toByteArray();
        }
    };

    final String method;

    Variant(String method) {
        this.method = method;
    }

    /** What a client must know of a response; version, type and nonce have the same numbers in both. */
    record Answer(String version, String type, String nonce) {
        static Answer read(byte[] response) {
            try {
                String version = "";
                String type = "";
                String nonce = "";
                CodedInputStream in = CodedInputStream.newInstance(response);
                for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                    switch (WireFormat.getTagFieldNumber(tag)) {
                        case 1 -> version = in.readString();
                        case 4 -> type = in.readString();
                        case 5 -> nonce = in.readString();
                        default -> in.skipField(tag);
                    }
                }
                return new Answer(version, type, nonce);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    abstract byte[] first(String type, List<String> names, int client);

    abstract byte[] acknowledge(Answer answer, List<String> names);

    private static Node node(int client) {
        return Node.newBuilder()
                .setId("client-" + client)
                .setCluster("bench")
                .setUserAgentName("envoy")
                .build();
    }
}
